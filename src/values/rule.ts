// Builds rules from a coercion and constraints. As a function a rule takes both steps, which is what parameters and
// members of lists and objects need; the classes of request bodies take them singly.
import { Rejection, type Checked, type Constraint, type Rule, type ValueIssue } from '../model/value.js';

/** A rule of two steps. `coerce` leaves what it cannot coerce, for the constraints to reject. */
export function ruleOf(coerce: Rule['coerce'], constraints: readonly Constraint[]): Rule {
  const checks = constraints.filter(({ reason }) => reason !== undefined);
  const check = (value: unknown, param: string): Checked => {
    const coerced = coerce(value, param);
    if (coerced instanceof Rejection) return coerced;
    // The value counts as not sent.
    if (coerced === undefined && value !== undefined) return { value: undefined };
    for (let index = 0; index < checks.length; index++) {
      const reason = checks[index]!.reason!(coerced);
      if (reason !== undefined) return { issue: issueFor(checks[index]!, param, reason) };
    }
    return { value: coerced };
  };
  return Object.assign(check, { coerce, constraints });
}

function issueFor({ code, data }: Constraint, param: string, reason: string): ValueIssue {
  const issue = { code, param, message: `${param} ${reason}` };
  return data ? { ...issue, data: data(param) } : issue;
}

/** A rule whose coercion and checks are one walk: the members of a value are coerced and checked in turn. */
export function walkedRule(check: (value: unknown, param: string) => Checked, codes: Iterable<string>): Rule {
  return Object.assign((value: unknown, param: string) => check(value, param), {
    coerce: (value: unknown, param: string) => rejectedOr(check(value, param)),
    constraints: issueConstraints(codes),
  });
}

/** The value of an outcome, or its issue as a `Rejection`. */
export function rejectedOr(checked: Checked): unknown {
  return 'issue' in checked ? new Rejection(checked.issue) : checked.value;
}

/** `rule` with further constraints. */
export function withConstraints(rule: Rule, constraints: readonly Constraint[]): Rule {
  return ruleOf(rule.coerce, [...rule.constraints, ...constraints]);
}

/** `rule`, whose accepted values are converted and must then satisfy further constraints. */
export function converting(
  rule: Rule,
  convert: (value: unknown) => unknown,
  constraints: readonly Constraint[] = [],
): Rule {
  const coerce = (value: unknown, param: string): unknown => {
    const checked = rule(value, param);
    return 'issue' in checked ? new Rejection(checked.issue) : convert(checked.value);
  };
  return ruleOf(coerce, [...issueConstraints(codesOf(rule), constraints), ...constraints]);
}

/** `rule` for all values but those that `accepts` names. */
export function withException(rule: Rule, accepts: (value: unknown) => boolean): Rule {
  const coerce = (value: unknown, param: string): unknown => {
    if (accepts(value)) return value;
    const coerced = rule.coerce(value, param);
    // Only a value that was sent is exempt, not one that another becomes.
    return accepts(coerced) ? rejectedOr(rule(value, param)) : coerced;
  };
  const constraints = rule.constraints.map(({ code, reason, data }) =>
    reason ? constraint(code, (value) => (accepts(value) ? undefined : reason(value)), data) : constraint(code),
  );
  return ruleOf(coerce, constraints);
}

/** A constraint; without `reason` it names a code that the coercion of the rule may find. */
export function constraint<T>(
  code: string,
  reason?: (value: T) => string | undefined,
  data?: Constraint['data'],
): Constraint {
  return { code, reason, data };
}

/** Values of the right type; `must` is the end of the message. */
export function typeConstraint(fits: (value: unknown) => boolean, must: string): Constraint {
  return constraint(
    'rest_invalid_type',
    (value) => (fits(value) ? undefined : must),
    (param) => ({ param }),
  );
}

/** Constraints for codes that the coercion finds, where none of `others` has the code already. */
export function issueConstraints(codes: Iterable<string>, others: readonly Constraint[] = []): Constraint[] {
  const known = new Set(others.map(({ code }) => code));
  return [...new Set(codes)].filter((code) => !known.has(code)).map((code) => constraint(code));
}

/** Codes of the errors of rules. */
export function codesOf(...rules: readonly Rule[]): string[] {
  return rules.flatMap(({ constraints }) => constraints.map(({ code }) => code));
}
