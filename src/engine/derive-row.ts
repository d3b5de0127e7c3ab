// Computes the derived columns of a known row: rendered texts, sort keys, search texts.
import type { ResourceModel } from '../model/model.js';
import type { Row } from '../model/query.js';
import type { TextWork } from '../model/runtime/texts.js';
import type { Draft } from '../model/operation.js';

/** The row with every derived column recomputed, as `site` stores it; `row` must have all columns of the resource. */
export function deriveRow(model: ResourceModel, row: Row, site: TextWork['site'] = {}): Row {
  const draft: Draft = { values: {}, row: { ...row }, many: {}, meta: {} };
  for (const derive of model.derive) derive(draft, { site });
  return draft.row;
}
