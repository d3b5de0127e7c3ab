// `new <resource>`: prints a schema file to start from.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';

/** Adds the command. */
export function newCommand(program: Command): void {
  program
    .command('new <resource>')
    .description('write a schema file to start from into SCHEMAS_DIR')
    .action((name: string) => {
      if (!/^[a-z][a-z0-9_-]*$/.test(name))
        throw new Error('A resource is named with small letters, digits, _ and -, beginning with a letter.');
      const directory = readConfig().schemasDir;
      const file = join(directory, `${name}.json`);
      if (existsSync(file)) throw new Error(`${file} exists already.`);
      mkdirSync(directory, { recursive: true });
      writeFileSync(file, `${JSON.stringify(starter(name, directory), null, 2)}\n`);
      process.stdout.write(`${file} written. Check it with: npm run cms -- check\n`);
    });
}

/** What editors complete and check schema files with. */
const GRAMMAR = fileURLToPath(new URL('../../docs/resource.schema.json', import.meta.url));

function starter(name: string, directory: string): object {
  return {
    $schema: relative(directory, GRAMMAR).split(sep).join('/'),
    name,
    path: `${name}s`,
    description: `What a ${name} is.`,
    fields: {
      title: { type: 'string', required: true, description: 'Title.' },
      text: { type: 'text', description: 'Text.' },
    },
    traits: { sluggable: { from: 'title' } },
    search: { fields: ['title', 'text'] },
    list: { orderby: ['id', 'title'], defaultOrderby: 'title', defaultOrder: 'asc' },
    permissions: 'public-read',
  };
}
