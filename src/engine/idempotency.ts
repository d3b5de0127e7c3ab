// `Idempotency-Key`: a retried write gets the first answer, kept in the transaction of the write itself (decisions 0.23).
import { createHash } from 'node:crypto';
import { ResourceError } from '../errors/resource-error.js';
import type { TableModel } from '../model/model.js';
import type { Operation, Result } from '../model/operation.js';
import { equals } from '../model/query.js';
import type { Reader, Store, Transaction } from '../model/store.js';

/** Answers of committed writes, by caller and key. */
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

/** Seconds an answer is kept. */
const KEPT = 24 * 60 * 60;

/** What a request with a key was about: its key is the caller's own, its fingerprint tells two requests apart. */
export function idempotencyOf(op: Operation, header: string): NonNullable<Operation['idempotency']> {
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) throw new ResourceError('rest_invalid_idempotency_key');
  const caller = op.actor.id > 0 ? `#${op.actor.id}` : op.actor.address;
  const about = [op.model.name, op.kind, op.parentId, op.id, canonical(op.raw), op.file?.md5 ?? ''];
  return { key: digest(`${caller}\n${header}`), fingerprint: digest(JSON.stringify(about)) };
}

/** The answer of the first request with this key, if there was one. Throws 422 when that was about something else. */
export async function replay(op: Operation, reader: Reader): Promise<Result | undefined> {
  const asked = op.idempotency;
  const row =
    asked &&
    (await reader.first(IDEMPOTENCY.name, ['id', 'fingerprint', 'answer', 'created'], equals('key', asked.key)));
  if (!row || row['created'] < seconds(op) - KEPT) return undefined;
  if (row['fingerprint'] !== asked.fingerprint) throw new ResourceError('rest_idempotency_key_reused');
  const first = JSON.parse(row['answer']) as Result;
  return { ...first, headers: { ...first.headers, 'Idempotency-Replayed': 'true' } };
}

/** Keeps an answer in the transaction that made it. */
export async function remember(op: Operation, result: Result, tx: Transaction): Promise<void> {
  const asked = op.idempotency;
  if (!asked) return;
  await tx.delete(IDEMPOTENCY.name, equals('key', asked.key));
  await tx.insert(IDEMPOTENCY.name, { ...asked, answer: JSON.stringify(result), created: seconds(op) });
}

/** Forgets answers that are no longer kept. Called now and then by the schedule. */
export async function forgetOld(store: Store, nowMs: number): Promise<void> {
  const old = { op: 'lt', column: 'created', value: Math.floor(nowMs / 1000) - KEPT } as const;
  if (await store.reader.first(IDEMPOTENCY.name, ['id'], old))
    await store.transaction((tx) => tx.delete(IDEMPOTENCY.name, old));
}

function seconds(op: Operation): number {
  return Math.floor(op.site.now() / 1000);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same text for the same members in any order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)]);
}
