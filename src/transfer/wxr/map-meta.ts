// Maps meta entries: registered keys go through the meta field, others are stored as plain entries.
import type { ResourceModel } from '../../model/model.js';
import type { MetaKeyModel } from '../../model/shown.js';
import { and, equals } from '../../model/query.js';
import type { Transaction } from '../../model/store.js';
import type { Change } from './import-unit.js';
import { isSerialized, unserialize } from '../wxr-file/php-serialized.js';
import type { WxrMeta } from '../wxr-file/wxr-events.js';
import { addTo } from '../wxr-file/wxr-text.js';

/** Adds the entries to a change; keys in `taken` are already stored as fields. */
export function mapMeta(
  change: Change,
  model: ResourceModel,
  entries: readonly WxrMeta[],
  taken: readonly string[] = [],
): void {
  const field = [...model.fields.values()].find(({ meta }) => meta);
  if (!field) {
    if (entries.length > 0) change.notes.push(`${model.name}: meta, the resource has none`);
    return;
  }
  const registered: Record<string, unknown> = {};
  for (const [name, group] of grouped(entries)) {
    if (taken.includes(name)) continue;
    const key = field.meta!.keys.find((known) => known.key === name);
    const value = key && writable(key) ? registeredValue(key, group) : undefined;
    if (value !== undefined) registered[key!.name] = value;
    else for (const entry of group) if (fits(entry, change, model)) change.meta.push(entry);
  }
  if (Object.keys(registered).length > 0) change.values[field.name] = registered;
}

/** Hidden keys cannot be written through the meta field, and protected ones only where a rule allows it. */
function writable(key: MetaKeyModel): boolean {
  return !key.hidden && (key.needs !== undefined || !key.key.startsWith('_'));
}

function registeredValue(key: MetaKeyModel, group: WxrMeta[]): unknown {
  const values = group.map(({ value }) =>
    key.structured || isSerialized(value) ? (unserialize(value) ?? value) : value,
  );
  const checked = values.map((value) => key.rule(value, key.name));
  if (checked.some((result) => 'issue' in result)) return undefined;
  const good = checked.map((result) => (result as { value: unknown }).value);
  return key.single ? good.at(-1) : good;
}

function fits({ key }: WxrMeta, change: Change, model: ResourceModel): boolean {
  if (key !== '' && key.length <= 255) return true;
  change.notes.push(`${model.name}: meta with an empty key or one longer than 255 characters`);
  return false;
}

function grouped(entries: readonly WxrMeta[]): Map<string, WxrMeta[]> {
  const groups = new Map<string, WxrMeta[]>();
  for (const entry of entries) addTo(groups, entry.key, entry);
  return groups;
}

/** Writes the entries of an item; keys with unchanged values are skipped. Returns the number of entries written. */
export async function writeEntries(
  tx: Transaction,
  model: ResourceModel,
  id: number,
  entries: readonly WxrMeta[],
  fresh: boolean,
): Promise<number> {
  const table = [...model.fields.values()].find(({ meta }) => meta)?.meta!.table;
  if (!table) return 0;
  let written = 0;
  for (const [key, group] of grouped(entries)) {
    const rows = group.map(({ value }) => ({ owner_id: id, key, value, structured: isSerialized(value) ? 1 : 0 }));
    const where = and(equals('owner_id', id), equals('key', key));
    const stored = fresh
      ? []
      : await tx.select({ table, columns: ['value'], where, order: [{ column: 'id', direction: 'asc' }] });
    if (stored.length === rows.length && rows.every(({ value }, index) => value === stored[index]!['value'])) continue;
    if (stored.length > 0) await tx.delete(table, where);
    await tx.insertMany(table, rows);
    written += rows.length;
  }
  return written;
}
