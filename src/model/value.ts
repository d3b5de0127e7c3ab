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

/** Checks and coerces one value; `param` is its name in messages. Never throws. */
export type Rule = (value: unknown, param: string) => Checked;
