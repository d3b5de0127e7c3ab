// Lists as a schema file writes them: their options, saved queries, what is searched.
import type { RuleSchema } from './permission-schema.js';

/** Options of lists. */
export interface ListSchema {
  /** `false`: all items at once, no page parameters. */
  paginated?: boolean;
  /** The body is an object keyed by this field. */
  keyedBy?: string;
  /** Standard parameters that the resource does not offer. */
  without?: string[];
  orderby?: string[];
  /** Orderings that are not fields: name to column. */
  orderings?: Record<string, string>;
  defaultOrderby?: string;
  defaultOrder?: 'asc' | 'desc';
  /** Default page size; 0: all items. */
  perPage?: number;
  maxPerPage?: number;
  /** `false`: items carry no `self` link. */
  selfLink?: boolean;
  /** `false`: items carry no `collection` link. */
  collectionLink?: boolean;
  /** Error code for a page past the end; `[]` is returned when absent. */
  pageOutOfRange?: string;
  /** `false`: with `offset`, the links to other pages still start from `page`. */
  linksFromOffset?: boolean;
  /**
   * `false`: lists do not take the query language. `scan`: fields whose conditions are evaluated without an index, however
   * many rows there are; true for all.
   */
  query?: boolean | { scan: true | string[] };
}

/** A saved query. */
export interface ViewSchema {
  description?: string;
  /** Conditions in the query language, as JSON. */
  where?: Record<string, unknown>;
  /** Members of its items; default: all. */
  fields?: string[];
  /** Sort keys separated by commas, `-` before descending ones. */
  orderby?: string;
  perPage?: number;
  /** Who may use it, besides the permissions of the list. */
  needs?: RuleSchema;
}

/** Columns that `search` matches, in order of weight. */
export interface SearchSchema {
  fields: string[];
  /** `terms`: every word must match in some column; `phrase`: one substring. */
  mode?: 'terms' | 'phrase';
  /** Additional fields for callers who satisfy the rule. */
  privileged?: { fields: string[]; needs: RuleSchema };
}
