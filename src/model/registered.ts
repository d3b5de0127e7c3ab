// Registries of field types, traits, filters, functions and pipelines: the built-in ones, and those that the extensions of a
// site add while its schema files are compiled.
import type { Hooks, OwnActionModel } from './hooks.js';
import type { ComputedFunction, FieldType, Filter, Pipeline } from './registry.js';
import type { ParamSchema } from './schema/schema.js';
import type { RuleSchema } from './schema/permission-schema.js';
import type { ValueSchema } from './schema/value-schema.js';
import type { Report } from './option-check.js';
import type { Trait } from './trait.js';

/** Hooks for the items of some resources. */
export interface AddedHooks {
  /** Name of the extension, for messages. */
  name: string;
  /** Resources by name; `*` stands for all. */
  resources: readonly string[];
  hooks: Partial<Hooks>;
  /** Reports a problem of them, with its place in the file of the extension. */
  report: Report;
  /** They lock what they decide about: writes of the resource may run concurrently. */
  sideBySide: boolean;
}

/** The resources whose events a listener of an extension gets. */
export interface AddedListener {
  /** By name; `*` stands for all. */
  resources: readonly string[];
  report: Report;
}

/** An action of a resource. */
export interface AddedAction {
  name: string;
  resource: string;
  on: 'item' | 'collection';
  description: string;
  /** Members of the body, by name. */
  body: Readonly<Record<string, ParamSchema>>;
  needs: RuleSchema;
  /** Error code for callers who may not use it. */
  error: string;
  returns?: ValueSchema;
  run: OwnActionModel['run'];
  /** Reports a problem of it, with its place in the file of the extension. */
  report: Report;
  /** Something that may not be intended, with its place in the file of the extension. */
  warning(message: string, hint?: string): AddedProblem;
}

/** A problem of an extension, with its place. */
export interface AddedProblem {
  file: string;
  line?: number;
  message: string;
  hint?: string;
}

/** What the extensions of one site add. */
export interface Additions {
  readonly fields: ReadonlyMap<string, FieldType>;
  readonly functions: ReadonlyMap<string, ComputedFunction>;
  readonly filters: ReadonlyMap<string, Filter>;
  readonly traits: ReadonlyMap<string, Trait>;
  readonly pipelines: ReadonlyMap<string, Pipeline>;
  readonly hooks: readonly AddedHooks[];
  readonly actions: readonly AddedAction[];
  readonly listeners: readonly AddedListener[];
  /** Problems that were reported since the last call. */
  problems(): AddedProblem[];
}

/** The maps of `Additions`. */
export type AddedKind = 'fields' | 'functions' | 'filters' | 'traits' | 'pipelines';

/** Those of a site without extensions. */
export const NO_ADDITIONS: Additions = {
  fields: new Map(),
  functions: new Map(),
  filters: new Map(),
  traits: new Map(),
  pipelines: new Map(),
  hooks: [],
  actions: [],
  listeners: [],
  problems: () => [],
};

let inUse: Additions = NO_ADDITIONS;

/** The additions of the site whose files are being compiled. */
export function additionsInUse(): Additions {
  return inUse;
}

/**
 * Runs `work` with these additions in the registries. It must be synchronous, because sites of one process have
 * additions of their own.
 */
export function withAdditions<T>(additions: Additions = NO_ADDITIONS, work: () => T): T {
  const before = inUse;
  inUse = additions;
  try {
    return work();
  } finally {
    inUse = before;
  }
}

/** A registry by name. */
export class Registered<T> implements ReadonlyMap<string, T> {
  private readonly merged = new WeakMap<Additions, ReadonlyMap<string, T>>();

  constructor(
    private readonly kind: AddedKind,
    private readonly own: ReadonlyMap<string, T>,
  ) {}

  get size(): number {
    return this.all.size;
  }

  /** The entries without those of extensions. */
  get builtIn(): ReadonlyMap<string, T> {
    return this.own;
  }

  get(name: string): T | undefined {
    return this.own.get(name) ?? (inUse[this.kind] as ReadonlyMap<string, T>).get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  keys(): MapIterator<string> {
    return this.all.keys();
  }

  values(): MapIterator<T> {
    return this.all.values();
  }

  entries(): MapIterator<[string, T]> {
    return this.all.entries();
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.all.entries();
  }

  forEach(run: (value: T, name: string, map: ReadonlyMap<string, T>) => void): void {
    this.all.forEach((value, name) => run(value, name, this));
  }

  private get all(): ReadonlyMap<string, T> {
    if (inUse === NO_ADDITIONS) return this.own;
    let all = this.merged.get(inUse);
    if (!all) this.merged.set(inUse, (all = new Map([...(inUse[this.kind] as ReadonlyMap<string, T>), ...this.own])));
    return all;
  }
}
