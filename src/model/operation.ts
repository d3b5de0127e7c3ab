// One request as the engine sees it: data that grows from phase to phase.
import type { Actor } from './actor.js';
import type { ResourceModel } from './model.js';
import type { Row } from './query.js';
import type { Context, OperationKind } from './schema.js';
import type { Site } from './site.js';
import type { Reader, Transaction } from './store.js';

/** What a client gets: field name to value. */
export type View = Record<string, any>;

/** A request for one operation. */
export interface Operation {
  readonly model: ResourceModel;
  readonly kind: OperationKind;
  /** Item key of the path: a positive integer, 0 when it names nothing, or a string for string keys. */
  id: number | string;
  /** Id of the parent in the path. */
  parentId: number;
  /** Validated parameters of the query (list, retrieve, delete). */
  params: Record<string, any>;
  /** Validated body, by field name; unknown and read-only names are gone. */
  values: Record<string, unknown>;
  /** Raw body before validation, for `given` checks of names that are not fields. */
  raw: Record<string, unknown>;
  context: Context;
  /** Fields asked for with `_fields`, or undefined for all. */
  fields?: FieldSelection;
  actor: Actor;
  site: Site;
  /** Reads; inside a write the transaction. */
  store: Reader;
  /** The transaction of a write. */
  tx?: Transaction;
  /** The parent's row, once resolved. */
  parent?: Row;
  /** Results of row rules on the current row: rule name to yes or no. */
  may: Record<string, boolean>;
  /** An uploaded file, received and not yet stored. */
  file?: UploadedFile;
  /** Headers of the request that content rules look at, lower-case. */
  headers: Record<string, string | undefined>;
  /** An importer writes: no moderation, no refusals for lack of rights, given ids and columns are kept. */
  trusted?: { id?: number; columns?: Row };
  /** What to take back when the write fails after its slow work was done. */
  undo: (() => Promise<void>)[];
  /** `Idempotency-Key` of the request with what it was sent with (decisions 0.23). */
  idempotency?: { key: string; fingerprint: string };
  /** Data that traits hand from one phase to the next. */
  notes: Record<string, any>;
  /** Rows of referenced items, by table and id, loaded once per answer. */
  related: Map<string, Map<number, Row>>;
}

/** A file that came with the request. */
export interface UploadedFile {
  path: string;
  size: number;
  md5: string;
  filename?: string;
  form: 'raw' | 'multipart';
  remove(): Promise<void>;
}

/** A parsed `_fields` parameter (decisions 5.7). */
export interface FieldSelection {
  /** The same for the same fields in the same order. */
  readonly key: string;
  has(name: string): boolean;
  /** Keeps the named members only. */
  pick(view: View): View;
}

/** What an operation answers; http/ adds the envelope and writes it. */
export interface Result {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Totals of a list (decisions 6). */
  total?: number;
  totalPages?: number;
  page?: number;
  /** Version of the item shown (decisions 0.22). */
  version?: number;
  /** Methods the caller may use on this route (decisions 4.3). */
  allow?: readonly string[];
}
