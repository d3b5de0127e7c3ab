// Problems of single fields that show once they are compiled: values that break their own rules, columns written twice.
import type { Problem } from '../../errors/problem.js';
import { fieldTypes } from '../../fields/registry.js';
import { AGENT_ARGUMENTS } from '../../model/agent-arguments.js';
import type { ResourceModel } from '../../model/model.js';
import { didYouMean } from '../../text/nearest-name.js';
import { CHECKED_FORMATS } from '../../values/formats.js';
import { problemAt, type SchemaFile } from '../load/load.js';
import { members, record } from '../load/as-json.js';
import { quote } from './phrases.js';
import type { Draft, Operation } from '../../model/operation.js';
import { QUERY_WORDS } from '../../model/query-language.js';
import type { OperationKind, Scalar } from '../../model/schema/schema.js';
import type { ViewScope } from '../../model/shown.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

/** Keywords that an empty value may break. */
const BREAKABLE = [
  'enum',
  'minLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'minProperties',
] as const;
/** Kinds of columns that hold no texts. */
const NUMBERS: readonly unknown[] = ['integer', 'boolean', 'double', 'decimal'];
/** Keys that say something about a column. */
const OF_COLUMNS = ['unique', 'index', 'column'] as const;

/** Operations that fields are sent to. */
const WRITES: readonly OperationKind[] = ['create', 'update'];

/** Reports the problems of the fields of one resource. */
export function checkFields(model: ResourceModel, report: Report): void {
  for (const field of model.fields.values()) {
    checkEmptyValue(field, report);
    checkItems(field, report);
    if (model.table) {
      checkWithoutColumn(field, report);
      checkDefault(field, report);
      checkSpelling(field, model.site.timezone ?? 'UTC', report);
    }
  }
  if (model.table) checkDuplicateColumns(model, report);
}

/** Values of some types are never made from a default. */
function checkDefault({ name, type, schema, defaultValue, generates }: FieldModel, report: Report): void {
  if (schema.default === undefined || defaultValue !== undefined || generates?.create) return;
  report(['fields', name, 'default'], `a field of type ${type} takes no default`, 'leave out "default"');
}

/** Reports every `default` and `backfill` that the rule of its field refuses, formats included. */
export function checkGivenValues({ fields }: ResourceModel, report: Report): void {
  for (const field of fields.values()) checkGiven(field, report);
}

function checkGiven({ name, schema, type, rule, columns }: FieldModel, report: Report): void {
  for (const key of ['default', 'backfill'] as const) {
    const value = schema[key];
    if (value === undefined || value === null) continue;
    if (value === '') {
      // In texts it stands for no value.
      if (NUMBERS.includes(columns[0]?.kind))
        report(['fields', name, key], `an empty text is not a value of the type ${type}`, 'leave it out');
      continue;
    }
    const checked = rule(value, name);
    if (!('issue' in checked)) continue;
    report(['fields', name, key], checked.issue.message);
    if (key === 'default')
      report(['fields', name, 'defaultSetting'], `the setting is ${quote(value)}: ${checked.issue.message}`);
  }
}

/** A member of an `enum` that is stored in another spelling could not be sent back. */
function checkSpelling(field: FieldModel, timezone: string, report: Report): void {
  for (const [index, value] of (field.schema.enum ?? []).entries()) {
    const shown = storedAs(field, value, timezone);
    if (shown === value || !('issue' in field.rule(shown, field.name))) continue;
    report(
      ['fields', field.name, 'enum', index],
      `${quote(value)} is stored and shown as ${quote(shown)}, which would not be allowed`,
      `write ${quote(shown)}`,
    );
  }
}

/** What an item shows after a value was sent; the value itself where that depends on more. */
function storedAs(field: FieldModel, value: Scalar, timezone: string): unknown {
  const { toStore, toView } = field;
  const op = { site: { settings: { timezone } } } as unknown as Operation;
  const draft = { values: {}, row: {}, many: {}, meta: {} } as Draft;
  try {
    toStore!(value, draft, op);
    return toView!(draft.row, { context: 'edit' } as ViewScope);
  } catch {
    return value;
  }
}

/** An optional field has its empty value where nothing is sent; sent back, that value must be accepted. */
function checkEmptyValue(field: FieldModel, report: Report): void {
  const { name, schema, defaultValue: initial } = field;
  if (field.readOnly || field.hidden || field.required || schema.default !== undefined) return;
  if (initial === undefined || initial === null || schema.defaultSetting || schema.enumSetting) return;
  const checked = field.rule(initial, name);
  const keyword = BREAKABLE.find((key) => schema[key] !== undefined);
  if (!('issue' in checked) || keyword === undefined) return;
  if (keyword === 'enum' && (schema.allowStored as unknown[] | undefined)?.includes(initial)) return;
  const [which, hint] = emptyIn(field);
  report(
    ['fields', name, keyword],
    `${which} would have ${quote(initial)}, which breaks this: ${checked.issue.message}`,
    hint,
  );
}

/** Which items have the empty value of a field, and what to do about it. */
function emptyIn({ generates, targets }: FieldModel): [which: string, hint: string] {
  if (!generates?.create)
    return ['an item that is made without it', 'give it a default, or make it required or nullable'];
  if (!targets) return ['an item that is older than the field', 'make it required or nullable'];
  const hint = 'make it required, or leave this out and refuse in "checks" what is "orphaned"';
  return ['an item of a caller who has not signed in', hint];
}

/** The members of a set are of one type, whatever else `items` says of them. */
function checkItems({ name, schema, many }: FieldModel, report: Report): void {
  const wanted = many?.value === 'value' ? 'string' : 'integer';
  const { type = wanted } = schema.items ?? {};
  if (many && type !== wanted)
    report(
      ['fields', name, 'items', 'type'],
      `each value of the type ${schema.type} is of type ${wanted}`,
      'leave out "type", or use a field of type array',
    );
}

/** Values in a table of their own have no column. */
function checkWithoutColumn(field: FieldModel, report: Report): void {
  if (field.columns.length > 0 || field.type === 'id') return;
  const key = OF_COLUMNS.find((each) => field.schema[each] !== undefined && (each !== 'column' || !field.many));
  if (key)
    report(
      ['fields', field.name, key],
      `a field of type ${field.type} has no column: "${key}" has no effect`,
      `leave out "${key}"`,
    );
}

function checkDuplicateColumns(model: ResourceModel, report: Report): void {
  const first = new Map<string, FieldModel>();
  for (const field of model.fields.values()) {
    for (const { name } of field.columns) {
      const other = first.get(name);
      if (!other) first.set(name, field);
      else if (field.type === 'password' || other.type === 'password')
        report(
          ['fields', field.name],
          `the column "${name}" is that of a password, which no other field may show or change`,
          'give one of them another "column"',
        );
      else if (!field.readOnly && !other.readOnly)
        report(
          ['fields', field.name],
          `the column "${name}" is written by the field "${other.name}" already: of two values sent one would be lost`,
          'give one of them another "column", or make it readOnly',
        );
    }
  }
}

/** Formats that values are checked against; others are published alone. */
const FORMATS = [...CHECKED_FORMATS, 'text-field', 'textarea-field'];

/** The hint for a format that is probably a mistyped one. */
export function formatHint({ format }: Pick<ValueSchema, 'format'>): string | undefined {
  if (format === undefined || FORMATS.includes(format)) return undefined;
  return didYouMean(format, FORMATS);
}

/** Warnings about keys that items can share, values that are never null, and names that mean something else. */
export function fieldNotices(file: SchemaFile, model: ResourceModel): Problem[] {
  return [...sharedKey(file, model), ...neverNull(file), ...otherMeanings(file, model)];
}

/** A slug names one item where a trait makes it unique, or the field is. */
function sharedKey(file: SchemaFile, { key, integerKey, table, faces }: ResourceModel): Problem[] {
  const isMade = faces.name !== undefined && faces.name.column === key?.column;
  if (!key || !table || integerKey || key.schema.unique || isMade) return [];
  const hint = `add "unique": true and "required": true to the field "${key.name}", or a trait that makes slugs`;
  return [problemAt(file, ['key'], `two items could have the same ${key.name}, and only one of them a URL`, hint)];
}

function neverNull(file: SchemaFile): Problem[] {
  return members(record(file.schema)['fields']).flatMap(([name, written]) => {
    const { type, nullable } = record(written);
    if (nullable !== true || !fieldTypes.get(String(type))?.neverNull) return [];
    const message = `has no effect: a field of type ${String(type)} is never null`;
    return [problemAt(file, ['fields', name, 'nullable'], message, 'leave out "nullable"')];
  });
}

/** Names that requests of agents, or of lists, take for something else than the field. */
function otherMeanings(file: SchemaFile, { fields, operations, listParams, query }: ResourceModel): Problem[] {
  return members(record(file.schema)['fields']).flatMap(([name]) => {
    const field = fields.get(name);
    if (!field) return [];
    const at = (message: string) => [problemAt(file, ['fields', name], message, 'choose another name')];
    const isSent = !field.schema.readOnly && !field.schema.hidden;
    if (isSent && AGENT_ARGUMENTS.get(name)?.some((kind) => WRITES.includes(kind) && operations.has(kind)))
      return at(`agents cannot send this field: "${name}" is an argument of their own`);
    const isWord = QUERY_WORDS.some((word) => word === name) && !listParams.has(name);
    return isWord && operations.has('list') && query?.fields.get(name)?.operators.size
      ? at(`lists take no conditions on this field: "${name}" is a word of the query language`)
      : [];
  });
}
