// Records of the resources as of the last start: the rules of their fields, their traits and tables. The next start
// compares them with its schemas.
import type { ModelSet, ResourceModel } from '../model/model.js';
import { equals, TRUE } from '../model/query.js';
import type { Scalar } from '../model/schema/schema.js';
import type { Reader, Store } from '../model/store.js';
import type { FieldSchema } from '../model/schema/field-schema.js';
import type { TableModel } from '../model/table.js';
import type { FieldModel } from '../model/field.js';

/** Table of the records: one JSON object per resource. */
export const RULES: TableModel = {
  name: 'typecase_rules',
  columns: new Map([
    ['name', { name: 'name', kind: 'varchar', length: 191, primary: true, binary: true }],
    ['rules', { name: 'rules', kind: 'text', nullable: true }],
  ]),
  indexes: new Map(),
  counted: [],
  small: true,
};

/** Keywords that narrow what a value can be. */
export interface Keywords extends Partial<Bounds> {
  type?: string;
  enum?: Scalar[];
  allowStored?: Scalar[];
}

type Bounds = Pick<
  FieldSchema,
  | 'format'
  | 'pattern'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
>;

/** A field at the last start: its keywords, and the targets of a reference (`to`), which records of earlier releases lack. */
export interface RecordedField extends Keywords {
  to?: string[];
  /** Whether empty texts of earlier rows have been replaced by null. */
  nullable?: boolean;
}

/**
 * A resource at the last start. Fields without such keywords have a type only; records of earlier releases lack these
 * fields.
 */
export interface Recorded {
  fields: Record<string, RecordedField>;
  /** Traits that have processed its items. */
  adopted: string[];
  /** Its table; absent in records of earlier releases. */
  table?: string;
}

const TYPES = ['string', 'text', 'slug', 'email', 'uri', 'integer', 'number'];
/** Types whose values are rows of a table beside that of the resource. */
export const LISTS = ['strings', 'references'];
const MAX_NAME_CHARACTERS = 191;

/** The records of the last start, by name of the resource. */
export async function recorded(reader: Reader): Promise<Map<string, Recorded>> {
  const rows = await reader.select({ table: RULES.name, columns: ['name', 'rules'], where: TRUE, order: [] });
  return new Map(rows.map((row) => [String(row['name']), JSON.parse(String(row['rules'])) as Recorded]));
}

/** Records the current state of all resources, so that accepted findings are not reported again. */
export async function recordRules(models: ModelSet, store: Store): Promise<void> {
  const before = await recorded(store.reader);
  const stale = storedModels(models).filter(
    (model) => JSON.stringify(before.get(model.name)) !== JSON.stringify(recordOf(model)),
  );
  if (stale.length === 0) return;
  await store.transaction(async (tx) => {
    for (const model of stale) {
      const rules = JSON.stringify(recordOf(model));
      // Another process that started at the same time may have written the same record.
      const known = await tx.first(RULES.name, ['name', 'rules'], equals('name', model.name));
      if (known?.['rules'] === rules) continue;
      if (known) await tx.update(RULES.name, { rules }, equals('name', model.name));
      else await tx.insert(RULES.name, { name: model.name, rules });
    }
  });
}

/** Resources with a table. */
export function storedModels(models: ModelSet): ResourceModel[] {
  return [...models.byName.values()].filter(({ table, name }) => table && name.length <= MAX_NAME_CHARACTERS);
}

/** Fields whose stored values can be checked against their rule. Types of extensions may store other values than they accept. */
export function ruledFields({ fields }: ResourceModel): FieldModel[] {
  return [...fields.values()].filter(
    ({ type, hidden, column, schema }) => column && !hidden && !schema.customType && TYPES.includes(type),
  );
}

/** The keywords of a field that narrow its values. */
export function keywordsOf(schema: FieldSchema): Keywords {
  const {
    type,
    enum: allowed,
    allowStored,
    format,
    pattern,
    minLength,
    maxLength,
    minimum,
    maximum,
    multipleOf,
  } = schema;
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const bounds = { minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf };
  // Without undefined members, so that it equals what the database returns.
  return JSON.parse(JSON.stringify({ type, enum: allowed, allowStored, format, pattern, ...bounds })) as Keywords;
}

function recordOf(model: ResourceModel): Recorded {
  const ruled = new Set(ruledFields(model));
  const fields = [...model.fields.values()].map((field) => [
    field.name,
    {
      ...(ruled.has(field) ? keywordsOf(field.schema) : typeOf(field.schema)),
      ...(field.nullForEmpty ? { nullable: true } : {}),
    },
  ]);
  return { fields: Object.fromEntries(fields), adopted: [...model.adoptions.keys()], table: model.table!.name };
}

function typeOf({ type, to }: FieldSchema): RecordedField {
  return to === undefined ? { type } : { type, to: [to].flat() };
}
