// What the grammar cannot say about values: defaults, enums, bounds, patterns. Called by check.ts for each file.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { patternProblem } from '../fields/pattern.js';
import type { FieldSchema, ValueSchema } from '../model/schema.js';
import type { Registries } from './grammar.js';
import { jsonSchema2020 } from './json-schema-2020.js';
import type { Path } from './load.js';
import { items, members, record, text } from './loose.js';
import { explain, type Violation } from './violations.js';
import { describeFound, quoted } from './wording.js';

type Value = Record<string, unknown>;

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Mistakes in the values that a schema declares. */
export function checkValues(schema: unknown, registries: Registries): Violation[] {
  const check = new ValueCheck();
  for (const [name, field] of members(record(schema)['fields'])) {
    const path = ['fields', name];
    check.value(fieldValue(record(field), registries), path, record(field));
    check.value(record(record(field)['returns']), [...path, 'returns']);
    for (const [key, meta] of members(record(field)['keys'])) check.meta(record(meta), [...path, 'keys', key]);
  }
  for (const group of ['params', 'itemParams', 'deleteParams']) {
    for (const [name, param] of members(record(schema)[group])) {
      const filter = registries.filters.find((entry) => entry.name === record(param)['filter']);
      const field = record(record(record(schema)['fields'])[text(record(param)['field']) ?? name]);
      const inferred = filter?.valueFor?.(field as unknown as FieldSchema);
      check.value({ ...filter?.value, ...inferred, ...record(param) }, [group, name], record(param));
    }
  }
  return check.violations;
}

class ValueCheck {
  readonly violations: Violation[] = [];

  // A schema with mistyped keywords may get here: the grammar reports them.
  private readonly ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    code: { optimize: false },
    meta: false,
    validateSchema: false,
    validateFormats: false,
  });

  /** `written` holds the nested values as they stand in the file, where `value` was completed by a type. */
  value(value: Value, path: Path, written: Value = value): void {
    this.bounds(value, path);
    this.enum(value, path);
    this.pattern(text(value['pattern']), [...path, 'pattern'], 'value');
    this.default(value, path);
    for (const [pattern] of members(written['patternProperties'])) {
      this.pattern(pattern, [...path, 'patternProperties', pattern], 'key');
    }
    for (const key of ['items', 'additionalProperties']) this.nested(written[key], [...path, key]);
    for (const key of ['properties', 'patternProperties']) {
      for (const [name, member] of members(written[key])) this.nested(member, [...path, key, name]);
    }
    for (const key of ['anyOf', 'oneOf']) {
      for (const [index, choice] of items(written[key]).entries()) this.nested(choice, [...path, key, index]);
    }
  }

  /** A meta key is a string unless it says otherwise; the default of a multiple one is a list. */
  meta(meta: Value, path: Path): void {
    const { default: fallback, single, ...written } = meta;
    const value = { type: 'string', ...written };
    this.value(value, path, written);
    this.default(
      single === false ? { type: 'array', items: value, default: fallback } : { ...value, default: fallback },
      path,
    );
  }

  private nested(value: unknown, path: Path): void {
    if (Object.keys(record(value)).length > 0) this.value(record(value), path);
  }

  private bounds(value: Value, path: Path): void {
    for (const [low, high] of BOUNDS) {
      const [least, most] = [value[low], value[high]];
      if (typeof least !== 'number' || typeof most !== 'number' || least <= most) continue;
      this.found([...path, low], `${low} ${least} is greater than ${high} ${most}`);
    }
  }

  private enum(value: Value, path: Path): void {
    const types = [value['type'] ?? []].flat().flatMap((type) => text(type) ?? []);
    const hint = types.includes('array') ? 'allowed values of the items of a list stand inside "items"' : undefined;
    for (const [index, member] of items(value['enum']).entries()) {
      if (types.length === 0 || types.some((type) => isOfType(member, type))) continue;
      this.found(
        [...path, 'enum', index],
        `${quoted(member)} is ${describeFound(member)}, the type is ${types.join(' or ')}`,
        hint,
      );
    }
  }

  private pattern(pattern: string | undefined, path: Path, at: 'key' | 'value'): void {
    try {
      if (pattern === undefined) return;
      RegExp(pattern, 'u');
      const problem = patternProblem(pattern);
      if (problem) this.found(path, `${quoted(pattern)} is not allowed: ${problem}`, undefined, at);
    } catch (error) {
      const reason = (error as Error).message.split(': ').at(-1)!.toLowerCase();
      this.found(path, `${quoted(pattern)} is no regular expression: ${reason}`, undefined, at);
    }
  }

  private default(value: Value, path: Path): void {
    const { default: written, title: _title, description: _description, ...keywords } = value as ValueSchema;
    // null stands for no value, whatever the type.
    if (written === undefined || written === null) return;
    const { schema, data } = comparable(keywords, written);
    for (const violation of this.validate(schema, data)) {
      const inner = data === written ? violation.path : [];
      this.violations.push({ ...violation, path: [...path, 'default', ...inner] });
    }
  }

  private validate(schema: ValueSchema, data: unknown): Violation[] {
    try {
      const validate = this.ajv.compile(jsonSchema2020(schema));
      return validate(data) ? [] : explain(validate.errors ?? []);
    } catch {
      return [];
    }
  }

  private found(path: Path, message: string, hint?: string, at: 'key' | 'value' = 'value'): void {
    this.violations.push({ path, at, message, hint });
  }
}

// A list may be written with commas, and a text with a raw form as the text alone, as clients may.
function comparable(schema: ValueSchema, written: unknown): { schema: ValueSchema; data: unknown } {
  const raw = schema.properties?.['raw'];
  if (typeof written !== 'string') return { schema, data: written };
  if (schema.type === 'object' && raw) return { schema: raw, data: written };
  if (schema.type !== 'array') return { schema, data: written };
  const numeric = schema.items?.type === 'integer' || schema.items?.type === 'number';
  const parts = written.split(/[\s,]+/).filter((part) => part !== '');
  return { schema, data: parts.map((part) => (numeric && !Number.isNaN(Number(part)) ? Number(part) : part)) };
}

function fieldValue(field: Value, { fields }: Registries): Value {
  const { type: name, required: _required, ...written } = field;
  const type = fields.find((entry) => entry.name === name);
  if (!type) return written;
  try {
    return { ...written, ...type.value(field as unknown as FieldSchema) };
  } catch {
    // A malformed field: the grammar reports it.
    return written;
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
