// Derived columns of a row whose values are known: rendered texts, sort keys, search texts. Called by load and by rerender.
import type { Draft, ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import type { Row } from '../model/query.js';
import { completeDraft } from './draft.js';

/** The row with every derived column made anew; `row` must hold all columns of the resource. */
export function deriveRow(model: ResourceModel, row: Row): Row {
  const draft: Draft = { values: {}, row: { ...row }, many: {}, meta: {} };
  // Derive steps look at the draft alone: nobody asks for anything here.
  completeDraft(draft, { model, kind: 'create' } as Operation);
  return draft.row;
}
