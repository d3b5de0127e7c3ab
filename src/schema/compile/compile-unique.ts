// Compiles unique values. Those of several fields, those compared without case or accents, those too long for an index,
// references, and those of a column that other resources fill as they like are unique by a column with a digest of
// them, which is null where one of them is missing.
import type { ResourceModel } from '../../model/model.js';
import { digestOf } from '../../model/functions/unique-digest.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { DigestModel } from '../../model/table.js';
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

/** References store 0 for none, which may repeat; a required one too is emptied when its target is deleted. */
function mayLeadNowhere({ targets }: FieldModel): boolean {
  return targets !== undefined;
}

/**
 * Whether rows of another resource in the table may have the same value in the column: they lack it and hold its
 * default, or it is not unique there.
 */
function isRepeated({ column }: FieldModel, { name, site, table }: ResourceModel): boolean {
  const { nullable, default: fallback = null } = table!.columns.get(column ?? '') ?? {};
  const others = (site.ofTable.get(table!.name) ?? []).filter((other) => other.name !== name);
  return others.some((other) => {
    const sameColumn = [...other.fields.values()].find((field) => field.column === column);
    return sameColumn ? sameColumn.schema.unique !== true : !nullable || fallback !== null;
  });
}

/** Columns, indexes and derivation of the unique values of a resource. */
export function linkUnique(model: Draftable<ResourceModel>, derive: Derive[], report: Report): void {
  if (!model.table) return;
  for (const field of model.fields.values()) {
    const { unique } = field.schema;
    if (unique === true && (isLong(field) || mayLeadNowhere(field) || isRepeated(field, model)))
      addUnique(model, [field], digestColumn(model, [field], derive));
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

/** The values of a column in items that are in the trash, or that are hidden while another one is there. */
function hiddenStates({ name, faces, site }: ResourceModel, column: string): Scalar[] {
  const own = faces.trash?.column === column ? [faces.trash.status] : [];
  const others = [...site.byName.values()].flatMap((other) => other.faces.trash?.hides(name, '')?.[column] ?? []);
  return [...own, ...others];
}

interface Digest extends Required<Pick<UniqueModel, 'column' | 'digest'>> {
  of: DigestModel;
}

function addUnique(model: Draftable<ResourceModel>, fields: readonly FieldModel[], { of, ...digest }: Digest): void {
  const { discriminator: where } = model;
  const index = addIndex(model.table!, [...Object.keys(where), digest.column], { unique: true });
  index.digests = [...(index.digests ?? []), { ...of, where }];
  model.uniques = [...model.uniques, { ...digest, fields }];
}

function digestColumn(
  model: ResourceModel,
  fields: readonly FieldModel[],
  derive: Derive[],
  ignore: readonly UniqueIgnore[] = [],
): Digest {
  const sources = fields.map((field) => ({
    column: field.column!,
    reference: field.targets !== undefined,
    absent: fields.length > 1 ? hiddenStates(model, field.column!) : [],
  }));
  const of: DigestModel = { sources, ignore };
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
    const values = sources.map(({ column }) =>
      draft.row[column] === undefined ? current?.[column] : draft.row[column],
    );
    draft.row[name] = digestOf(of, values);
  };
  derive.push(digest);
  return { column: name, digest, of };
}
