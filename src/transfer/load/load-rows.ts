// Converts items to load into table rows.
import { deriveRow } from '../../engine/derive-row.js';
import type { Draft, Operation } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Site } from '../../model/site/site.js';
import type { Shape } from '../dump/dump-shape.js';
import type { Item } from './load-item.js';
import type { FieldModel } from '../../model/field.js';
import type { Entry } from './meta-entries.js';

/**
 * The complete row of a restored item, including derived columns. All rows of a table have the same columns except the
 * id.
 */
export function restoredRow({ shape, id, row }: Item, site: Site): Row {
  const complete = { ...(id === undefined ? {} : { id }), ...shape.blank, ...shape.constants, ...row };
  return shape.model ? deriveRow(shape.model, complete, site) : complete;
}

/** The values of a restored item in the columns of unique indexes. Texts are left out, because rendering them is slow. */
export function restoredKeys({ shape, row }: Item): Row {
  const draft: Draft = { values: {}, row: { ...shape.blank, ...shape.constants, ...row }, many: {}, meta: {} };
  for (const { digest } of shape.model?.uniques ?? []) digest?.(draft, {});
  return draft.row;
}

/** Rows of a to-many relation. */
export function pairsOf({ many }: FieldModel, owner: number, values: readonly Scalar[]): Row[] {
  return many!.value === 'value'
    ? values.map((value, position) => ({ owner_id: owner, value, position }))
    : values.map((value) => ({ owner_id: owner, target_id: value }));
}

/** Row of a meta entry. */
export function entryRow(shape: Shape | undefined, owner: number, { id, key, value, structured, more }: Entry): Row {
  const own = { ...(id === undefined ? {} : { id }), owner_id: owner, key, value, structured };
  if (!shape?.model) return own;
  return deriveRow(shape.model, { ...shape.blank, ...own, ...more });
}

/** The given columns in stored form. Without passwords, whose hashes cannot be compared. */
export function givenColumns({ shape, row, values }: Item, site: Site): Row {
  const draft = { values, row: {} as Row, many: {}, meta: {} };
  const op = { model: shape.model, site, actor: { capabilities: { has: () => true } } } as unknown as Operation;
  for (const [name, value] of Object.entries(values)) shape.model!.fields.get(name)!.toStore!(value, draft, op);
  return { ...draft.row, ...row };
}
