// `new <resource> [field...]`: writes a schema file; without fields it prompts for them on a terminal.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { readConfig } from '../config/config.js';
import { commandLine } from '../errors/command-line.js';
import { StartupError } from '../errors/problem.js';
import type { PermissionPreset } from '../model/schema/permission-schema.js';
import { PRESETS } from '../schema/grammar/permission-presets.js';
import { promptForFields } from './new/prompt-for-fields.js';
import { explainShortForms, parseShortForm, splitShortForms, type ShortField } from './new/short-forms.js';
import { refusal, schemaText } from './new/starter.js';
import { writeNew } from './write-new.js';

/** Fields of a resource when none are given and the input is not a terminal. */
const STANDARD = ['title!', 'text:text'];

/** Adds the command. */
export function newCommand(program: Command): void {
  const permissions = Object.entries(PRESETS).map(([name, { description }]) => `${name}: ${description}`);
  program
    .command('new <resource> [fields...]')
    .description('write a schema file into SCHEMAS_DIR; asks for the fields on a terminal when none are given')
    .addOption(
      new Option('--permissions <word>', `who may read and write (${permissions.join('; ')})`)
        .choices(Object.keys(PRESETS))
        .default('public-read'),
    )
    .addHelpText('afterAll', () => `\n${explainShortForms()}`)
    .action(async (name: string, forms: string[], options: { permissions: PermissionPreset }) => {
      if (!/^[a-z][a-z0-9_-]*$/.test(name))
        throw new Error('A resource is named with lower-case letters, digits, _ and -, beginning with a letter.');
      const directory = readConfig().schemasDir;
      const file = join(directory, `${name}.json`);
      if (existsSync(file)) throw new Error(`${file} exists already.`);
      const fields = forms.length > 0 ? forms.flatMap(splitShortForms).map(parseShortForm) : await fieldsFor(name);
      if (fields.length === 0) throw new Error('At least one field is needed, such as title:string!');
      const twice = fields.find((field, at) => fields.findIndex((other) => other.name === field.name) !== at);
      if (twice) throw new Error(`The field "${twice.name}" is given twice.`);
      const text = textFor({ name, directory, fields, ...options });
      writeNew(file, text);
      process.stdout.write(`${file} written. Look at it with: ${commandLine(`explain ${name}`)}\n`);
    });
}

async function fieldsFor(name: string): Promise<ShortField[]> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return STANDARD.map(parseShortForm);
  const fields = await promptForFields(name, { input: process.stdin, output: process.stderr });
  if (!fields) throw new Error('Nothing is written.');
  return fields;
}

function textFor(beginning: Parameters<typeof schemaText>[0]): string {
  try {
    return schemaText(beginning);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    throw new Error(refusal(error.problems, beginning.name), { cause: error });
  }
}
