// `Idempotency-Key`: a retried write gets the first response, stored in the transaction of the write itself.
import { createHash } from 'node:crypto';
import { ResourceError } from '../../errors/resource-error.js';
import type { Operation, Result } from '../../model/operation.js';
import { equals } from '../../model/query.js';
import type { Context } from '../../model/schema/schema.js';
import type { Reader, Store, Transaction } from '../../model/store.js';
import type { TableModel } from '../../model/table.js';

/** Table of the responses of committed writes, by caller and key. */
export const IDEMPOTENCY: TableModel = {
  name: 'typecase_idempotency',
  columns: new Map([
    ['id', { name: 'id', kind: 'integer', primary: true }],
    ['key', { name: 'key', kind: 'varchar', length: 64, default: '', nullable: false, binary: true }],
    ['fingerprint', { name: 'fingerprint', kind: 'varchar', length: 64, default: '', nullable: false, binary: true }],
    ['answer', { name: 'answer', kind: 'text', default: '', nullable: false }],
    ['created', { name: 'created', kind: 'integer', default: 0, nullable: false }],
  ]),
  indexes: new Map([
    ['ux_typecase_idempotency_key', { name: 'ux_typecase_idempotency_key', columns: ['key'], unique: true }],
    ['ix_typecase_idempotency_created', { name: 'ix_typecase_idempotency_created', columns: ['created'] }],
  ]),
  counted: [],
};

/** The item that a stored response contains. */
export interface ShownItem {
  id: number;
  context: Context;
  /** Whether the caller could have read as much with the permissions at that time. */
  readable: boolean;
  /** Name of its resource, which is another one than that of the request where an action changes its parent. */
  resource?: string;
}

/**
 * Characters of texts up to which a response is stored with its body; a retry of a larger write gets the item as it is
 * then.
 */
const LARGEST_BODY = 256 * 1024;

/** Seconds for which a response is stored. */
const RETENTION_SECONDS = 24 * 60 * 60;

/** What a key must be. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** What identifies a request. */
export type IdempotentRequest = Pick<Operation, 'actor' | 'kind' | 'parentId' | 'id' | 'raw' | 'file'> & {
  model: { name: string };
  /** Name of the requested action. */
  action?: string;
};

/** What a stored response is looked up by. */
export type Keyed = Pick<Operation, 'idempotency' | 'site'>;

/** Key and fingerprint of a request: the key is scoped to the caller, the fingerprint identifies the content. */
export function idempotencyOf(op: IdempotentRequest, header: string): NonNullable<Operation['idempotency']> {
  if (!KEY.test(header)) throw new ResourceError('rest_invalid_idempotency_key');
  const caller = op.actor.id > 0 ? `#${op.actor.id}` : op.actor.address;
  // The name is part of what is uploaded: title and slug come from it.
  const file = op.file ? `${op.file.md5} ${op.file.filename ?? ''}` : '';
  const about = [op.model.name, op.kind, op.parentId, op.id, op.raw, file];
  // Not for other writes: their stored responses are looked up as before.
  if (op.action !== undefined) about.push(op.action);
  return { key: digest(`${caller}\n${header}`), fingerprint: fingerprintOf(about) };
}

/** The key of one of the requests that a request with a key consists of. One that is no key is refused there too. */
export function keyOfPart(key: string, part: number): string {
  if (!KEY.test(key)) return key;
  const own = `${key}/${part}`;
  return KEY.test(own) ? own : digest(own);
}

/**
 * The response to the first request with this key, if there was one, and the item that it contains, if there is one.
 * Throws 422 when that request had other content.
 */
export async function findStoredResponse(
  op: Keyed,
  reader: Reader,
): Promise<{ result: Result; shown?: ShownItem } | undefined> {
  const keyed = op.idempotency;
  const row =
    keyed &&
    (await reader.first(IDEMPOTENCY.name, ['id', 'fingerprint', 'answer', 'created'], equals('key', keyed.key)));
  if (!row || row['created'] < seconds(op) - RETENTION_SECONDS) return undefined;
  if (row['fingerprint'] !== keyed.fingerprint) throw new ResourceError('rest_idempotency_key_reused');
  const { shown, ...result } = JSON.parse(row['answer']) as Result & { shown?: ShownItem };
  return shown ? { result, shown } : { result };
}

/**
 * Stores a response in the transaction that produced it. `shown`: the item that it contains; absent for other
 * responses, which are stored with their bodies of any size.
 */
export async function storeResponse(
  op: Keyed,
  result: Result,
  shown: ShownItem | undefined,
  tx: Transaction,
): Promise<void> {
  const keyed = op.idempotency;
  if (!keyed) return;
  await tx.delete(IDEMPOTENCY.name, equals('key', keyed.key));
  const { body, ...rest } = result;
  const isStored = !shown?.readable || textLength(body) <= LARGEST_BODY;
  const stored = JSON.stringify({ ...rest, ...(isStored ? { body } : {}), shown });
  await tx.insert(IDEMPOTENCY.name, { ...keyed, answer: stored, created: seconds(op) });
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + textLength(member), 0);
}

/** Deletes expired responses. Run periodically. */
export async function deleteExpired(store: Store, nowMs: number): Promise<void> {
  const old = { op: 'lt', column: 'created', value: Math.floor(nowMs / 1000) - RETENTION_SECONDS } as const;
  if (await store.reader.first(IDEMPOTENCY.name, ['id'], old))
    await store.transaction((tx) => tx.delete(IDEMPOTENCY.name, old));
}

function seconds(op: Keyed): number {
  return Math.floor(op.site.now() / 1000);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A hash of JSON data that does not depend on the order of members; texts are hashed without a copy as JSON. */
function fingerprintOf(data: unknown): string {
  const hash = createHash('sha256');
  const add = (value: unknown): void => {
    if (typeof value === 'string') hash.update(`"${value.length}:`).update(value);
    else if (typeof value !== 'object' || value === null) hash.update(`${JSON.stringify(value)},`);
    else if (Array.isArray(value)) {
      hash.update(`[${value.length}:`);
      value.forEach(add);
    } else {
      const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
      hash.update(`{${members.length}:`);
      members.flat().forEach(add);
    }
  };
  add(data);
  return hash.digest('hex');
}
