// Where the items of a resource come from, as its schema file writes it: a table, rows of its own, other resources.
import type { Scalar, ResourceSchema } from './schema.js';

/** Where rows are stored. */
export type StorageSchema =
  | {
      table?: string;
      /** Constant columns that mark the resource's rows in a shared table. */
      where?: Record<string, Scalar>;
      /**
       * Previous table of the resource, so that its rows are moved; `where` selects them in a table that others
       * continue to use; null: the table is new, whatever tables are left over.
       */
      movedFrom?: string | null | { table: string; where: Record<string, Scalar> };
      /** Columns by which most lists are narrowed: indexes begin with them, rows are counted per combination. */
      partition?: string[];
    }
  | { static: string; rows?: Record<string, unknown>[] }
  | FoundSchema;

/** Items of other resources, found by one request. */
export interface FoundSchema {
  /** Name under which other resources let their items be found. */
  found: string;
  /** Groups of resources of which one is searched at a time, the default first; resources may name others. */
  types?: { name: string; subtypeAsType?: boolean }[];
  /** Link relations of an item that its result has, too. */
  links?: string[];
}

/** How the items of a resource are found. */
export interface FoundInSchema {
  /** Group that they are found in; default: the name of the resource. */
  type?: string;
  /** Their name within it; default: the constant that marks their rows, else the name of the resource. */
  subtype?: string;
  /** Field shown as the title; default: the first that is searched. */
  title?: string;
  /** Field shown as the URL; default: the permalink of the item, else its URL in the API. */
  url?: string;
}

/** Where the rows of a resource with a table are; undefined for other resources. */
export function tableStorage({ storage = {} }: Pick<ResourceSchema, 'storage'>): TableStorage | undefined {
  return 'static' in storage || 'found' in storage ? undefined : storage;
}

/** Storage of a resource with a table. */
export type TableStorage = Exclude<StorageSchema, { static: string } | { found: string }>;
