// One request as the engine processes it: data that is completed from phase to phase.
import type { Actor } from './actor.js';
import type { ResourceModel } from './model.js';
import type { QueryRequest } from './query-language.js';
import type { Row } from './query.js';
import type { Context, OperationKind, Scalar } from './schema/schema.js';
import type { Site } from './site/site.js';
import type { Reader, Transaction } from './store.js';
import type { TextRunner } from './runtime/texts.js';
import type { UploadedFile, StoredUpload } from './site/file-storage.js';
import type { FieldSelection, Withheld } from './shown.js';

/** Representation of an item as returned to a client: field name to value. */
export type View = Record<string, any>;

/** Read access of a caller to an item: none, as in the context `view`, or as in the context `edit`. */
export type ReadAccess = 'none' | 'view' | 'edit';

/** A request for one operation. */
export interface Operation {
  readonly model: ResourceModel;
  readonly kind: OperationKind;
  /** Item key of the path: a positive integer, 0 when it is not a valid id, or a string for string keys. */
  id: number | string;
  /** Id of the parent in the path. */
  parentId: number;
  /** Validated parameters of the query (list, retrieve, delete). */
  params: Record<string, any>;
  /** The query of a read in the query language; absent without one. */
  query?: QueryRequest;
  /** Validated body, by field name; unknown and read-only names are removed. */
  values: Record<string, unknown>;
  /** Body before validation, for steps about names that are not fields. */
  raw: Record<string, unknown>;
  context: Context;
  /** Fields requested with `_fields`; undefined for all. */
  fields?: FieldSelection;
  actor: Actor;
  site: Site;
  /** Reader of the database; the transaction inside a write. */
  store: Reader;
  /** The transaction of a write. */
  tx?: Transaction;
  /** Row of the parent, once loaded. */
  parent?: Row;
  /** Retrieve operation of that parent, whose permissions apply to its children. */
  above?: Operation;
  /** Results of the row rules on the current row, by rule name. */
  ruleResults: Record<string, boolean>;
  /** Limits what a read may load; absent where the result is not sent to a client. */
  budget?: OutputBudget;
  /** Uploaded file, received but not stored yet. */
  file?: UploadedFile;
  /** Request headers that content rules read, in lower case. */
  headers: Record<string, string | undefined>;
  /** Set for importers: no moderation, no permission checks; given ids, columns and sets are kept. */
  trusted?: { id?: number; columns?: Row; sets?: Readonly<Record<string, Scalar[]>> };
  /** Compensating actions to run when the write fails after slow work was done. */
  compensations: (() => Promise<void>)[];
  /** The `Idempotency-Key` of the request with the fingerprint of its content. */
  idempotency?: { key: string; fingerprint: string };
  /** Runs functions on texts that may be large; set while a client's write runs. */
  runText?: TextRunner;
  /** What was found out so far. */
  state: OperationState;
  /** Rows of referenced items, by table and id, loaded once per response. */
  related: Map<string, Map<number, Row>>;
}

/**
 * What the engine and the traits find out while an operation runs. Each member is set in one phase and read in later
 * ones.
 */
export interface OperationState {
  /** A password opened the response: it is for this caller alone. */
  confidential?: boolean;
  /** The same request may get another response without any change of the data: a random order. */
  volatile?: boolean;
  /** What the caller may not see of the rows presented last. */
  withheld?: Withheld | undefined;
  /** Further headers of the response to a creation. */
  headers?: Record<string, string>;
  /** Methods that the caller may use on the item. */
  allow?: readonly string[];
  /** The key by which the item was looked for; `id` is that of its row once it is loaded. */
  sought?: number | string;
  /** Id of the item whose password opened the list of what belongs to it. */
  opened?: number;
  /** Row of the item that a new item is about, loaded by the check of permissions. */
  target?: Row;
  /** The file of a creation, once it is stored. */
  upload?: StoredUpload;
  /** Whether the item is moved into the trash or out of it. */
  trash?: 'entered' | 'left';
  /** The slug that an item out of the trash had before. */
  restoredSlug?: string;
  /** Columns of the row as they were about to be written. */
  written?: Row;
  /** The columns of the draft, from before it was complete. */
  drafted?: Row;
  /** Hooks of extensions that have set columns of the draft, by column. */
  setters?: Map<string, string>;
  /** Whether this is the second attempt of a write whose unique values another item had. */
  repeats?: boolean;
  /** Pending reads of the default terms of a creation, by field name. */
  defaultTerms?: ReadonlyMap<string, Promise<Row | undefined>>;
  /** The revision with the latest date of the item that is updated. */
  latestRevision?: Promise<Row | undefined>;
  /** Whether an update changed meta. */
  metaChanged?: boolean;
  /** The to-many relations written, by field name. */
  sets?: Map<string, SetChange>;
}

/** Values of a to-many relation of an item before and after a write. */
export interface SetChange {
  before: readonly Scalar[];
  after: readonly Scalar[];
}

/** Limits the size of one response. */
export interface OutputBudget {
  /** Stored bytes counted so far. */
  readonly bytes: number;
  /**
   * Counts stored bytes that are about to be loaded. Returns a promise while the process has no memory for them.
   * @throws ResourceError 413 when the response would become too large; the promise rejects with 503 when no memory is
   * freed
   */
  take(bytes: number): Promise<void> | undefined;
}

/** The result of an operation; http/ adds headers and links and sends it. */
export interface Result {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Total number of items, of a list. */
  total?: number;
  totalPages?: number;
  page?: number;
  /** Of a list by cursor: where the next page begins, null for the last one. */
  next?: string | null;
  /** Version of the returned item; of one that the caller sees in part, a digest of that part. */
  version?: number | string;
  /** Methods that the caller may use on this route. */
  allow?: readonly string[];
  /** It is known to be small: its serialization needs no time slices. */
  isSmall?: boolean;
}

/** A pending change: the values sent, the columns to write, the relations to replace. */
export interface Draft {
  /** Coerced values sent by the client, by field name. */
  values: Record<string, unknown>;
  /** Columns to write. */
  row: Row;
  /** To-many relations to replace, by field name. */
  many: Record<string, Scalar[]>;
  /** The targets of those that were looked up, in the order in which they are shown. */
  shown?: Record<string, number[]>;
  /** Meta keys to write, by field name. */
  meta: Record<string, Record<string, unknown>>;
}
