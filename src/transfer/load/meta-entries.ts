// Meta entries of a line of a dump.
import type { Row } from '../../model/query.js';
import type { MetaKeyModel } from '../../model/shown.js';
import { COLUMNS, VERSION, VERSION_COLUMN, type MetaShape, type Shape } from '../dump/dump-shape.js';
import { BrokenLine } from './load-problems.js';
import { isObject, isBroken, BROKEN, idOf, storedValue } from './load-values.js';

/** One meta entry to write; `more` are further columns of it. */
export interface Entry {
  id?: number;
  key: string;
  value: string;
  structured: number;
  more: Row;
}

const ENTRY_MEMBERS = new Set(['id', 'value', 'structured', VERSION, COLUMNS]);

/**
 * Meta entries of a line: per key a list of texts or entries as in a dump, or the value of the key as a client sends
 * it. Throws BrokenLine.
 */
export function entriesOf({ name, field, entries }: MetaShape, value: unknown): Entry[] {
  if (!isObject(value)) throw new BrokenLine(`${name} must be an object of keys`);
  const found = Object.entries(value).flatMap(([key, written]) => {
    if (key === '' || [...key].length > 255)
      throw new BrokenLine(`${name} has a key that is empty or longer than 255 characters`);
    const known = field.meta!.keys.find((each) => each.key === key);
    const structured = known?.structured ? 1 : 0;
    if (Array.isArray(written) && written.every(isEntry))
      return written.map((entry) => entryOf(key, entry, structured, entries));
    const values = known?.single === false && Array.isArray(written) ? written : [written];
    return values.map((each): Entry => ({ key, ...textOf(`${name}.${key}`, each, known), more: {} }));
  });
  const broken = found.find((entry) => isBroken(entry.key) || isBroken(entry.value));
  if (broken) throw new BrokenLine(`${name}: an entry ${BROKEN}`);
  return found;
}

function entryOf(key: string, entry: string | Record<string, any>, structured: number, shape?: Shape): Entry {
  if (typeof entry === 'string') return { key, value: entry, structured, more: {} };
  return {
    ...(shape && entry['id'] !== undefined ? { id: idOf(`id of the entry ${key}`, entry['id']) } : {}),
    key,
    value: entry['value'],
    structured: entry['structured'] === undefined ? structured : Number(Boolean(entry['structured'])),
    more: shape ? columnsOf(shape, entry) : {},
  };
}

/** Columns of an entry besides key, value and owner. */
function columnsOf(shape: Shape, entry: Record<string, any>): Row {
  const more: Row = isObject(entry[COLUMNS]) ? { ...entry[COLUMNS] } : {};
  if (entry[VERSION] !== undefined) more[VERSION_COLUMN] = entry[VERSION];
  for (const [name, value] of Object.entries(more)) {
    const column = shape.columns.includes(name) ? shape.table.columns.get(name) : undefined;
    if (!column) throw new BrokenLine(`meta entries have no column "${name}"`);
    more[name] = storedValue({ name, column, fallback: null, internal: true }, value);
  }
  return more;
}

function textOf(name: string, value: unknown, known: MetaKeyModel | undefined): { value: string; structured: number } {
  const checked = known ? known.rule(value, name) : { value };
  if ('issue' in checked) throw new BrokenLine(checked.issue.message.replace(/\.$/, ''));
  const fit = checked.value;
  if (fit === null || fit === undefined) throw new BrokenLine(`${name} must not be null`);
  const structured = typeof fit === 'object' ? 1 : 0;
  const text = typeof fit === 'boolean' ? (fit ? '1' : '') : structured ? JSON.stringify(fit) : String(fit);
  return { value: text, structured: known ? Number(known.structured) : structured };
}

function isEntry(value: unknown): value is string | Record<string, any> {
  if (typeof value === 'string') return true;
  return (
    isObject(value) && typeof value['value'] === 'string' && Object.keys(value).every((name) => ENTRY_MEMBERS.has(name))
  );
}
