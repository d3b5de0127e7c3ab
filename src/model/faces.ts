// What the traits of a resource offer to the rest of the engine and to each other. Code that reads a face knows
// no trait, option or column by name. Compiled at start.
import type { Actor } from './actor.js';
import type { AuditEntry } from './audit.js';
import type { Content } from './content.js';
import type { AuditFinding } from './hooks.js';
import type { Operation } from './operation.js';
import type { Predicate, Row } from './query.js';
import type { TextWork } from './runtime/texts.js';
import type { Site } from './site/site.js';
import type { Reader, Transaction } from './store.js';
import type { SiteSettings } from './site/site-settings.js';

/** The faces of one resource, each given by at most one of its traits. */
export interface Faces {
  accounts?: AccountsFace;
  upload?: UploadFace;
  dates?: DatesFace;
  trash?: TrashFace;
  publication?: PublicationFace;
  states?: StatesFace;
  tree?: TreeFace;
  /** Items may have a password, in this column; empty without one. */
  password?: { readonly column: string };
  /** Items count what they classify, in this column. */
  counter?: { readonly column: string };
  counted?: CountedFace;
  /** Whether an item can never be deleted: the default term. */
  stays?(row: Row, site: Site): boolean;
  name?: NameFace;
  copies?: CopiesFace;
  audit?: AuditFace;
  webhook?: WebhookFace;
  delivery?: DeliveryFace;
  /** Prefetches what the hooks will read, in the transaction of an update before its item is loaded. */
  ahead?(op: Operation): void;
  /**
   * Conditions that the hook `authorize` checks on a stored row: it takes the results from `op.ruleResults` under these
   * names, and queries them itself where they are missing.
   */
  asked?(actor: Actor): Readonly<Record<string, Predicate>>;
}

/** Items are the accounts of the site. */
export interface AccountsFace {
  /** Names of the fields. */
  readonly fields: Readonly<Record<'username' | 'email' | 'password' | 'roles' | 'extra', string>>;
  /** Unique columns with the account keys of username and e-mail address (`model/functions/account-key.ts`). */
  readonly keys: Readonly<Record<'username' | 'email', string>>;
  /** Capability without which roles cannot be changed. */
  readonly promote: string;
  /** Whether no other account than these could change roles. */
  holdAll(ids: readonly number[], reader: Reader, site: Pick<Site, 'roleNames' | 'capabilitiesOf'>): Promise<boolean>;
}

/** Items form a tree. */
export interface TreeFace {
  /** Column of the reference to the parent. */
  readonly parent: string;
  /** Moves away what is below rows that are about to be deleted; what it returns is run when they are. */
  moveChildrenUp(ids: readonly number[], tx: Transaction, texts: TextWork): Promise<() => Promise<void>>;
}

/** Items have a name that is made unique. */
export interface NameFace {
  readonly column: string;
  /** The name that an item would get from these values by field name, if it is free; empty where they give none. */
  wanted(values: Readonly<Record<string, unknown>>, op: Operation): string;
  /** The name of a row that was like `before`, made unique if it must now be unique among others. */
  free(row: Row, before: Row, tx: Transaction): Promise<string>;
}

/** Creating an item takes a file. */
export interface UploadFace {
  /** Columns with the storage key, the MIME type, and the details as JSON. */
  readonly columns: Readonly<Record<'key' | 'mime' | 'details', string>>;
  /** Files are served only to callers who may read the item. */
  readonly private: boolean;
  /** How the public files of a row become private: the keys to move from and to, and the new columns. */
  closed(row: Row): { keys: [from: string, to: string][]; columns: Row } | undefined;
  /** Storage keys of the file of a row and of its resized copies. */
  keysOf(row: Row): string[];
  /** Rows that may have a file; `keysOf` of each decides. */
  candidates(key: string): Predicate;
  /**
   * Inspects a file of this machine and stores it with its resized copies; resolves with the columns of its row. `keys`
   * receives what is reserved, at once: the caller commits or removes it. Rejects with an Error with the reason why a
   * file is refused.
   */
  store(
    file: { path: string; name: string; folder: string },
    site: Pick<Site, 'files' | 'imageSizes'>,
    keys: string[],
  ): Promise<Row>;
}

/** Items have dates that follow their writes. */
export interface DatesFace {
  /** Columns of the dates. */
  readonly columns: readonly string[];
  /** Column that says whether the date of an item follows each of its writes. */
  readonly floating?: string;
  /** Columns that a change outside of an update sets. */
  touched(op: Operation): Row;
  /** What a row lacks of pairs of local and GMT dates of which it has one; `zone` is the time zone of the site. */
  paired(row: Row, zone: string): Row;
}

/** Items can be put into the trash. */
export interface TrashFace {
  /** Status of items in the trash. */
  readonly status: string;
  /** Column of the status. */
  readonly column: string;
  /** The list parameter that selects them, where the resource has it, and its value. */
  readonly param: { readonly name: string; readonly value: string };
  /** Rows in the trash. */
  readonly rows: Predicate;
  /** Moves an item there, with what is hidden along with it; `op` is an operation on its resource. */
  move(row: Row, op: Operation): Promise<void>;
  /** Columns of an item in the trash that had this status and slug before; `at`: since when, as stored. */
  columns(before: { status: string; slug: string; at?: string }): Row;
  /** Columns of an item of another resource that is hidden along with ours; undefined where it stays. */
  hides(resource: string, status: string): Row | undefined;
}

/** Clients move items from one state to another, and list them by state. */
export interface StatesFace {
  /** The field that is sent. */
  readonly field: string;
  /** The list parameter. */
  readonly param: string;
  readonly values: readonly State[];
}

/** A state that a client may send. */
export interface State {
  readonly value: string;
  /** What the list parameter calls it. */
  readonly listed: string;
  /** Items in it wait for a decision or for their date. */
  readonly waits?: boolean;
}

/** Writing and publishing an item need different capabilities. */
export interface PublicationFace {
  /** Whether an item in this status waits for another account to publish it, which also decides its slug. */
  isUndecided(status: unknown, actor: Actor): boolean;
  /** Whether a row is published. */
  isPublished(row: Row): boolean;
}

/** Items are copies of their parent: a caller who may not read a field of the parent may not read its copy. */
export interface CopiesFace {
  /** Names of the fields, of the item as of its parent. */
  readonly fields: readonly string[];
  /** Further members of responses that reveal the fields, keyed by their names. */
  readonly shown: readonly string[];
}

/** Other items count these. */
export interface CountedFace {
  /** Fields of type references that lead to the counting items. */
  readonly fields: readonly string[];
  /** Rows that count. */
  readonly rows: Predicate;
}

/** What entries depend on besides what happened: the time in milliseconds, and how texts are stored. */
type AuditSite = { now(): number } & NonNullable<TextWork['site']>;

/** Items are the entries of the audit log. */
export interface AuditFace {
  /** The row of an entry: its columns as stored. */
  row(entry: AuditEntry, actor: Actor, site: AuditSite): Row;
}

/** Items are webhooks: URLs that receive events. */
export interface WebhookFace {
  /** Columns of a webhook. */
  readonly columns: Readonly<Record<WebhookColumn, string>>;
}

type WebhookColumn = 'url' | 'secret' | 'former' | 'formerUntil' | 'events' | 'resources' | 'fields' | 'active';

/** Items are deliveries of events to webhooks. */
export interface DeliveryFace {
  readonly columns: Readonly<Record<DeliveryColumn, string>>;
  /** The resource with the webhooks. */
  readonly of: string;
}

export type DeliveryColumn =
  | 'target'
  | 'event'
  | 'kind'
  | 'resource'
  | 'item'
  | 'payload'
  | 'state'
  | 'attempts'
  | 'due'
  | 'responseStatus'
  | 'error'
  | 'took'
  | 'date'
  | 'done';

/** A background task of a trait. */
export interface TaskModel {
  /** `due`: every second; `sweep`: every ten minutes. */
  readonly when: 'due' | 'sweep';
  run(content: Content): Promise<void>;
}

/** Whether the resource had a field before the trait was added. */
export type HadField = (name: string) => boolean;

/** What the work on a row may use; `now` is UTC, to the second. */
export interface Adopting {
  tx: Transaction;
  settings: Readonly<SiteSettings>;
  now: string;
  had: HadField;
}

/** The work of a trait on existing items. Rows are complete; what is returned is written. */
export interface Adoption {
  /** Why it cannot adopt them, and what to do; called for resources with items before anything is changed. */
  obstacle?(reader: Reader, had: HadField): Promise<{ message: string; hint: string } | undefined>;
  /** Columns of one row; rows come by their ids, and may come again after an interruption. */
  row?(row: Row, means: Adopting): Promise<Row> | Row;
  /** What is left to repair once every row is done. */
  finish?(reader: Reader): Promise<AuditFinding[]>;
}
