// Rehearsals without texts: texts are not rendered, and only their first characters are written. Rehearsals depend on keys
// and indexed columns only; indexing texts that are rolled back would take longer than everything else.
import type { Row } from '../../model/query.js';
import type { Store, Transaction } from '../../model/store.js';
import type { TableModel } from '../../model/table.js';
import { fold } from '../../text/fold.js';
import { STORED_RENDERINGS } from '../../text/render.js';

/** Characters that are written: rules must not take an existing text for an empty one. */
const SHORT = 64;
/** Text functions whose results are in no key and no plain index. */
const UNUSED = new Set<unknown>([...STORED_RENDERINGS.keys(), ...STORED_RENDERINGS.values(), fold]);
/** Characters of a text up to which its renderings cannot exceed the size limit of an item. */
const MAX_UNUSED = 64 * 1024;

/**
 * Runs a text function for a rehearsed item: its result, or an empty text where the result is not used and the texts are
 * not longer than `MAX_UNUSED`.
 */
export function unlessUnused<A extends string[], R>(work: (...texts: A) => R, ...texts: A): R {
  if (UNUSED.has(work) && texts.every(({ length }) => length <= MAX_UNUSED)) return '' as R;
  return work(...texts);
}

/** The store, with transactions whose inserts shorten the texts that are in no key and no plain index. */
export function withoutTexts(store: Store, tables: ReadonlyMap<string, TableModel>): Store {
  const texts = new Map([...tables.values()].map((table) => [table.name, plainTexts(table)]));
  const slim = (table: string, row: Row): Row => {
    const left: Row = { ...row };
    for (const name of texts.get(table) ?? []) {
      const value: unknown = row[name];
      if (typeof value === 'string') left[name] = value.slice(0, SHORT);
    }
    return left;
  };
  const rehearsing = (tx: Transaction): Transaction =>
    overridden(tx, {
      insert: (table, row) => tx.insert(table, slim(table, row)),
      insertMany: (table, rows) =>
        tx.insertMany(
          table,
          rows.map((row) => slim(table, row)),
        ),
      // Appended rows are neither read nor rejected.
      append: () => Promise.resolve(),
    });
  const { bulk } = store;
  return overridden(store, {
    transaction: (work) => store.transaction((tx) => work(rehearsing(tx))),
    ...(bulk && { bulk: (work) => bulk.call(store, (tx) => work(rehearsing(tx))) as never }),
  });
}

function plainTexts({ columns, indexes }: TableModel): string[] {
  const keyed = new Set([...indexes.values()].filter((index) => !index.fulltext).flatMap((index) => index.columns));
  return [...columns.values()].filter(({ kind, name }) => kind === 'text' && !keyed.has(name)).map(({ name }) => name);
}

/** The object with some methods replaced; the others run on the original object. */
function overridden<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(whole, name) {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(whole, name, whole);
      return typeof value === 'function' ? value.bind(whole) : value;
    },
  });
}
