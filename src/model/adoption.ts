// How a trait takes over items that were there before their resource had it.
import type { AuditFinding } from './model.js';
import type { Row } from './query.js';
import type { SiteSettings } from './site.js';
import type { Reader, Transaction } from './store.js';

/** Whether the resource had a field before the trait came. */
export type HadField = (name: string) => boolean;

/** What the work on a row may use; `now` is UTC, to the second. */
export interface Adopting {
  tx: Transaction;
  settings: Readonly<SiteSettings>;
  now: string;
  had: HadField;
}

/** The work of a trait on items that are there. Rows are complete; what is returned is written. */
export interface Adoption {
  /** Why it cannot take them over, and what to do; asked before anything is changed, of resources with items. */
  obstacle?(reader: Reader, had: HadField): Promise<{ message: string; hint: string } | undefined>;
  /** Columns of one row; rows come by their ids, and may come again after an interruption. */
  row?(row: Row, means: Adopting): Promise<Row> | Row;
  /** What is left to mend once every row is done. */
  finish?(reader: Reader): Promise<AuditFinding[]>;
}
