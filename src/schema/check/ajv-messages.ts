// Translates ajv errors into plain messages.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { didYouMean, nearest } from '../../text/nearest-name.js';
import type { Path } from '../load/load.js';
import { items, record } from '../load/as-json.js';
import { hintForKey, hintForValue } from '../grammar/foreign-words.js';
import { describeFound, describeWanted, quote } from './phrases.js';
import { renamedKey, renamedValue } from '../grammar/renamed-words.js';

/** An invalid value, with its path relative to the validated one. */
export interface Violation {
  path: Path;
  at: 'key' | 'value';
  message: string;
  hint?: string;
}

type Explain = (error: ErrorObject) => Partial<Violation> & { message: string };

const HOW_MANY_NAMES = 12;
/** Keys of one object that a hint names all: those of an expression are more than the values of most enums. */
const HOW_MANY_KEYS = 20;

const EXPLAIN: Record<string, Explain> = {
  additionalProperties: unknownKey,
  required: missingKey,
  dependentRequired: missingKey,
  enum: (error) => notOneOf(error, items(error.params['allowedValues'])),
  const: (error) => notOneOf(error, [error.params['allowedValue']]),
  type: ({ parentSchema, data, instancePath }) => ({
    message: `expected ${describeWanted(record(parentSchema))}, found ${describeFound(data)}`,
    ...(isDraft4Bound(instancePath, data) && { hint: 'write the bound itself, in place of "minimum" or "maximum"' }),
  }),
  pattern: ({ parentSchema, data, params, propertyName }) => {
    const wanted = record(parentSchema)['patternErrorMessage'];
    const value = quote(propertyName ?? data);
    return {
      message: wanted
        ? `${value} is not a valid name: ${String(wanted)}`
        : `${value} does not match ${params['pattern']}`,
    };
  },
  minimum: (error) => ({ message: `${quote(error.data)} is less than ${error.params['limit']}` }),
  maximum: (error) => ({ message: `${quote(error.data)} is greater than ${error.params['limit']}` }),
  exclusiveMinimum: (error) => ({ message: `${quote(error.data)} is not greater than ${error.params['limit']}` }),
  exclusiveMaximum: (error) => ({ message: `${quote(error.data)} is not less than ${error.params['limit']}` }),
  multipleOf: (error) => ({ message: `${quote(error.data)} is not a multiple of ${error.params['multipleOf']}` }),
  minLength: ({ data, params }) => ({
    message: data === '' ? 'must not be empty' : `${quote(data)} is shorter than ${params['limit']} characters`,
  }),
  maxLength: ({ data, params }) => ({ message: `${quote(data)} is longer than ${params['limit']} characters` }),
  minItems: (error) => ({ message: size(error, items(error.data).length, 'at least', 'item') }),
  maxItems: (error) => ({ message: size(error, items(error.data).length, 'at most', 'item') }),
  minProperties: (error) => ({ message: size(error, keys(error).length, 'at least', 'member') }),
  maxProperties: (error) => ({
    message: size(error, keys(error).length, 'at most', 'member'),
    hint: keys(error).join(', '),
  }),
  uniqueItems: ({ data, params }) => {
    const second = Math.max(params['i'], params['j']);
    return { path: [second], message: `${quote(items(data)[second])} is in the list twice` };
  },
  anyOf: ({ data, parentSchema }) => ({
    message: missingAll(parentSchema) ?? `fits none of the allowed forms${forms(parentSchema, data)}`,
  }),
  oneOf: ({ data, parentSchema }) => ({
    message: `does not fit exactly one of the allowed forms${forms(parentSchema, data)}`,
  }),
};

/** Translates the errors of a validation with `allErrors` and `verbose`. */
export function explain(errors: readonly ErrorObject[]): Violation[] {
  const violations = new Map<string, Violation>();
  for (const error of withoutEchoes(errors)) {
    const words = EXPLAIN[error.keyword]?.(error) ?? { message: error.message ?? error.keyword };
    const isKey = error.propertyName !== undefined;
    const path = [...pathOf(error.instancePath), ...(isKey ? [error.propertyName!] : []), ...(words.path ?? [])];
    const violation: Violation = { at: isKey ? 'key' : 'value', ...words, path };
    violations.set(`${path.join('/')} ${violation.message}`, violation);
  }
  return [...violations.values()];
}

// A type error hides other errors of the same value, and those of the branches of a choice.
function withoutEchoes(errors: readonly ErrorObject[]): ErrorObject[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  return errors.filter((error) => {
    if (error.keyword === 'if' || error.keyword === 'propertyNames') return false;
    if (error.keyword !== 'type' && !error.propertyName && mistyped.has(error.instancePath)) {
      return choices.includes(error);
    }
    return !choices.some((choice) => choice !== error && error.schemaPath.startsWith(`${choice.schemaPath}/`));
  });
}

function unknownKey({ params, parentSchema }: ErrorObject): ReturnType<Explain> {
  const schema = record(parentSchema);
  const key = String(params['additionalProperty']);
  const known = Object.keys(record(schema['properties']));
  const all = known.length > 0 && known.length <= HOW_MANY_KEYS ? `allowed: ${known.join(', ')}` : undefined;
  const former = renamedKey(key, known);
  if (former) return { path: [key], at: 'key', ...former };
  const noun = known.length > 0 && schema['noun'] ? String(schema['noun']) : 'key';
  return {
    path: [key],
    at: 'key',
    message: `unknown ${noun} "${key}"`,
    hint: hintForKey(key, known) ?? didYouMean(key, known) ?? all,
  };
}

function isDraft4Bound(pointer: string, data: unknown): boolean {
  return typeof data === 'boolean' && /\/exclusive(Minimum|Maximum)$/.test(pointer);
}

function missingKey({ params, parentSchema, data }: ErrorObject): ReturnType<Explain> {
  const missing = String(params['missingProperty']);
  const known = record(record(parentSchema)['properties']);
  const meant = nearest(
    missing,
    Object.keys(record(data)).filter((key) => !Object.hasOwn(known, key)),
  );
  return { message: `"${missing}" is missing`, hint: meant && `is "${meant}" meant for it?` };
}

function notOneOf({ data }: ErrorObject, allowed: unknown[]): ReturnType<Explain> {
  const former = renamedValue(data, allowed);
  if (former) return former;
  const names = allowed.map((value) => (typeof value === 'string' && value !== '' ? value : quote(value)));
  const shown = names.length > HOW_MANY_NAMES ? [...names.slice(0, HOW_MANY_NAMES), '…'] : names;
  const hint = hintForValue(data, allowed) ?? (typeof data === 'string' ? didYouMean(data, names) : undefined);
  return { message: `${quote(data)} is not ${names.length === 1 ? '' : 'one of '}${shown.join(', ')}`, hint };
}

function size({ params }: ErrorObject, found: number, bound: string, noun: string): string {
  const limit = Number(params['limit']);
  return `has ${found} ${found === 1 ? noun : `${noun}s`}, ${bound} ${limit} ${limit === 1 ? 'is' : 'are'} expected`;
}

function keys({ data }: ErrorObject): string[] {
  return Object.keys(record(data));
}

function forms(schema: unknown, data: unknown): string {
  const choices = items(record(schema)['anyOf'] ?? record(schema)['oneOf']).map(record);
  if (choices.length === 0 || choices.some((choice) => choice['type'] === undefined)) return '';
  return ` (${choices.map(describeWanted).join(' or ')}), found ${describeFound(data)}`;
}

/** Of a choice of keys that must be there: which ones. */
function missingAll(schema: unknown): string | undefined {
  const choices = items(record(schema)['anyOf']).map((choice) => items(record(choice)['required']));
  if (choices.length === 0 || choices.some((names) => names.length === 0)) return undefined;
  return `${choices.map((names) => names.map(quote).join(' and ')).join(' or ')} is missing`;
}

function pathOf(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
