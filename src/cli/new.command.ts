// `new <resource>`: prints a schema file to start from.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
      writeFileSync(file, `${JSON.stringify(starter(name), null, 2)}\n`);
      process.stdout.write(`${file} written. Check it with: npm run cms -- check\n`);
    });
}

function starter(name: string): object {
  return {
    $schema: '../docs/resource.schema.json',
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
