// Permissions and checks as a schema file writes them: rules, steps of operations, comparisons.
import type { Scalar } from './schema.js';

/** What a field is compared with: a constant, the time (`$now`, or so far from it), or another field. */
export type Operand = Scalar | { now: string } | { field: string };

/** Comparisons of a field, all of which hold. */
export type Comparison = Partial<Record<'gt' | 'gte' | 'lt' | 'lte', Operand>>;

/** A rule between the fields of an item. */
export interface CheckSchema {
  rule: RuleSchema;
  message: string;
  /** Fields that the error names. */
  fields: string[];
}

/**
 * A condition on the caller and the row. A string is a capability; `true` and `false` are constants. `is` compares a
 * field with values (`$me` is the caller's id); `through` evaluates a rule of the referenced item; `orphaned` holds
 * when a reference is empty or its target does not exist; `capabilityIn` when the caller has the capability named in a
 * column.
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
  | { signedIn: boolean }
  | { is: Record<string, Scalar | Scalar[] | Comparison> }
  | { role: string }
  | { rule: string }
  | { through: string; rule: string }
  | { orphaned: string }
  | { capabilityIn: string }
  | { referencedBy: string | string[]; where?: Record<string, Scalar | Scalar[] | Comparison>; rule?: string };

/**
 * One permission check of an operation, in the order written. It applies when its conditions are met; then `needs` must
 * hold.
 */
export interface PolicyStepSchema {
  /** Applies when one of these body fields was sent. */
  field?: string | string[];
  /** Applies when this parameter was sent or has a default. */
  param?: string;
  /** … and has one of these values. */
  in?: Scalar[];
  /** … and has a value that is none of these. */
  notIn?: Scalar[];
  /** … and differs from the caller's id. */
  notSelf?: boolean;
  /** … and differs from the stored value. */
  changed?: boolean;
  needs: RuleSchema;
  error: string;
  /** Depends on the values sent, not on the method: `Allow` still lists the method. */
  keepAllow?: boolean;
  /** Report the error inside `data.details` of a `rest_invalid_param`. */
  asParameterError?: boolean;
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
