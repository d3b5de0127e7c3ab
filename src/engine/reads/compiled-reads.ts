// Lists and items compiled at their first use: one entry per resource, caller and parameters. What cannot be decided for
// all such requests is read as if there were no compiled reads.
import { LRUCache } from 'lru-cache';
import { ruleTimeReads } from '../../model/runtime/clock.js';
import { chain } from '../../model/runtime/chain.js';
import type { Operation, Result } from '../../model/operation.js';
import { rulesOf, type CallerRules } from '../rights/predicate-for.js';
import { CompiledItem } from './compiled-item.js';
import { CompiledList } from './compiled-list.js';
import { canRun, isCompilable } from './loaded-rows.js';
import type { SiteSettings } from '../../model/site/site-settings.js';

/**
 * Maximum number of cached compiled reads. One takes about ten kilobytes, a search with a thousand results twice as
 * much.
 */
const MAX_CACHED = 1_000;
/** Maximum length of the parameters of a cached one. */
const LONGEST_KEY = 500;

type Shape = CompiledList | CompiledItem;

/** A compiled read; null: being compiled, or not possible. */
interface Entry {
  shape: Shape | null;
  /** Parameters that requests of the shape have in common. */
  params: Operation['params'];
  query: Operation['query'];
  context: Operation['context'];
  fields: Operation['fields'];
}

/** The key of a compiled read, and the parts of a request that differ from one to the next. */
export interface CompiledKey {
  /** Stands for the parameters of the request. */
  text: string;
  /** Number of the page. */
  page: number | undefined;
  cursor: string | undefined;
}

/** The compiled reads of one process. */
export class CompiledReads {
  /** An internal switch, for comparisons with the general way. */
  enabled = true;
  private readonly cache = new LRUCache<string, Entry>({ max: MAX_CACHED });
  private readonly callers = new WeakMap<CallerRules, number>();
  private lastCaller = 0;
  private settings: Readonly<SiteSettings>;

  constructor(private readonly site: { readonly settings: Readonly<SiteSettings> }) {
    this.settings = site.settings;
  }

  /**
   * The result of a read that has been compiled; undefined: it has to be made in the general way. `bare` is its
   * operation with key and caller alone; `complete` makes the whole operation, to compile it.
   */
  run(
    bare: Operation,
    { text: key, page, cursor }: CompiledKey,
    complete: () => Operation,
  ): Result | undefined | Promise<Result | undefined> {
    // The scope of a credential is not part of the key.
    if (bare.actor.scope) return undefined;
    if (!this.enabled || key.length > LONGEST_KEY || !isCompilable(bare.model) || !canRun(bare.store)) return undefined;
    if (this.settings !== this.site.settings) this.cache.clear();
    this.settings = this.site.settings;
    const fullKey = `${bare.kind} ${bare.model.route} ${this.callerOf(bare)} ${key}`;
    const entry = this.cache.get(fullKey);
    if (!entry) this.compile(fullKey, complete);
    if (!entry?.shape) return undefined;
    bare.params = bare.kind === 'list' ? { ...entry.params, page } : entry.params;
    if (entry.query) bare.query = cursor === undefined ? entry.query : { ...entry.query, cursor };
    bare.context = entry.context;
    if (entry.fields) bare.fields = entry.fields;
    const reads = ruleTimeReads();
    return chain(entry.shape.run(bare), (result) => {
      if (reads !== ruleTimeReads()) bare.state.volatile = true;
      return result;
    });
  }

  private callerOf({ actor }: Operation): number {
    const rules = rulesOf(actor);
    let number = this.callers.get(rules);
    if (number === undefined) this.callers.set(rules, (number = ++this.lastCaller));
    return number;
  }

  // Runs concurrently with the request, which is handled in the general way.
  private compile(key: string, complete: () => Operation): void {
    const { settings } = this;
    let op: Operation;
    try {
      op = complete();
    } catch {
      // The general way reports it.
      return;
    }
    const entry: Entry = { shape: null, params: op.params, query: op.query, context: op.context, fields: op.fields };
    this.cache.set(key, entry);
    const compiling: Promise<Shape | undefined> = op.kind === 'list' ? CompiledList.of(op) : CompiledItem.of(op);
    const done = (shape: Shape | undefined) => {
      // With other settings it would be a different read.
      if (shape && settings === this.site.settings) entry.shape = shape;
      else if (shape) this.cache.delete(key);
    };
    compiling.then(done, () => undefined);
  }
}
