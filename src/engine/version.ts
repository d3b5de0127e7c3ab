// The version of an item as a caller knows it, for the ETag and `If-Match`.
import { createHash } from 'node:crypto';
import { newOperation } from '../model/new-operation.js';
import type { Operation } from '../model/operation.js';
import type { Row } from '../model/query.js';
import { seesInPart } from './rights/field-rights.js';
import { present } from './presentation/present.js';
import { readAccessOf } from './read-access.js';

/**
 * The number of the version; for a caller who may see only a part of the item, `r` and a digest of that part: the
 * number would reveal changes that they may not see. `row` has all columns, `op.ruleResults` the results of its rules.
 */
export async function versionOf(op: Operation, row: Row): Promise<number | string> {
  if (!seesInPart(op.model, op.actor)) return row['row_version'] as number;
  const context = readAccessOf(op) === 'edit' ? 'edit' : 'view';
  // Independent of the request (parameters, fields, method) and of the time: signed URLs change with time.
  const { signFile: _signFile, ...site } = op.site;
  const read = newOperation({ ...op, site, kind: 'retrieve', params: {}, fields: undefined, context, state: {} });
  const [view] = await present(read, [row], context);
  const { _links, ...members } = view!;
  return `r${createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, 16)}`;
}
