// `init [folder]`: writes the starter files of a site; existing files are kept.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { isInstalled } from '../errors/command-line.js';
import { writeNew } from './write-new.js';
import { engineVersion } from './dump.command.js';

/** Root of the package, with its own schema files and the starter files. */
const PROGRAM = fileURLToPath(new URL('../../', import.meta.url));
const STARTER = join(PROGRAM, 'examples/starter');
const GRAMMAR = 'docs/resource.schema.json';
/** Files that are copied as they are. npm leaves files called `.gitignore` out of packages. */
const COPIED: Readonly<Record<string, string>> = { 'README.md': 'README.md', gitignore: '.gitignore' };

/** Adds the command. */
export function initCommand(program: Command): void {
  program
    .command('init [folder]')
    .description('write the files of a starter site: two resources, roles, package.json; existing files are kept')
    .option('--content', 'start with the shipped resources instead: posts, pages, media, comments, users …')
    .action((folder: string | undefined, options: { content?: boolean }) => {
      const target = resolve(folder ?? '.');
      const source = options.content ? PROGRAM : STARTER;
      const files = new StarterFiles(target);
      files.schemas(join(source, 'schemas'));
      files.add('roles.json', readFileSync(join(source, 'roles.json'), 'utf8'));
      files.add('package.json', manifest(target));
      for (const [from, to] of Object.entries(COPIED)) files.add(to, readFileSync(join(STARTER, from), 'utf8'));
      for (const { name, written } of files.done) process.stdout.write(`${written ? 'written' : 'kept   '}  ${name}\n`);
      process.stdout.write(`\n${next(folder, target)}\n`);
    });
}

/** Writes the starter files of a folder. Existing files are not overwritten. */
class StarterFiles {
  readonly done: { name: string; written: boolean }[] = [];

  constructor(private readonly target: string) {}

  /** Copies the schema files, unless the folder has some already, which belong to another site. */
  schemas(source: string): void {
    const own = join(this.target, 'schemas');
    if (existsSync(own) && readdirSync(own).some((name) => name.endsWith('.json'))) {
      this.done.push({ name: 'schemas/', written: false });
      return;
    }
    for (const name of readdirSync(source).filter((each) => each.endsWith('.json'))) {
      const text = readFileSync(join(source, name), 'utf8');
      this.add(`schemas/${name}`, text.replace(/("\$schema": )"[^"]*"/, `$1"${grammarFrom(own)}"`));
    }
  }

  add(name: string, text: string): void {
    const file = join(this.target, name);
    const written = !existsSync(file);
    if (written) {
      writeNew(file, text);
    }
    this.done.push({ name, written });
  }
}

// The package is in the site's node_modules once the dependencies are installed.
function grammarFrom(directory: string): string {
  return isInstalled()
    ? `../node_modules/typecase/${GRAMMAR}`
    : relative(directory, join(PROGRAM, GRAMMAR)).split(sep).join('/');
}

function manifest(target: string): string {
  const name = basename(target)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  const made = {
    name: name === '' ? 'site' : name,
    private: true,
    type: 'module',
    scripts: { start: 'typecase serve', typecase: 'typecase' },
    dependencies: { typecase: `^${engineVersion()}` },
  };
  return `${JSON.stringify(made, null, 2)}\n`;
}

/** The commands to run next. */
function next(folder: string | undefined, target: string): string {
  const steps = folder === undefined ? [] : [`cd ${folder}`];
  if (!isInstalled()) steps.push(`node ${join(PROGRAM, 'dist/cli.js')} serve`);
  else if (existsSync(join(target, 'node_modules/typecase'))) steps.push('npx typecase serve');
  else steps.push('npm install', 'npx typecase serve');
  return `Next: ${steps.join(' && ')}`;
}
