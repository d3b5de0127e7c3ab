// Short forms of fields: `title:string!`, `price:decimal(10,2)`, `author:reference(author)`. The types are those of the
// registry of field types; the keys of a type there determine what it takes in parentheses.
import { fieldTypes } from '../../fields/registry.js';
import type { FieldType } from '../../model/registry.js';
import { nearest } from '../../text/nearest-name.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';

/** A parsed short form. */
export interface ShortField {
  name: string;
  schema: FieldSchema;
}

/** The reason why a short form is refused, with what is allowed. */
export class ShortFormError extends Error {}

const FORM =
  /^(?<name>[^:!?=]+)(?::(?<word>[^:(!?=]*)(?:\((?<inside>.*)\)|:(?<after>[^!?=]*))?)?(?<mark>[!?])?(?:=(?<given>.*))?$/s;
const NAME = /^[a-z][a-z0-9_]*$/;
const INTEGER = /^\d+$/;
const RANGE = /^(-?[\d.]*?)\.\.(-?[\d.]*)$/;
/** Type of a field without one. */
const STANDARD = 'string';
/** Keys with the lower and upper limit of a value, by its JSON type. */
const LIMITS: Record<string, [least: string, most: string]> = {
  string: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
};

/**
 * Reads one short form.
 * @throws ShortFormError
 */
export function parseShortForm(text: string): ShortField {
  const parts = FORM.exec(text.trim())?.groups;
  if (!parts) throw new ShortFormError(`"${text}" is not a field. Write name:type, such as title:string!`);
  const { name = '', word = STANDARD, inside, after, mark, given } = parts;
  if (!NAME.test(name))
    throw new ShortFormError(`"${name}" is not a field name: small letters, digits and _, beginning with a letter.`);
  const type = typeOf(name, word);
  const argument = inside ?? after;
  const schema: FieldSchema = { type: type.name, ...argumentsOf(name, type, argument) };
  if (mark === '!') schema.required = true;
  if (mark === '?') schema.nullable = true;
  if (given !== undefined) schema.default = defaultOf(name, type, given);
  return { name, schema };
}

/** The short forms of a line, separated by spaces; spaces in parentheses belong to the form. */
export function splitShortForms(line: string): string[] {
  return line.match(/(?:\([^)]*\)|[^\s(])+/g) ?? [];
}

/** The explanation of short forms for `--help`. */
export function explainShortForms(): string {
  const types = usable();
  const width = Math.max(...types.map((type) => callOf(type).length));
  return [
    'A field is name:type, with',
    '  !        required               title:string!',
    '  ?        may be null            born:date?',
    '  =value   its default            pages:integer=1',
    'and what its type takes in parentheses (or after a second colon, which shells leave alone):',
    '  resources that it refers to     author:reference(author)   author:reference:author',
    '  words that are allowed          state:string(draft,live)',
    '  least..most                     stars:integer(1..5)        code:string(2..8)',
    '  most characters                 title:string(80)',
    '  digits, and decimal places      price:decimal(10,2)',
    `Without a type it is ${STANDARD}. Types:`,
    ...types.map((type) => `  ${callOf(type).padEnd(width)}  ${firstSentence(type.description)}`),
  ].join('\n');
}

/** Types that have a short form: those that require no key other than their target resources. */
function usable(): FieldType[] {
  return [...fieldTypes.values()].filter((type) =>
    Object.entries(type.keys).every(([key, { required }]) => required !== true || key === 'to'),
  );
}

function callOf(type: FieldType): string {
  return type.keys['to']?.required === true ? `${type.name}(resource)` : type.name;
}

function typeOf(field: string, word: string): FieldType {
  const types = usable();
  const found = types.find(({ name }) => name === word);
  if (found) return found;
  const near = nearest(
    word,
    types.map(({ name }) => name),
  );
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new ShortFormError(`${field}: there is no type "${word}".${hint} Types are: ${types.map(callOf).join(', ')}.`);
}

function argumentsOf(field: string, type: FieldType, argument: string | undefined): Partial<FieldSchema> {
  const words = (argument ?? '').split(',').map((word) => word.trim());
  const isEmpty = words.every((word) => word === '');
  if (type.keys['to']?.required === true) {
    if (isEmpty || words.includes(''))
      throw new ShortFormError(`${field}: ${type.name} names the resource it refers to: ${field}:${type.name}(author)`);
    return { to: words.length === 1 ? words[0] : words } as Partial<FieldSchema>;
  }
  if (argument === undefined) return {};
  if (isEmpty || words.includes(''))
    throw new ShortFormError(`${field}: nothing stands where a value is expected: (${argument})`);
  return limitsOf(field, type, argument, words);
}

function limitsOf(field: string, type: FieldType, argument: string, words: string[]): Partial<FieldSchema> {
  const json = jsonTypeOf(type);
  const areIntegers = words.every((word) => INTEGER.test(word));
  if (type.keys['precision'] && areIntegers && words.length <= 2)
    return {
      precision: Number(words[0]),
      ...(words[1] === undefined ? {} : { scale: Number(words[1]) }),
    } as Partial<FieldSchema>;
  const limits = LIMITS[json];
  const [, least, most] = RANGE.exec(argument.trim()) ?? [];
  if (limits && least !== undefined && most !== undefined) {
    const ends = Object.entries({ [limits[0]]: least, [limits[1]]: most }).filter(([, end]) => end !== '');
    if (ends.length > 0 && ends.every(([, end]) => Number.isFinite(Number(end))))
      return Object.fromEntries(ends.map(([key, end]) => [key, Number(end)]));
  }
  const isText = json === 'string' && !type.keys['precision'];
  if (isText && areIntegers && words.length === 1) return { maxLength: Number(words[0]) };
  if (isText) return { enum: words };
  const allowed = type.keys['precision'] ? 'digits: (10,2)' : limits ? 'least..most: (1..5)' : 'nothing in parentheses';
  throw new ShortFormError(`${field}: ${type.name} does not take (${argument}), but ${allowed}.`);
}

function defaultOf(field: string, type: FieldType, text: string): unknown {
  const json = jsonTypeOf(type);
  if (json === 'string') return text;
  if (json === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = (json === 'integer' || json === 'number') && text.trim() !== '' && Number.isFinite(Number(text));
  if (isNumber && (json === 'number' || Number.isInteger(Number(text)))) return Number(text);
  const allowed: Record<string, string> = { boolean: 'true or false', integer: 'a whole number', number: 'a number' };
  throw new ShortFormError(
    `${field}: the default of ${type.name} is ${allowed[json] ?? 'not said in short'}, not "${text}".`,
  );
}

function jsonTypeOf(type: FieldType): string {
  return [type.value({ type: type.name }).type ?? []].flat()[0] ?? '';
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}
