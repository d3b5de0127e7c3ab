// The source form of a resource: the content of one JSON schema file.
import type { CheckSchema, RuleSchema, PermissionSchema } from './permission-schema.js';
import type { StorageSchema, FoundInSchema } from './storage-schema.js';
import type { ListSchema, ViewSchema, SearchSchema } from './list-schema.js';
import type { ValueSchema } from './value-schema.js';
import type { FieldSchema } from './field-schema.js';

export const CONTEXTS = ['view', 'embed', 'edit'] as const;

/** Scopes of a response. A field is shown in the contexts it lists. */
export type Context = (typeof CONTEXTS)[number];

/** A JSON scalar. */
export type Scalar = string | number | boolean | null;

/** The operations that change nothing. */
const READING_OPERATIONS = ['list', 'retrieve'] as const;
export const OPERATIONS = [...READING_OPERATIONS, 'create', 'update', 'delete'] as const;

/** The operations of a resource with one item. */
export const SINGLETON_OPERATIONS = ['retrieve', 'update'] as const;

/** The operations of a resource of found items. */
const FOUND_OPERATIONS = ['list'] as const;

/** The five operations that a resource may offer. */
export type OperationKind = (typeof OPERATIONS)[number];

/** Whether an operation changes nothing. */
export function isReading(kind: OperationKind): boolean {
  return kind === 'list' || kind === 'retrieve';
}

/** A list parameter beyond the standard ones. */
export interface ParamSchema extends ValueSchema {
  /** Registered filter. A parameter without one is read by a trait or function. */
  filter?: string;
  /** Field that the filter works on. */
  field?: string;
  /** Resource of a `referencedIn` filter. */
  resource?: string;
  /** Registered function of a `function` filter. */
  function?: string;
  options?: Record<string, unknown>;
  /** How each value is normalised before it is compared. */
  normalize?: 'slug' | 'key';
  /** Accept any value; invalid ones are ignored. */
  lenient?: boolean;
}

/** One link relation of an item. Placeholders are columns of the row. */
export interface LinkSchema {
  /** Resource the link leads to; default: the target of the reference `id`. */
  to?: string;
  /** Column that must have a value for the link to be included. */
  when?: string;
  /**
   * Field with the id of the target; the link is omitted when it is empty. Without it the link leads to the collection.
   */
  id?: string;
  /** Query of a collection link: parameter to field. */
  query?: Record<string, string>;
  /** Column with the path of the collection the link leads to. */
  path?: string;
  /** Literal last segment: the key of a static row such as the item's own type. */
  key?: string;
  embeddable?: boolean;
  /** Attributes; `$column` is a column of the referenced row, one of its `storage.where`. */
  attributes?: Record<string, Scalar>;
  /** Description of the link, for OPTIONS of links to the item itself. */
  title?: string;
  /** JSON Schema of what such a link allows the caller to send. */
  targetSchema?: Record<string, unknown>;
  /** Only in this context. */
  context?: Context;
  /** Only for callers who satisfy the rule. */
  needs?: RuleSchema;
  /** Points to the item itself. */
  self?: boolean;
}

/** The operations that a resource offers by default. */
export function offeredBy(schema: Pick<ResourceSchema, 'storage' | 'singleton'>): readonly OperationKind[] {
  const { storage = {}, singleton } = schema;
  if ('found' in storage) return FOUND_OPERATIONS;
  return 'static' in storage ? READING_OPERATIONS : singleton ? SINGLETON_OPERATIONS : OPERATIONS;
}

/** A resource schema file. */
export interface ResourceSchema {
  $schema?: string;
  /** A remark for readers of the file. */
  $comment?: string;
  name: string;
  path: string;
  description?: string;
  labels?: { singular: string; plural: string };
  parent?: {
    resource: string;
    param?: string;
    field: string;
    /** Whether the items of all parents are listed at the path of the resource alone, too. */
    across?: boolean;
    /** Whether items are hidden from callers who may not read the parent (default true). */
    hides?: boolean;
    errors?: { notFound?: string; mismatch?: string };
  };
  operations?: OperationKind[];
  /** There is one item, at the path of the resource. */
  singleton?: boolean;
  storage?: StorageSchema;
  /** Field that identifies an item in its path: `id` (default) or a string field. */
  key?: string;
  fields: Record<string, FieldSchema>;
  /** Rules between fields, for every write. */
  checks?: CheckSchema[];
  /** Reject names that the resource does not know. */
  strict?: boolean;
  /** Groups of fields whose values no two items share. */
  unique?: string[][];
  list?: ListSchema;
  params?: Record<string, ParamSchema>;
  itemParams?: Record<string, ParamSchema>;
  deleteParams?: Record<string, ParamSchema>;
  search?: SearchSchema;
  /** Saved queries by name, at `<path>/views/<name>`. */
  views?: Record<string, ViewSchema>;
  traits?: Record<string, Record<string, unknown>>;
  /** May be a preset until the schema is extended. */
  permissions?: PermissionSchema;
  links?: Record<string, LinkSchema | LinkSchema[]>;
  /** The row of this resource in static resources (types, taxonomies). */
  listsItselfIn?: Record<string, Record<string, unknown>>;
  /** Resources of found items (`storage.found`) that find the items of this one. */
  foundIn?: Record<string, FoundInSchema>;
  /** Path segment that stands for the caller's own id: `users/me`. */
  selfAlias?: string;
  /** Items created at the first start. */
  seeds?: Record<string, unknown>[];
  /** Error codes of this resource. */
  errors?: Partial<
    Record<'notFound' | 'exists' | 'create' | 'update' | 'delete' | 'read' | 'context' | 'list', string>
  > & {
    /** Error codes for writes that the database rejects. */
    failed?: Partial<Record<'create' | 'update' | 'delete', string>>;
  };
  /** Default context of responses. */
  defaultContext?: Context;
  /** Context of the response to a deletion; default `edit`. */
  deleteContext?: Context;
  /** Batchable operations are offered to batch requests. */
  batch?: boolean;
}
