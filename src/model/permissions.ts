// Compiled permissions: rules, steps of operations, rights on single fields.
import type { Actor } from './actor.js';
import type { Predicate } from './query.js';
import type { Scalar } from './schema/schema.js';

/** Rights on a field, or on a member of one, besides those on the item. */
export interface RightModel {
  /** Names from the field to the member; members of listed objects as if there were one object. */
  path: readonly string[];
  /** The same with dots: `lines.price`. */
  name: string;
  /** Rows in which a caller sees it; absent: all. */
  read?: RuleModel;
  /** Rows in which a caller may set it; absent: all. */
  write?: RuleModel;
  /** Members with rights of their own, or with such members. */
  members?: ReadonlyMap<string, RightModel>;
}

/** Rights on the fields of a resource. */
export interface RightsModel {
  /** By field. */
  fields: ReadonlyMap<string, RightModel>;
  /** Every one with a rule for reading, members included. */
  read: readonly RightModel[];
  /** Every one with a rule for writing, members included. */
  write: readonly RightModel[];
}

/** Maps a caller to the predicate of the rows the caller may access. */
export type RuleModel = (actor: Actor) => Predicate;

/** A code of a refusal, for its description; with its status where that is not the one of the catalogue. */
export type Refusal = string | { code: string; status: number };

/** A compiled check of an operation. */
export interface PolicyStep {
  field?: readonly string[];
  param?: string;
  in?: readonly Scalar[];
  notIn?: readonly Scalar[];
  notSelf?: boolean;
  changed?: boolean;
  needs: RuleModel;
  error: string;
  keepAllow: boolean;
  asParameterError: boolean;
}
