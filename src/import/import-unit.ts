// One object to import, as the unit writer sees it: who it is, what it should become, whom to tell. Made by wxr-import for each part of a file.
import type { ContentBatch } from '../engine/content-writer.js';
import type { ResourceModel } from '../model/model.js';
import type { Row } from '../model/query.js';
import type { Reader } from '../model/store.js';
import type { WxrMeta } from './wxr-events.js';

/** What an object should become. */
export interface Change {
  /** By field name, as a client would send them. */
  values: Record<string, unknown>;
  /** By column, for what no client may send. */
  columns: Row;
  /** Meta entries that are no registered keys. */
  meta: WxrMeta[];
  /** Owner. */
  as?: number;
  /** Parts that were left out. */
  notes: string[];
  /** References wait for objects further down in the file. */
  waits?: boolean;
}

/** An object of the source. */
export interface Unit {
  model: ResourceModel;
  /** Names the object among those of its kind. */
  key: string;
  line: number;
  label: string;
  /** Fingerprint of its content. */
  hash: string;
  /** Id to keep where it is free, and the highest of its kind in the file. */
  wantedId: number;
  highestId: number;
  /** Size in characters. */
  weight: number;
  /** Item of the site that is the same object, though it was not imported. It is left as it is. */
  same?(reader: Reader): Promise<number | undefined>;
  /** Computes the change. Throws Skipped or ResourceError. */
  change(reader: Reader, existing: boolean): Promise<Change>;
  /** Tells where the object ended up; undefined: nowhere. Called for every attempt. */
  settle(id: number | undefined): void;
}

/** Thrown by a unit that is not imported, with the reason. */
export class Skipped extends Error {}

/** The outcome for one unit. */
export interface Outcome {
  unit: Unit;
  did: 'created' | 'updated' | 'skipped';
  reason?: string;
  /** Details when the site refused it. */
  refusal?: string;
  id?: number;
  notes: string[];
  entries: number;
  waits: boolean;
}

/** What runs inside a transaction. */
export type InBatch<T> = (batch: ContentBatch) => Promise<T>;
