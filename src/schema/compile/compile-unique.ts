// Compiles unique values. Those of several fields, those compared without case or accents, and those too long for an index
// are kept unique by a column with a digest of them, which is null where one of them is missing.
import { createHash } from 'node:crypto';
import type { ResourceModel } from '../../model/model.js';
import { foldFor } from '../../text/fold.js';
import type { Draftable } from './compile-resource.js';
import { addColumn, addIndex } from './compile-tables.js';
import type { UniqueIgnore } from '../../model/schema/field-schema.js';
import type { Derive, FieldModel, UniqueModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

const DIGEST_LENGTH = 64;
/** Types of texts that can be compared without case and accents. */
const TEXTS = ['string', 'email', 'uri', 'slug'];

/** Characters that an index covers whole on every database. */
const MAX_INDEXED = 500;

/** Whether an index could cover only the beginning of the values of a field. */
function isLong({ columns: [column] }: FieldModel): boolean {
  return column !== undefined && (['text', 'json'].includes(column.kind) || (column.length ?? 0) > MAX_INDEXED);
}

/** Columns, indexes and derivation of the unique values of a resource. */
export function linkUnique(model: Draftable<ResourceModel>, derive: Derive[], report: Report): void {
  if (!model.table) return;
  for (const field of model.fields.values()) {
    const { unique } = field.schema;
    if (unique === true && isLong(field)) addUnique(model, [field], digestColumn(model, [field], derive));
    else if (unique === true && field.column)
      model.uniques = [...model.uniques, { column: field.column, fields: [field] }];
    if (typeof unique !== 'object') continue;
    if (!TEXTS.includes(field.type))
      report(['fields', field.name, 'unique'], `only ${TEXTS.join(', ')} are compared without case or accents`);
    else addUnique(model, [field], digestColumn(model, [field], derive, unique.ignore));
  }
  for (const [index, names] of (model.schema.unique ?? []).entries()) {
    const fields = names.flatMap((name) => model.fields.get(name) ?? []);
    const unfit = fields.find(({ column, schema }) => !column || (schema.readOnly && schema.derived));
    if (unfit) report(['unique', index], `"${unfit.name}" of the type ${unfit.type} has no column to compare`);
    else if (fields.length === names.length) addUnique(model, fields, digestColumn(model, fields, derive));
  }
}

type Digest = Required<Pick<UniqueModel, 'column' | 'digest'>>;

function addUnique(model: Draftable<ResourceModel>, fields: readonly FieldModel[], digest: Digest): void {
  const columns = [...Object.keys(model.discriminator), digest.column];
  addIndex(model.table!, columns, { unique: true });
  model.uniques = [...model.uniques, { ...digest, fields }];
}

function digestColumn(
  model: ResourceModel,
  fields: readonly FieldModel[],
  derive: Derive[],
  ignore: readonly UniqueIgnore[] = [],
): Digest {
  const sources = fields.map((field) => ({ column: field.column!, reference: field.targets !== undefined }));
  const name = `${sources.map(({ column }) => column).join('_')}_unique`;
  addColumn(model.table!, {
    name,
    kind: 'varchar',
    length: DIGEST_LENGTH,
    nullable: true,
    default: null,
    derived: true,
  });
  const digest: Derive = (draft, _texts, current) => {
    if (!sources.some(({ column }) => draft.row[column] !== undefined)) return;
    const values = sources.map(({ column, reference }) => {
      const value = draft.row[column] === undefined ? current?.[column] : draft.row[column];
      return reference && value === 0 ? null : (value ?? null);
    });
    draft.row[name] = values.includes(null) ? null : digestOf(values.map((value) => comparable(value, ignore)));
  };
  derive.push(digest);
  return { column: name, digest };
}

function comparable(value: unknown, ignore: readonly UniqueIgnore[]): unknown {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' && ignore.length > 0 ? foldFor(value, ignore) : value;
}

function digestOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
