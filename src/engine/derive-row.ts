// Computes the derived columns of a known row: rendered texts, sort keys, search texts.
import { withDerived } from '../model/functions/with-derived.js';
import type { ResourceModel } from '../model/model.js';
import type { Row } from '../model/query.js';
import type { TextWork } from '../model/runtime/texts.js';

/** The row with every derived column recomputed, as `site` stores it; `row` must have all columns of the resource. */
export function deriveRow(model: ResourceModel, row: Row, site: TextWork['site'] = {}): Row {
  return withDerived(model, row, { site });
}
