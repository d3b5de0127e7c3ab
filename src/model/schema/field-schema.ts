// A field as a schema file declares it.
import type { RuleSchema } from './permission-schema.js';
import type { ValueSchema } from './value-schema.js';
import type { Context, Scalar, ParamSchema } from './schema.js';

/** Differences that a unique value is compared without. */
export type UniqueIgnore = 'case' | 'accents';

/** One field as written. Keys beyond the common ones belong to the field type named by `type`. */
export interface FieldSchema extends Omit<ValueSchema, 'type' | 'required'> {
  /** Name of a built-in type, or of a type without a `base` that an extension adds. */
  type: string;
  /** The type that the schema file names, where an extension bases it on `type`. Set by the engine. */
  customType?: string;
  /** Required on create. */
  required?: boolean;
  /** Returned, never accepted. */
  readOnly?: boolean;
  /** Where it is shown; `[]` never. Default: every context. */
  contexts?: readonly Context[];
  /** Rows and callers that see the field, besides its contexts; default: those of the item. */
  read?: RuleSchema;
  /** Rows and callers that may set the field; default: those that may write the item. */
  write?: RuleSchema;
  /** Internal to the engine: in no response, body or OPTIONS. */
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
  /** Never empty, because a trait fills it: an empty text is as invalid as any other text that is not of its form. */
  alwaysFilled?: boolean;
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
  /** Precision and scale of a `decimal`. */
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
