// `If-Match`: rejects an update or deletion of another version of the item.
import { ResourceError } from '../errors/resource-error.js';
import type { Operation } from '../model/operation.js';
import type { Row } from '../model/query.js';
import { versionOf } from './version.js';

/** Throws 412 when the request names versions and the current one is not among them. */
export async function checkPrecondition(op: Operation, current: Row): Promise<void> {
  const wanted = op.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  const version = String(await versionOf(op, current));
  if (!wanted.split(',').some((tag) => versionIn(tag) === version)) throw new ResourceError('rest_precondition_failed');
}

/**
 * The version inside an ETag, `"7-1f0c…"` or `"r5e…-1f0c…"`, with or without a suffix for the content coding; undefined
 * for a weak or foreign one.
 */
function versionIn(tag: string): string | undefined {
  return /^"(\d+|r[0-9a-f]+)-[0-9a-f]+(?:-(?:br|gzip))?"$/.exec(tag.trim())?.[1];
}
