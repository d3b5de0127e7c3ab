// One object to import, as the unit writer sees it: its identity, its change, and a callback for the outcome.
import type { ResourceModel } from '../../model/model.js';
import type { Row } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import type { WxrMeta } from '../wxr-file/wxr-events.js';

/** The change of an object. */
export interface Change {
  /** By field name, in client form. */
  values: Record<string, unknown>;
  /** By column, for values that no client may send. */
  columns: Row;
  /** Meta entries of unregistered keys. */
  meta: WxrMeta[];
  /** Id of the owner. */
  as?: number;
  /** Notes about dropped parts. */
  notes: string[];
  /** Whether references point to later objects of the file. */
  waits?: boolean;
}

/** An object of the source. */
export interface ImportItem {
  model: ResourceModel;
  /** Unique key of the object within its kind. */
  key: string;
  line: number;
  label: string;
  /** Hash of its content. */
  hash: string;
  /** Whether the file only names the object and lacks its details: an existing one keeps its own. */
  bare?: boolean;
  /** Id to keep if it is free, and the highest of its kind in the file. */
  wantedId: number;
  highestId: number;
  /** Size in characters. */
  weight: number;
  /** Values of a new item that are known in advance: those that its slug is made of. */
  named?: Readonly<Record<string, unknown>>;
  /** Finds an existing item of the site that is the same object, though it was not imported. It is not changed. */
  same?(reader: Reader): Promise<number | undefined>;
  /** Computes the change. Throws Skipped or ResourceError. */
  change(reader: Reader, existing: boolean): Promise<Change>;
  /** Called with the id of the written object after every attempt; undefined: not written. */
  settle(id: number | undefined): void;
}

/** Thrown when an object is not imported, with the reason. */
export class Skipped extends Error {}

/** The result for one object. */
export interface Outcome {
  unit: ImportItem;
  did: 'created' | 'updated' | 'skipped';
  reason?: string;
  /** Details when the site rejected it. */
  refusal?: string;
  id?: number;
  notes: string[];
  entries: number;
  waits: boolean;
}
