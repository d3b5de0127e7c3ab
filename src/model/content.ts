// Writes of the server itself: no permission checks, given ids and columns are kept.
import type { ModelSet } from './model.js';
import type { Row } from './query.js';
import type { Scalar } from './schema/schema.js';
import type { Site } from './site/site.js';
import type { Store, Transaction } from './store.js';

/** Options of such a write. */
export interface ImportOptions {
  /** Id to use; must be free. */
  id?: number;
  /** Parent of a nested resource. */
  parentId?: number;
  /** Columns written unchanged, after the traits have run. */
  columns?: Row;
  /** Values of to-many relations by field, written unchanged, after the traits have run. */
  sets?: Readonly<Record<string, Scalar[]>>;
  /** Account id of the owner, for traits that default to the caller. */
  as?: number;
}

/** One transaction of such writes. */
export interface ContentBatch {
  readonly tx: Transaction;
  /** The first row of a resource whose columns equal the given values. */
  find(resource: string, where: Record<string, Scalar>): Promise<Row | undefined>;
  /**
   * Announces the values of items that will be created, by field name, so that the traits' queries about them are sent
   * together.
   */
  expect(resource: string, items: readonly Record<string, unknown>[]): Promise<void>;
  /** Creates an item; values are by field name. Returns its id. */
  create(resource: string, values: Record<string, unknown>, options?: ImportOptions): Promise<number>;
  /** Updates an item. */
  update(resource: string, id: number, values: Record<string, unknown>, options?: ImportOptions): Promise<void>;
  /** Permanently deletes an item and its dependent rows. */
  remove(resource: string, id: number): Promise<void>;
}

/** The content of a site. */
export interface Content {
  readonly models: ModelSet;
  readonly store: Store;
  readonly site: Site;
  /** Reads the first row of a resource whose columns equal the given values, outside a transaction. */
  find(resource: string, where: Record<string, Scalar>): Promise<Row | undefined>;
  /** Runs `work` in one transaction. */
  batch<T>(work: (batch: ContentBatch) => Promise<T>): Promise<T>;
}
