// Checks of values beyond the grammar: defaults, enums, bounds, patterns.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { GENERATED, isGenerated } from '../../values/generated-value.js';
import { compilePattern, patternProblem } from '../../values/patterns/pattern.js';
import type { Registries } from '../grammar/grammar.js';
import { jsonSchema2020 } from '../grammar/json-schema-2020.js';
import type { Path } from '../load/load.js';
import { items, members, record, text } from '../load/as-json.js';
import { explain, type Violation } from './ajv-messages.js';
import { formatHint } from './check-fields.js';
import { describeFound, quote } from './phrases.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';

type Value = Record<string, unknown>;

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

const OPEN_BOUNDS = [
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
] as const;

/** Problems of the values that a schema declares. */
export function checkValues(schema: unknown, registries: Registries): Violation[] {
  const check = new ValueCheck();
  for (const [name, field] of members(record(schema)['fields'])) {
    const path = ['fields', name];
    check.generated(record(field), path);
    check.digits(record(field), path);
    check.value(fieldValue(constant(record(field)), registries), path, record(field));
    check.value(record(record(field)['returns']), [...path, 'returns']);
    for (const [filter, param] of members(record(field)['filterable']))
      check.format(text(record(param)['format']), [...path, 'filterable', filter]);
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

  private ajv: Ajv2020 | undefined;

  /** `written` has the nested values as they are in the file, where a field type has completed `value`. */
  value(value: Value, path: Path, written: Value = value): void {
    this.bounds(value, path);
    this.enum(value, path);
    this.pattern(text(value['pattern']), [...path, 'pattern'], 'value', value['maxLength']);
    this.default(value, path);
    this.format(text(written['format']), path);
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

  /** The scale of a decimal must not exceed its precision. */
  digits(field: Value, path: Path): void {
    this.bounds(field, path, [['scale', 'precision']]);
  }

  /** Words that stand for a generated value, such as `$now`, fit some types only. */
  generated(field: Value, path: Path): void {
    for (const key of ['default', 'onUpdate']) {
      const types = isGenerated(field[key]) ? GENERATED[field[key]]! : undefined;
      if (types && !types.includes(String(field['type'])))
        this.fail([...path, key], `${quote(field[key])} fits ${types.join(', ')}, not ${String(field['type'])}`);
    }
  }

  /** A meta key is a string by default; the default of a multiple one is a list. */
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

  private bounds(value: Value, path: Path, pairs: readonly (readonly [string, string])[] = BOUNDS): void {
    for (const [low, high] of pairs) {
      const [least, most] = [value[low], value[high]];
      if (typeof least !== 'number' || typeof most !== 'number' || least <= most) continue;
      this.fail([...path, low], `${low} ${least} is greater than ${high} ${most}`);
    }
    for (const [low, high] of OPEN_BOUNDS) {
      const [least, most] = [value[low], value[high]];
      if (typeof least === 'number' && typeof most === 'number' && least >= most)
        this.fail([...path, low], `${low} ${least} is not less than ${high} ${most}: no number is between them`);
    }
  }

  private enum(value: Value, path: Path): void {
    const types = [value['type'] ?? []].flat().flatMap((type) => text(type) ?? []);
    const hint = types.includes('array') ? 'allowed values of the items of a list stand inside "items"' : undefined;
    for (const [index, member] of items(value['enum']).entries()) {
      if (types.length === 0 || types.some((type) => isOfType(member, type))) continue;
      this.fail(
        [...path, 'enum', index],
        `${quote(member)} is ${describeFound(member)}, the type is ${types.join(' or ')}`,
        hint,
      );
    }
  }

  private pattern(pattern: string | undefined, path: Path, at: 'key' | 'value', longest?: unknown): void {
    if (pattern === undefined) return;
    const problem = patternProblem(pattern, typeof longest === 'number' ? longest : undefined);
    if (!problem) return;
    const reason = problem.malformed
      ? `is not a regular expression: ${problem.reason.split(': ').at(-1)!.toLowerCase()}`
      : `is not allowed: ${problem.reason}`;
    this.fail(path, `${quote(pattern)} ${reason}`, problem.hint, at);
  }

  /** Custom formats are allowed and not checked: one that resembles a known format is reported as a mistake. */
  format(format: string | undefined, path: Path): void {
    const hint = formatHint({ format });
    if (hint) this.fail([...path, 'format'], `unknown format ${quote(format)}`, hint);
  }

  private default(value: Value, path: Path): void {
    const { default: written, title: _title, description: _description, ...keywords } = value as ValueSchema;
    // null means no value, whatever the type.
    if (written === undefined || written === null) return;
    const { schema, data } = comparable(keywords, written);
    for (const violation of this.validate(schema, data)) {
      const inner = data === written ? violation.path : [];
      const asText = keywords.format === 'decimal' && typeof written === 'number' && `write it as text: "${written}"`;
      this.violations.push({ ...violation, ...(asText && { hint: asText }), path: [...path, 'default', ...inner] });
    }
  }

  private validate(schema: ValueSchema, data: unknown): Violation[] {
    if (isPlain(schema, data)) return [];
    this.ajv ??= newAjv();
    try {
      const validate = this.ajv.compile(jsonSchema2020(schema));
      return validate(data) ? [] : explain(validate.errors ?? []);
    } catch {
      return [];
    }
  }

  private fail(path: Path, message: string, hint?: string, at: 'key' | 'value' = 'value'): void {
    this.violations.push({ path, at, message, hint });
  }
}

// The grammar reports mistyped keywords; such a schema may still get here.
function newAjv(): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    // Patterns are compiled as they will be later, so that none can block the start.
    code: {
      optimize: false,
      regExp: Object.assign((pattern: string) => compilePattern(pattern), { code: 'compilePattern' }),
    },
    meta: false,
    validateSchema: false,
    validateFormats: false,
  });
}

/** Keywords that need more than a comparison. */
const INVOLVED = ['pattern', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum', 'anyOf', 'oneOf'];

/**
 * Whether a value certainly fits, as nearly all defaults do: the code of a validator takes longer to make than all other checks of
 * a field. `false`: it has to be validated.
 */
function isPlain(schema: ValueSchema, data: unknown): boolean {
  if (typeof schema.type !== 'string' || !isOfType(data, schema.type) || INVOLVED.some((word) => word in schema))
    return false;
  if (schema.enum !== undefined && !items(schema.enum).includes(data)) return false;
  if (typeof data === 'number') return data >= (schema.minimum ?? -Infinity) && data <= (schema.maximum ?? Infinity);
  // Lengths are in characters, of which some have two units.
  if (typeof data === 'string')
    return data.length >= 2 * (schema.minLength ?? 0) && data.length <= (schema.maxLength ?? Infinity);
  if (Array.isArray(data)) return data.length === 0 && !schema.minItems;
  return typeof data === 'boolean';
}

// As in requests, a list may be written with commas, and a text with a raw form as the text alone.
function comparable(schema: ValueSchema, written: unknown): { schema: ValueSchema; data: unknown } {
  const raw = schema.properties?.['raw'];
  if (typeof written !== 'string') return { schema, data: written };
  if (schema.type === 'object' && raw) return { schema: raw, data: written };
  if (schema.type !== 'array') return { schema, data: written };
  const numeric = schema.items?.type === 'integer' || schema.items?.type === 'number';
  const parts = written.split(/[\s,]+/).filter((part) => part !== '');
  return { schema, data: parts.map((part) => (numeric && !Number.isNaN(Number(part)) ? Number(part) : part)) };
}

function constant({ default: initial, ...field }: Value): Value {
  return isGenerated(initial) || initial === undefined ? field : { ...field, default: initial };
}

function fieldValue(field: Value, { fields }: Registries): Value {
  const { type: name, required: _required, ...written } = field;
  const type = fields.find((entry) => entry.name === name);
  if (!type) return written;
  try {
    return { ...written, ...type.value(field as unknown as FieldSchema) };
  } catch {
    // An invalid field is reported by the grammar.
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
