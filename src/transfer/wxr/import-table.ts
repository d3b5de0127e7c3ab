// The import table, which records the imported objects by source, so that an import can be repeated.
import { createHash } from 'node:crypto';
import { isDuplicate } from '../../engine/writes/duplicate.js';
import { and, equals, oneOf, type Row } from '../../model/query.js';
import type { Reader, Transaction } from '../../model/store.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

const varchar = (name: string, length: number): [string, ColumnModel] => [
  name,
  { name, kind: 'varchar', length, default: '', nullable: false, binary: true },
];

const NAME = 'typecase_imports';
const COLUMNS = ['id', 'item_id', 'hash'];

/** One row per source object: its new id and a hash of its content when it was written. */
export const importTable: TableModel = {
  name: NAME,
  columns: new Map<string, ColumnModel>([
    ['id', { name: 'id', kind: 'integer', primary: true }],
    varchar('source', 255),
    varchar('kind', 100),
    varchar('key', 255),
    varchar('hash', 80),
    ['item_id', { name: 'item_id', kind: 'integer', default: 0, nullable: false }],
  ]),
  indexes: new Map([
    ['ux_typecase_imports', { name: 'ux_typecase_imports', columns: ['source', 'kind', 'key'], unique: true }],
  ]),
  counted: [],
};

/** The record of one object. */
export interface LedgerEntry {
  rowId: number;
  itemId: number;
  hash: string;
}

/** An object of the source that was imported, with the hash of its content and the id of its item. */
export interface Imported {
  kind: string;
  key: string;
  hash: string;
  itemId: number;
}

/** The records of one source. */
export class Ledger {
  private readonly source: string;
  /** The records of the objects of the running transaction. */
  private readonly known = new Map<string, LedgerEntry | undefined>();

  constructor(source: string) {
    this.source = shortened(source);
  }

  /** Reads the records of all objects of a transaction with one query. */
  async ahead(reader: Reader, objects: readonly { kind: string; key: string }[]): Promise<void> {
    this.known.clear();
    for (const kind of new Set(objects.map((object) => object.kind))) {
      const keys = objects.filter((object) => object.kind === kind).map(({ key }) => shortened(key));
      const where = and(equals('source', this.source), equals('kind', kind), oneOf('key', keys));
      const rows = await reader.select({ table: NAME, columns: [...COLUMNS, 'key'], where, order: [] });
      for (const key of keys) this.known.set(nameOf(kind, key), undefined);
      for (const row of rows) this.known.set(nameOf(kind, String(row['key'])), entryOf(row));
    }
  }

  async find(reader: Reader, kind: string, key: string): Promise<LedgerEntry | undefined> {
    const name = nameOf(kind, shortened(key));
    if (this.known.has(name)) return this.known.get(name);
    const row = await reader.first(
      NAME,
      COLUMNS,
      and(equals('source', this.source), equals('kind', kind), equals('key', shortened(key))),
    );
    return row && entryOf(row);
  }

  /** Records an imported object; replaces `entry`, its record so far. */
  async record(tx: Transaction, { kind, key, hash, itemId }: Imported, entry?: LedgerEntry): Promise<void> {
    this.known.delete(nameOf(kind, shortened(key)));
    if (entry) await tx.update(NAME, { hash, item_id: itemId }, equals('id', entry.rowId));
    else await tx.insert(NAME, { source: this.source, kind, key: shortened(key), hash, item_id: itemId });
  }
}

/** Whether a record could not be written because another import has written one of the same object. */
export function isRecordedTwice(error: unknown): boolean {
  return isDuplicate(error) && error.table === NAME;
}

/** Content hash of a source object, without its line and its comments, which are objects of their own. */
export function contentHash(value: object): string {
  const text = JSON.stringify(value, (name, member) => (name === 'line' || name === 'comments' ? undefined : member));
  return createHash('sha256').update(text).digest('hex');
}

function entryOf(row: Row): LedgerEntry {
  return { rowId: Number(row['id']), itemId: Number(row['item_id']), hash: String(row['hash']) };
}

function nameOf(kind: string, key: string): string {
  return `${kind}:${key}`;
}

function shortened(text: string): string {
  return text.length <= 255 ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
