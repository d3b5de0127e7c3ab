// The reference of the schema language as a Markdown page: docs/reference.md, made from what is registered.
import type { Registries } from './grammar.js';
import { keysOf } from './fields.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';

const HEAD = `# Reference

Every field type, trait, filter and computed function, as defined by this version. \`npm run cms -- grammar --reference\`
prints it. [schemas.md](schemas.md) explains how they work together.

[Field types](#field-types) · [traits](#traits) · [filters](#filters) · [computed functions](#computed-functions)
`;

/** One word of the language with the keys or options that it takes. */
interface Entry {
  name: string;
  description: string;
  options?: Record<string, ValueSchema>;
  /** What a value of it is: the parameter of a filter, the result of a function. */
  value?: ValueSchema;
}

/** The page, without HTML. `registries`: what a schema file may name. */
export function referencePage({ fields, traits, filters, functions }: Registries): string {
  return [
    HEAD,
    section(
      'Field types',
      'Keys of each type, in addition to those of [every field](schemas.md#fields).',
      'key',
      fields.map((type) => ({ name: type.name, description: type.description, options: keysOf(type) })),
    ),
    section('Traits', 'Options of `"traits": { "<name>": { … } }`.', 'option', traits),
    section(
      'Filters',
      'Values of `"filter"` in `params`, and the keys of `options`. The type is that of the parameter.',
      'option',
      filters,
    ),
    section(
      'Computed functions',
      'Values of `"function"`, and the keys of `options`. The type is that of the result.',
      'option',
      functions.map(({ name, description, options, returns }) => ({ name, description, options, value: returns })),
    ),
  ].join('\n');
}

function section(title: string, intro: string, word: string, entries: readonly Entry[]): string {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [`## ${title}`, '', intro, '', ...sorted.flatMap((entry) => paragraphs(entry, word))].join('\n');
}

function paragraphs({ name, description, options = {}, value }: Entry, word: string): string[] {
  const kind = value && typeText(value);
  const lines = [`### ${name}`, '', `${description}${kind ? ` Type: ${kind}.` : ''}`, ''];
  const rows = Object.entries(options);
  if (rows.length === 0) return lines;
  return [
    ...lines,
    `| ${word} | type | meaning |`,
    '|---|---|---|',
    ...rows.map(
      ([key, schema]) =>
        `| \`${key}\`${isRequired(schema) ? ' (required)' : ''} | ${typeText(schema)} | ${cell(schema.description ?? '')} |`,
    ),
    '',
  ];
}

const isRequired = (schema: ValueSchema): boolean => schema.required === true;

/** array of string; integer from 1 to 10. */
function typeText(schema: ValueSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const types = [schema.type ?? 'any value'].flat().map((type) => (type === 'array' ? arrayText(schema) : type));
  return cell(`${types.join(' or ')}${bounds(schema)}`);
}

function arrayText({ items }: ValueSchema): string {
  return items && items.type !== undefined ? `array of ${typeText(items)}` : 'array';
}

function bounds({ minimum, maximum }: ValueSchema): string {
  return `${minimum === undefined ? '' : ` from ${minimum}`}${maximum === undefined ? '' : ` to ${maximum}`}`;
}

/** A text inside a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
