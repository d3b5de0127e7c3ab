// Rules made of several: all of them, anyOf, oneOf. What an alternative coerces depends on which ones accept the value, so
// they coerce and check in one walk.
import type { Checked, Rule } from '../model/value.js';
import { isUnchanged } from './json-value.js';
import { codesOf, walkedRule } from './rule.js';
import { issue } from './value-issue.js';

/** Coercions go from texts to numbers to booleans to lists; formats that sanitize texts differently may never agree. */
const MAX_ROUNDS = 5;

/**
 * Every one of the rules: each coerces what the one before has accepted. A value that they change goes through all of them
 * again, so that an earlier rule accepts what a later one makes of it.
 */
export function inTurn(rules: readonly Rule[]): Rule {
  const check = (value: unknown, param: string): Checked => {
    let before = value;
    let after = eachInTurn(rules, before, param);
    for (let round = 1; round < MAX_ROUNDS && 'value' in after && !isUnchanged(before, after.value); round++) {
      before = after.value;
      after = eachInTurn(rules, before, param);
    }
    return after;
  };
  return walkedRule(check, codesOf(...rules));
}

function eachInTurn(rules: readonly Rule[], value: unknown, param: string): Checked {
  let checked: Checked = { value };
  for (const rule of rules) {
    checked = rule(checked.value, param);
    if ('issue' in checked) return checked;
  }
  return checked;
}

// An alternative that accepts the value unchanged is preferred to one that coerces it.
function matches(rules: readonly Rule[], value: unknown, param: string): { fitting: unknown[]; reasons: string[] } {
  const exact: unknown[] = [];
  const coerced: unknown[] = [];
  const reasons: string[] = [];
  for (const rule of rules) {
    const checked = rule(value, param);
    if ('issue' in checked) reasons.push(checked.issue.message);
    else (isUnchanged(value, checked.value) ? exact : coerced).push(checked.value);
  }
  return { fitting: exact.length > 0 ? exact : coerced, reasons };
}

/** `anyOf`: the first alternative that matches. */
export function anyOfRule(rules: readonly Rule[]): Rule {
  const check = (value: unknown, param: string): Checked => {
    const { fitting, reasons } = matches(rules, value, param);
    return fitting.length > 0 ? { value: fitting[0] } : issue('rest_no_matching_schema', param, noneText(reasons));
  };
  return walkedRule(check, ['rest_no_matching_schema']);
}

/** `oneOf`: exactly one alternative matches. */
export function oneOfRule(rules: readonly Rule[]): Rule {
  const check = (value: unknown, param: string): Checked => {
    const { fitting, reasons } = matches(rules, value, param);
    if (fitting.length === 1) return { value: fitting[0] };
    if (fitting.length === 0) return issue('rest_no_matching_schema', param, noneText(reasons));
    return issue(
      'rest_one_of_multiple_matches',
      param,
      'fits several of the allowed forms. Send a value that fits only one.',
    );
  };
  return walkedRule(check, ['rest_no_matching_schema', 'rest_one_of_multiple_matches']);
}

function noneText(reasons: readonly string[]): string {
  return `fits none of the allowed forms: ${reasons.map((reason) => reason.replace(/\.$/, '')).join('; or ')}.`;
}
