// What the traits of a resource offer to the rest of the engine and to each other. Whoever reads a face knows no trait,
// no option and no column by name. Compiled at boot.
import type { Actor } from './actor.js';
import type { Content } from './content.js';
import type { Operation } from './operation.js';
import type { Predicate, Row } from './query.js';

/** The faces of one resource, each given by at most one of its traits. */
export interface Faces {
  accounts?: AccountsFace;
  upload?: UploadFace;
  dates?: DatesFace;
  trash?: TrashFace;
  publication?: PublicationFace;
  /** Items form a tree. */
  tree?: { readonly parent: string };
  /** Items may have a password, in this column; empty without one. */
  password?: { readonly column: string };
  /** Items count what they classify, in this column. */
  counter?: { readonly column: string };
  counted?: CountedFace;
}

/** Items are the accounts of the site. */
export interface AccountsFace {
  /** Names of the fields. */
  readonly fields: Readonly<Record<'username' | 'email' | 'password' | 'roles' | 'extra', string>>;
  /** Unique columns with the account keys of login and e-mail address (`model/account-key.ts`). */
  readonly keys: Readonly<Record<'username' | 'email', string>>;
}

/** Creating an item takes a file. */
export interface UploadFace {
  /** Columns with the storage key, the MIME type, and the details as JSON. */
  readonly columns: Readonly<Record<'key' | 'mime' | 'details', string>>;
  /** Storage keys of the file of a row and of its resized copies. */
  keysOf(row: Row): string[];
  /** Rows that may have a file; `keysOf` of each decides. */
  candidates(key: string): Predicate;
}

/** Items have dates that follow their writes. */
export interface DatesFace {
  /** Columns of the dates. */
  readonly columns: readonly string[];
  /** Column that says whether the date of an item follows each of its writes. */
  readonly floating?: string;
  /** Columns that a change outside of an update sets. */
  touched(op: Operation): Row;
}

/** Items can be put into the trash. */
export interface TrashFace {
  /** Status of items in the trash. */
  readonly status: string;
  /** Rows in the trash. */
  readonly rows: Predicate;
  /** Moves an item there, with what is hidden along with it; `op` is an operation on its resource. */
  move(row: Row, op: Operation): Promise<void>;
  /** Columns of an item in the trash that had this status and slug before; `at`: since when, as stored. */
  columns(before: { status: string; slug: string; at?: string }): Row;
  /** Columns of an item of another resource that is hidden along with ours; undefined where it stays. */
  hides(resource: string, status: string): Row | undefined;
}

/** Items are written by some and published by others. */
export interface PublicationFace {
  /** Whether an item in this status waits for somebody else to publish it, who decides its slug too. */
  isUndecided(status: unknown, actor: Actor): boolean;
}

/** Other items count these ones. */
export interface CountedFace {
  /** Fields of type references that lead to the counting items. */
  readonly fields: readonly string[];
  /** Rows that count. */
  readonly rows: Predicate;
}

/** Work that a trait does beside requests. */
export interface TaskModel {
  /** `due`: every second; `sweep`: every ten minutes. */
  readonly when: 'due' | 'sweep';
  run(content: Content): Promise<void>;
}
