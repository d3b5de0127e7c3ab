// Prompts for the fields of a new resource on a terminal.
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { explainShortForms, parseShortForm, ShortFormError, splitShortForms, type ShortField } from './short-forms.js';

/** The streams of the terminal. */
export interface Terminal {
  input: Readable;
  output: Writable;
}

/** Prompts for fields until an empty line; reports invalid ones. Undefined when the input ends before an empty line. */
export async function promptForFields(name: string, { input, output }: Terminal): Promise<ShortField[] | undefined> {
  const fields = new Map<string, ShortField>();
  const lines = createInterface({ input, output });
  output.write(
    `Fields of ${name}, several between spaces: title:string! price:decimal(10,2) tags:strings\n` +
      '? explains them, an empty line ends.\n',
  );
  try {
    lines.setPrompt('fields> ');
    lines.prompt();
    for await (const line of lines) {
      const text = line.trim();
      if (text === '' && fields.size > 0) return [...fields.values()];
      if (text === '') output.write('At least one field is needed.\n');
      else if (text === '?') output.write(`${explainShortForms()}\n`);
      else take(text, fields, output);
      lines.prompt();
    }
    return undefined;
  } finally {
    lines.close();
  }
}

function take(text: string, fields: Map<string, ShortField>, output: Writable): void {
  for (const form of splitShortForms(text)) {
    try {
      const field = parseShortForm(form);
      output.write(`  ${fields.has(field.name) ? 'changed' : 'added'} ${field.name} (${field.schema.type})\n`);
      fields.set(field.name, field);
    } catch (error) {
      if (!(error instanceof ShortFormError)) throw error;
      output.write(`  ${error.message}\n`);
    }
  }
}
