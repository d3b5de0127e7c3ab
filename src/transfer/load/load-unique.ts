// Checks unique values among the items to load and on the site.
import { and, equals, oneOf, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Reader } from '../../model/store.js';
import type { Shape } from '../dump/dump-shape.js';
import type { Item } from './load-item.js';
import { addTo } from '../wxr-file/wxr-text.js';
import type { IndexModel } from '../../model/table.js';

/** A row about to be written, with its item. */
export interface Candidate {
  item: Item;
  row: Row;
}

/** Finds duplicates of unique values. */
export class UniqueValues {
  private readonly seen = new Map<string, Set<string>>();

  /** Calls `refuse` for every row whose unique values are taken. */
  async check(
    candidates: readonly Candidate[],
    reader: Reader,
    refuse: (item: Item, reason: string) => void,
  ): Promise<void> {
    for (const shape of new Set(candidates.map(({ item }) => item.shape))) {
      const own = candidates.filter(({ item }) => item.shape === shape);
      for (const index of shape.table.indexes.values()) {
        if (!index.unique) continue;
        const complete = own.filter(({ row }) =>
          index.columns.every((name) => row[name] !== null && row[name] !== undefined),
        );
        const fresh = complete.filter((candidate) => this.isFirst(index, candidate, refuse));
        await checkStored(shape, index, fresh, reader, refuse);
      }
    }
  }

  private isFirst(index: IndexModel, { item, row }: Candidate, refuse: (item: Item, reason: string) => void): boolean {
    const seen = this.seen.get(index.name) ?? new Set<string>();
    this.seen.set(index.name, seen);
    const key = JSON.stringify(index.columns.map((name) => row[name]));
    if (seen.has(key)) refuse(item, `${description(item.shape, index, row)} comes a second time`);
    return !seen.has(key) && Boolean(seen.add(key));
  }
}

async function checkStored(
  { table }: Shape,
  index: IndexModel,
  candidates: readonly Candidate[],
  reader: Reader,
  refuse: (item: Item, reason: string) => void,
): Promise<void> {
  const [last, ...before] = [...index.columns].reverse() as [string, ...string[]];
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates)
    addTo(groups, JSON.stringify(before.map((name) => candidate.row[name])), candidate);
  for (const group of groups.values()) {
    const shared = before.map((name) => equals(name, group[0]!.row[name] as Scalar));
    const byValue = new Map(group.map((candidate) => [candidate.row[last] as Scalar, candidate]));
    const where = and(...shared, oneOf(last, [...byValue.keys()]));
    const rows = await reader.select({ table: table.name, columns: ['id', last], where, order: [] });
    for (const found of rows) {
      const { item, row } = byValue.get(found[last]) ?? group[0]!;
      refuse(item, `${description(item.shape, index, row)} belongs to ${item.shape.name} ${found['id']} already`);
    }
  }
}

function description(shape: Shape, index: IndexModel, row: Row): string {
  return index.columns
    .filter((name) => !(name in shape.constants))
    .flatMap((name) => comparedColumns(shape, name))
    .map((name) => `${name} ${JSON.stringify(row[name])}`)
    .join(', ');
}

/** The columns whose values a unique column covers: itself, or those of which it is a digest. */
export function comparedColumns({ model }: Shape, column: string): string[] {
  const unique = model?.uniques.find((each) => each.digest && each.column === column);
  return unique ? unique.fields.map((field) => field.column!) : [column];
}
