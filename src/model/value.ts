// Rules of a value sent by a client: coercion and constraints. Compiled from JSON Schema keywords.

/** Why a value is invalid. `param` names it with its index: `include[0]`, `meta.rating`. */
export interface ValueIssue {
  code: string;
  param: string;
  message: string;
  data?: Record<string, unknown> | null;
}

/** The outcome of a rule: the coerced value, or the issue. */
export type Checked = { value: unknown } | { issue: ValueIssue };

/** One check of a coerced value. It may rely on the ones before it in its rule. */
export interface Constraint {
  /** Code of the error. */
  readonly code: string;
  /**
   * Why a value is invalid, as the end of a sentence that begins with its name; undefined when it is valid. Absent where
   * the coercion finds the problem and leaves a `Rejection`.
   */
  readonly reason: ((value: any) => string | undefined) | undefined;
  /** Further data of the error, for the name of the value. */
  readonly data: ((param: string) => Record<string, unknown>) | undefined;
}

/** Stands for a value that was found to be invalid while it was being coerced. */
export class Rejection {
  constructor(readonly issue: ValueIssue) {}
}

/** Checks and coerces one value; `param` is its name in messages. Never throws. Its two steps can be taken singly. */
export interface Rule {
  (value: unknown, param: string): Checked;
  /** The coerced value; what cannot be coerced is returned as it is, or as a `Rejection`. */
  readonly coerce: (value: unknown, param: string) => unknown;
  /** What a coerced value must satisfy: the first that it does not is its error. */
  readonly constraints: readonly Constraint[];
}
