// The source form of a resource: the content of one JSON schema file.

export const CONTEXTS = ['view', 'embed', 'edit'] as const;

/** Scopes of a response (spec, Conventions). A field is shown in the contexts it lists. */
export type Context = (typeof CONTEXTS)[number];

/** A JSON scalar. */
export type Scalar = string | number | boolean | null;

/** The operations that change nothing. */
export const READING_OPERATIONS = ['list', 'retrieve'] as const;
export const OPERATIONS = [...READING_OPERATIONS, 'create', 'update', 'delete'] as const;

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
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
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
}

/** One field as written. Keys beyond the common ones belong to the field type named by `type`. */
export interface FieldSchema extends Omit<ValueSchema, 'type' | 'required'> {
  type: string;
  /** Required on create. */
  required?: boolean;
  /** Returned, never accepted. */
  readOnly?: boolean;
  /** Where it is shown; `[]` never. Default: every context. */
  contexts?: readonly Context[];
  /** Known to the engine alone: in no answer, no body, no OPTIONS. */
  internal?: boolean;
  /** Boolean setting of the site that enables the field. */
  setting?: string;
  /** Setting of the site that provides the default. */
  defaultSetting?: string;
  /** Setting of the site that lists the allowed values. */
  enumSetting?: string;
  /** Computed from other rows and recomputed by the audit of the trait that adds it; exports leave it out. */
  derived?: boolean;
  /** Column that stores the value; default: the name of the field. */
  column?: string;
  /** Previous column name, so that a migration moves its data. */
  renamedFrom?: string;
  /** Value that existing rows get when the column is added. */
  backfill?: Scalar;
  /** `null` may be sent and stored. */
  nullable?: boolean;
  /** The value is unique among the rows of the resource. */
  unique?: boolean;
  /** Create an index for filters and orderings of the schema. */
  index?: boolean;
  /** Resource name(s) of a `reference` or `references`. */
  to?: string | string[];
  /** Value shown for an empty reference: 0 (default) or null. */
  empty?: 0 | null;
  /** Ids that do not exist: reject them (default), drop them, or store them unchecked. */
  unknown?: 'refuse' | 'drop' | 'keep';
  /** Maximum length of the column, in characters; longer values are rejected. Not published. */
  length?: number;
  /** Values outside `enum` that are accepted when they equal the stored one: `trash`; `*` for any. */
  keeps?: Scalar[];
  /** Error code for an invalid value. */
  error?: string;
  /**
   * Effect on this item when the referenced one is permanently deleted: clear the reference (default), delete the item,
   * or nothing.
   */
  onDelete?: 'clear' | 'remove' | 'keep';
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
  /** How a plain string is sanitized before it is stored. */
  clean?: 'plain' | 'description' | 'name' | 'uri' | 'none';
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
  /** Resource of a `through` filter. */
  resource?: string;
  /** Registered function of a `function` filter. */
  function?: string;
  options?: Record<string, unknown>;
  /** How each value is normalised before it is compared. */
  normalize?: 'slug' | 'key';
  /** Accept any value; invalid ones are ignored. */
  lenient?: boolean;
}

/**
 * A condition on the caller and the row. A string is a capability; `true` and `false` are constants. `is` compares a
 * field with values (`$me` is the caller's id); `through` evaluates a rule of the referenced item; `dangling` holds
 * when a reference is empty or its target does not exist; `holds` when the caller has the capability named in a column.
 * `referencedBy` holds when an item of another resource refers to this one: `loan.book`, or several; `where` narrows
 * those items by their fields, `rule` by one of their rules.
 */
export type RuleSchema =
  | boolean
  | string
  | { all: RuleSchema[] }
  | { any: RuleSchema[] }
  | { not: RuleSchema }
  | { can: string }
  | { known: boolean }
  | { is: Record<string, Scalar | Scalar[]> }
  | { rule: string }
  | { through: string; rule: string }
  | { dangling: string }
  | { holds: string }
  | { referencedBy: string | string[]; where?: Record<string, Scalar | Scalar[]>; rule?: string };

/**
 * One permission check of an operation, in the order written. It applies when its conditions are met; then `needs` must
 * hold.
 */
export interface PolicyStepSchema {
  /** Applies when one of these body fields was sent. */
  given?: string | string[];
  /** Applies when this parameter was sent or has a default. */
  param?: string;
  /** … and has one of these values. */
  in?: Scalar[];
  /** … and has a value that is none of these. */
  notIn?: Scalar[];
  /** … and differs from the caller's id. */
  notMe?: boolean;
  /** … and differs from the stored value. */
  changed?: boolean;
  needs: RuleSchema;
  error: string;
  /** Depends on the values sent, not on the method: `Allow` still lists the method. */
  late?: boolean;
  /** Report the error inside `data.details` of a `rest_invalid_param`. */
  detail?: boolean;
}

/** Name of a predefined set of permissions; see schema/grammar/permission-presets.ts. */
export type PermissionPreset = 'closed' | 'signed-in-read' | 'public-read';

/** Permissions of a resource. Operations without an entry require `manage_options`. */
export interface PermissionSchema {
  /** Named row rules: `read`, `edit`, `delete` and any of the schema's own. */
  rules?: Record<string, RuleSchema>;
  list?: PolicyStepSchema[];
  retrieve?: PolicyStepSchema[];
  create?: PolicyStepSchema[];
  update?: PolicyStepSchema[];
  delete?: PolicyStepSchema[];
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
  /** Literal last segment: the key of a registry row such as the item's own type. */
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
  /** Items carry no `self` link; `none`: no `collection` link either. */
  bareLinks?: boolean | 'none';
  /** Error code for a page past the end; `[]` is returned when absent. */
  beyondLastPage?: string;
}

/** Columns that `search` matches, in order of weight. */
export interface SearchSchema {
  fields: string[];
  /** `terms`: every word must match in some column; `phrase`: one substring. */
  mode?: 'terms' | 'phrase';
  /** Additional fields for callers who satisfy the rule. */
  privileged?: { fields: string[]; needs: RuleSchema };
}

/** Where rows are stored. */
export type StorageSchema =
  | {
      table?: string;
      /** Constant columns that mark the resource's rows in a shared table. */
      where?: Record<string, Scalar>;
      /**
       * Previous table of the resource, so that its rows are moved; `where` selects them in a table that others keep
       * using.
       */
      movedFrom?: string | { table: string; where: Record<string, Scalar> };
      /** Columns by which most lists are narrowed: indexes begin with them, rows are counted per combination. */
      partition?: string[];
    }
  | { registry: string; rows?: Record<string, unknown>[] };

/** A resource schema file. */
export interface ResourceSchema {
  $schema?: string;
  name: string;
  path: string;
  description?: string;
  labels?: { singular: string; plural: string };
  parent?: {
    resource: string;
    param?: string;
    field: string;
    /** Whether items are hidden from callers who may not read the parent (default true). */
    hides?: boolean;
    errors?: { notFound?: string; mismatch?: string };
  };
  operations?: OperationKind[];
  storage?: StorageSchema;
  /** Field that identifies an item in its path: `id` (default) or a string field. */
  key?: string;
  fields: Record<string, FieldSchema>;
  list?: ListSchema;
  params?: Record<string, ParamSchema>;
  itemParams?: Record<string, ParamSchema>;
  deleteParams?: Record<string, ParamSchema>;
  search?: SearchSchema;
  traits?: Record<string, Record<string, unknown>>;
  /** May be a preset until the schema is extended. */
  permissions?: PermissionSchema;
  links?: Record<string, LinkSchema | LinkSchema[]>;
  /** Rows that this resource contributes to a registry (types, taxonomies). */
  registers?: Record<string, Record<string, unknown>>;
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
