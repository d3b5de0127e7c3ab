// Computes the derived columns of a known row: rendered texts, sort keys, search texts.
import type { Draft, ResourceModel } from '../model/model.js';
import type { Row } from '../model/query.js';

/** The row with every derived column recomputed; `row` must have all columns of the resource. */
export function deriveRow(model: ResourceModel, row: Row): Row {
  const draft: Draft = { values: {}, row: { ...row }, many: {}, meta: {} };
  for (const derive of model.derive) derive(draft, {});
  return draft.row;
}
