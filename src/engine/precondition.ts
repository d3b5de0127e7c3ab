// `If-Match`: rejects an update or deletion of another version of the item.
import { ResourceError } from '../errors/resource-error.js';
import type { Operation } from '../model/operation.js';
import type { Row } from '../model/query.js';

/** Throws 412 when the request names versions and the current one is not among them. */
export function checkPrecondition(op: Operation, current: Row): void {
  const wanted = op.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  const version = String(current['row_version']);
  if (!wanted.split(',').some((tag) => versionOf(tag) === version)) throw new ResourceError('rest_precondition_failed');
}

/** The version inside an ETag, `"7-1f0c…"`; undefined for a weak or foreign one. */
function versionOf(tag: string): string | undefined {
  return /^"(\d+)-[0-9a-f]+"$/.exec(tag.trim())?.[1];
}
