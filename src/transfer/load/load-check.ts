// First pass of load: validates every line before anything is written.
import type { ContentWriter } from '../../engine/content-writer.js';
import { isLarger } from '../../engine/writes/text-sizes.js';
import type { Site } from '../../model/site/site.js';
import type { Shape } from '../dump/dump-shape.js';
import { turnOf, type Item } from './load-item.js';
import { alreadyThere } from './load-existing.js';
import type { LoadProblems } from './load-problems.js';
import { References } from './load-references.js';
import { restoredKeys, restoredRow } from './load-rows.js';
import { madeOf, rehearse } from './load-sent.js';
import { Trees } from './load-trees.js';
import { UniqueValues, type Candidate } from './load-unique.js';

/** Items, and characters of their lines, from which a batch is full. */
const MAX_ITEMS = 500;
const MAX_WEIGHT = 2 * 1024 * 1024;
/** Upper bound of the bytes of an item per character of its line. */
const MAX_GROWTH = 16;

/** Validates items in batches and collects their problems. */
export class LoadCheck {
  /** Ids by table that will exist after the load, with the shapes of their lines. */
  readonly ids = new Map<string, Map<number, Shape>>();
  /** Ids by table of items that exist already. */
  readonly there = new Map<string, Set<number>>();
  /** Number of new and of existing items by resource. */
  readonly fresh = new Map<string, number>();
  readonly known = new Map<string, number>();
  /** Tables of items, and of entries, whose ids the database will generate. */
  private readonly unnumbered = { items: new Set<string>(), entries: new Set<string>() };
  private readonly references = new References();
  private readonly trees = new Trees();
  private readonly unique = new UniqueValues();
  /** Singletons of lines of one's own. */
  private readonly single = new Set<Shape>();
  private items: Item[] = [];
  private weight = 0;

  constructor(
    private readonly writer: ContentWriter,
    private readonly problems: LoadProblems,
  ) {}

  /** Selects the items of each pass, by `turnOf`; a single pass where lines give all ids or none. */
  get order(): ((item: Item) => boolean)[] {
    const areGiven = (table: string) => this.ids.has(table);
    const { items, entries } = this.unnumbered;
    if (![...items, ...entries].some(areGiven)) return [() => true];
    const turns = [0, ...([...entries].some(areGiven) ? [1] : []), ...(items.size > 0 ? [2] : [])];
    return turns.map((turn) => (item) => turnOf(item, areGiven) === turn);
  }

  /** Adds an item that is valid by itself; checks a full batch against the others. */
  async add(item: Item): Promise<void> {
    if (!this.claimIds(item)) return;
    this.noteUnnumbered(item);
    this.references.note(item);
    this.trees.note(item);
    this.items.push(item);
    this.weight += item.weight;
    if (this.items.length >= MAX_ITEMS || this.weight >= MAX_WEIGHT) await this.flush();
  }

  /** Checks the last batch, then references. Returns warnings about dangling references in a dump. */
  async finish(): Promise<string[]> {
    await this.flush();
    for (const member of this.trees.loops())
      this.problems.add(member, `${member.field} names the item itself or one below it`);
    const notes: string[] = [];
    for (const wish of await this.references.dangling(this.ids, this.writer.store.reader)) {
      const reason = `${wish.field} names ${wish.id}, which is no ${wish.of} on the site or in what is loaded`;
      if (wish.restored) notes.push(`${wish.field} names an item that is not there, as it did in the dump`);
      else this.problems.add(wish, reason);
    }
    return notes;
  }

  private noteUnnumbered({ shape, id, entries = [] }: Item): void {
    const { items, entries: tables } = this.unnumbered;
    if (id === undefined) items.add(shape.table.name);
    if (entries.some((entry) => entry.id === undefined)) tables.add(shape.meta!.table);
  }

  private claimIds(item: Item): boolean {
    const { shape } = item;
    const entries = (item.entries ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
    const own = item.id === undefined ? [] : [item.id];
    const [twice] = [
      ...repeated(this.ids, shape.table.name, own, shape),
      ...repeated(this.ids, shape.meta?.table ?? '', entries, shape),
    ];
    if (twice !== undefined) this.problems.add(item, `the id ${twice} comes a second time`);
    return twice === undefined;
  }

  /** Whether a line of one's own is another item of a resource that has one: only the first one would be shown. */
  private async isSecond({ shape, restored }: Item): Promise<boolean> {
    const { model, table } = shape;
    if (restored || !model?.singleton) return false;
    if (this.single.has(shape)) return true;
    this.single.add(shape);
    return (await this.writer.store.reader.first(table.name, ['id'], model.rowScope)) !== undefined;
  }

  private async flush(): Promise<void> {
    const items = this.items.splice(0);
    this.weight = 0;
    const { store, site } = this.writer;
    const refused = new Set<Item>();
    const refuse = (item: Item, reason: string) => {
      if (!refused.has(item)) this.problems.add(item, reason);
      refused.add(item);
    };
    const rowMade = (item: Item) => madeOf(item, this.writer);
    const same = await alreadyThere(items, site, store.reader, refuse, rowMade);
    for (const { id, shape } of same) addId(this.there, shape.table.name, id!);
    const fresh = items.filter((item) => !same.has(item) && !refused.has(item));
    for (const item of fresh) if (await this.isSecond(item)) refuse(item, onlyOne(item.shape));
    for (const { shape } of fresh) raise(this.fresh, shape.name);
    for (const { shape } of same) raise(this.known, shape.name);
    const sent = await rehearse(
      fresh.filter((item) => !item.restored),
      this.writer,
      refuse,
    );
    const asDumped = fresh.filter((item) => item.restored);
    for (const item of asDumped) if (isTooLarge(item, site)) refuse(item, tooLarge(site));
    const restored = asDumped.map((item): Candidate => ({ item, row: restoredKeys(item) }));
    await this.unique.check([...restored, ...sent], store.reader, refuse);
  }
}

/** Adds ids to those of a table; returns the duplicates. */
function repeated(all: Map<string, Map<number, Shape>>, table: string, ids: readonly number[], shape: Shape): number[] {
  if (ids.length === 0) return [];
  let known = all.get(table);
  if (!known) all.set(table, (known = new Map()));
  return ids.filter((id) => known.size === known.set(id, shape).size);
}

function onlyOne({ name, model }: Shape): string {
  return `there is one ${name} only, and it is there already: change it at /${model!.path}`;
}

function raise(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function addId(all: Map<string, Set<number>>, table: string, id: number): void {
  const known = all.get(table);
  if (known) known.add(id);
  else all.set(table, new Set([id]));
}

/** Whether a statement that writes the item, with the texts derived from its own, exceeds the limit of the database. */
function isTooLarge(item: Item, site: Site): boolean {
  const { statementBytes: most = Infinity } = site;
  // Deriving texts is slow, and needed only for lines that may come near the limit.
  if (item.weight <= most / MAX_GROWTH) return false;
  const entries = (item.entries ?? []).map(({ value }) => [value]);
  return [Object.values(restoredRow(item, site)), ...entries].some((values) => isLarger(values, most));
}

function tooLarge({ statementBytes }: Site): string {
  return `its texts, with what is made of them, come to more than ${statementBytes} bytes, which is all that the database takes at once`;
}
