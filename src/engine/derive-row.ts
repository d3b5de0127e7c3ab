// Computes the derived columns of a known row: rendered texts, sort keys, search texts.
import { isDeepStrictEqual } from 'node:util';
import { withDerived } from '../model/functions/with-derived.js';
import type { ResourceModel } from '../model/model.js';
import type { Row } from '../model/query.js';
import type { Scalar } from '../model/schema/schema.js';
import type { TextWork } from '../model/runtime/texts.js';

/** The row with every derived column recomputed, as `site` stores it; `row` must have all columns of the resource. */
export function deriveRow(model: ResourceModel, row: Row, site: TextWork['site'] = {}): Row {
  return withDerived(model, row, { site });
}

/** The columns of a row that would have other values if they were derived now, with these values. */
export function staleColumns(model: ResourceModel, row: Row, site: TextWork['site']): Record<string, Scalar> {
  const derived = Object.entries(deriveRow(model, row, site));
  return Object.fromEntries(derived.filter(([name, value]) => !isDeepStrictEqual(row[name], value)));
}
