// Computes the derived columns of a known row: rendered texts, sort keys, search texts.
import type { Draft, ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import type { Row } from '../model/query.js';
import { completeDraft } from './draft.js';

/** The row with every derived column recomputed; `row` must have all columns of the resource. */
export function deriveRow(model: ResourceModel, row: Row): Row {
  const draft: Draft = { values: {}, row: { ...row }, many: {}, meta: {} };
  // Derive steps read the draft alone: the other members of the operation are not needed.
  completeDraft(draft, { model, kind: 'create' } as Operation);
  return draft.row;
}
