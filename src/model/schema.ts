// The source form of a resource: the content of one JSON schema file.
import type { CheckSchema, RuleSchema, PermissionSchema } from './permission-schema.js';
import type { StorageSchema, FoundInSchema } from './storage-schema.js';
import type { ListSchema, ViewSchema, SearchSchema } from './list-schema.js';

export const CONTEXTS = ['view', 'embed', 'edit'] as const;

/** Scopes of a response (spec, Conventions). A field is shown in the contexts it lists. */
export type Context = (typeof CONTEXTS)[number];

/** A JSON scalar. */
export type Scalar = string | number | boolean | null;

/** The operations that change nothing. */
export const READING_OPERATIONS = ['list', 'retrieve'] as const;
export const OPERATIONS = [...READING_OPERATIONS, 'create', 'update', 'delete'] as const;

/** The operations of a resource with one item. */
export const SINGLETON_OPERATIONS = ['retrieve', 'update'] as const;

/** The operations of a resource of found items. */
export const FOUND_OPERATIONS = ['list'] as const;

/** The five operations every resource may offer (spec, What the service does). */
export type OperationKind = (typeof OPERATIONS)[number];

/** Whether an operation changes nothing. */
export function isReading(kind: OperationKind): boolean {
  return kind === 'list' || kind === 'retrieve';
}

/** JSON Schema keywords that a field, parameter or member may have. */
export interface ValueSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  enum?: Scalar[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  /** A number in schema files; `true` beside `minimum` in what OPTIONS shows. */
  exclusiveMinimum?: number | boolean;
  exclusiveMaximum?: number | boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: ValueSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, MemberSchema>;
  patternProperties?: Record<string, ValueSchema>;
  additionalProperties?: boolean | ValueSchema;
  minProperties?: number;
  maxProperties?: number;
  anyOf?: ValueSchema[];
  oneOf?: ValueSchema[];
  required?: boolean | string[];
}

/** A member of an object: a value with its own contexts. */
export interface MemberSchema extends ValueSchema {
  contexts?: readonly Context[];
  readOnly?: boolean;
  /** Rows and callers that see the member; default: whoever sees the field. */
  read?: RuleSchema;
  /** Rows and callers that may set the member; default: whoever may set the field. */
  write?: RuleSchema;
}

/** Differences that a unique value is compared without. */
export type UniqueIgnore = 'case' | 'accents';

/** One field as written. Keys beyond the common ones belong to the field type named by `type`. */
export interface FieldSchema extends Omit<ValueSchema, 'type' | 'required'> {
  type: string;
  /** Required on create. */
  required?: boolean;
  /** Returned, never accepted. */
  readOnly?: boolean;
  /** Where it is shown; `[]` never. Default: every context. */
  contexts?: readonly Context[];
  /** Rows and callers that see the field, beside its contexts; default: whoever reads the item. */
  read?: RuleSchema;
  /** Rows and callers that may set the field; default: whoever may write the item. */
  write?: RuleSchema;
  /** Known to the engine alone: in no answer, no body, no OPTIONS. */
  hidden?: boolean;
  /** Boolean setting of the site that enables the field. */
  enabledBy?: string;
  /** Setting of the site that provides the default. */
  defaultSetting?: string;
  /** Setting of the site that the field shows, and sets for all processes while it is not null. */
  setting?: string;
  /** Setting of the site that lists the allowed values. */
  enumSetting?: string;
  /** Computed from other rows and recomputed by the audit of the trait that adds it; exports leave it out. */
  derived?: boolean;
  /** Column that stores the value; default: the name of the field. */
  column?: string;
  /** Previous column name, so that a migration moves its data; null: the field is new, whatever columns are left over. */
  renamedFrom?: string | null;
  /** Value that existing rows get when the column is added. */
  backfill?: Scalar;
  /** `null` may be sent and stored. */
  nullable?: boolean;
  /** The value is unique among the rows of the resource; with `ignore` without regard to case or accents. */
  unique?: boolean | { ignore: UniqueIgnore[] };
  /** Set once: on create, or later while it is empty. */
  writeOnce?: boolean;
  /** What fills the field at every update. */
  onUpdate?: '$now' | '$me';
  /** Messages of its rules, by the names in model/functions/messages.ts. */
  messages?: Record<string, string>;
  /** Create an index for filters and orderings of the schema. */
  index?: boolean;
  /** Resource name(s) of a `reference` or `references`. */
  to?: string | string[];
  /** Value shown for an empty reference: 0 (default) or null. */
  emptyValue?: 0 | null;
  /** Ids that do not exist: reject them (default), drop them, or store them unchecked. */
  onMissing?: 'reject' | 'drop' | 'keep';
  /** `false`: items have no link to the item that a `reference` names, where `links` has none. */
  link?: boolean;
  /** Maximum length of the column, in characters; longer values are rejected. Not published. */
  columnLength?: number;
  /** Values outside `enum` that are accepted when they equal the stored one: `trash`; `*` for any. */
  allowStored?: Scalar[];
  /** Error code for an invalid value. */
  error?: string;
  /**
   * Effect when the referenced item is permanently deleted: this item loses the reference (default) or is deleted too,
   * nothing happens, or the deletion is rejected while this item stays.
   */
  onDelete?: 'setNull' | 'cascade' | 'noAction' | 'restrict';
  /** Registered meta keys of a `meta` field. */
  keys?: Record<string, MetaKeySchema>;
  /** Registered function of a `computed` field, with its options. */
  function?: string;
  options?: Record<string, unknown>;
  /** JSON type of a `computed` field. */
  returns?: ValueSchema;
  /** Text pipeline of a `rendered` field. */
  pipeline?: string;
  /** Field whose text fills an empty `rendered` field. */
  from?: string;
  /** Clock of a `datetime`: site wall time, UTC, or UTC written with its offset. */
  clock?: 'site' | 'utc' | 'offset';
  /** Who may send it. */
  guard?: GuardSchema;
  /** List parameters that filter by it. */
  filterable?: FilterableSchema;
  /** Digits of a `decimal`: all of them, and those behind the point. */
  precision?: number;
  scale?: number;
  /** How a `decimal` is shown. */
  as?: 'string' | 'number';
  /** How a plain string is sanitized before it is stored. */
  sanitize?: 'plain' | 'description' | 'name' | 'uri' | 'none';
}

/**
 * Filters of a field: `true` is `equals`; a word, several, or each with the description of its parameter or with keys of
 * it, `param` being its name.
 */
export type FilterableSchema =
  true | string | string[] | Record<string, true | string | (ParamSchema & { param?: string })>;

/** The operations that a guard may be about. */
export type GuardedKind = 'create' | 'update';

/** Makes steps of `create` and `update` about one field (`update`: when the value changes), and links. */
export interface GuardSchema {
  needs: RuleSchema;
  /** Error of the refusal; without one there are only links. */
  error?: string;
  /** Values that need nothing; `$me`: the id of the caller. */
  unless?: '$me' | Scalar[];
  /** Only these values need it. */
  in?: Scalar[];
  /** Operations it is about; default both. */
  on?: GuardedKind;
  /** Checked before the right to create. */
  beforeCreate?: boolean;
  /** Links of an item for callers who satisfy the rule: relation to title. */
  link?: Record<string, string | { title: string; needs?: RuleSchema }>;
}

/** One registered meta key. */
export interface MetaKeySchema extends ValueSchema {
  single?: boolean;
  /** Name in responses when it differs from the stored key. */
  as?: string;
  /** Stored, never returned. */
  hidden?: boolean;
  /** Rule that a writer must satisfy; default: everyone who may edit the item, and nobody for protected (`_`) keys. */
  needs?: RuleSchema;
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

/** The operations that a resource offers where its schema does not say. */
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
  /** Items created at the first boot. */
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
