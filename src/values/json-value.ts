// JSON values: plain objects, storable texts, values of any shape, comparison.
import { RESERVED_NAMES } from '../model/functions/reserved-names.js';
import type { Checked } from '../model/value.js';
import { constraint, walkedRule } from './rule.js';
import { memberName, issue, typeIssue, type Issue } from './value-issue.js';

/** Whether a value is an object as parsed from JSON or a query string; not an array, a date or another class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Own member names that are safe to copy. */
export function safeKeys(value: Record<string, unknown>): string[] {
  return Object.keys(value).filter((key) => !RESERVED_NAMES.has(key));
}

const UNSTORABLE = 'contains a NUL or a broken character. Send valid UTF-8 text without U+0000.';

/** Rejects texts that databases cannot store: NUL and lone surrogates. */
export const storable = constraint('rest_invalid_pattern', (text: string) =>
  isStorable(text) ? undefined : UNSTORABLE,
);

/** The issue of a member's name or value that is not storable. */
export function unstorableIssue(text: string, param: string): Issue | undefined {
  return isStorable(text) ? undefined : issue('rest_invalid_pattern', param, UNSTORABLE);
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

const DEEPEST = 64;

/** Rule of a value without a declared type: any JSON of bounded depth. */
export const anyJsonRule = walkedRule(
  (value, param) => anyJson(value, param, 0),
  ['rest_invalid_pattern', 'rest_invalid_type'],
);

function anyJson(value: unknown, param: string, depth: number): Checked {
  switch (typeof value) {
    case 'string':
      return unstorableIssue(value, param) ?? { value };
    case 'boolean':
      return { value };
    case 'number':
      return Number.isFinite(value) ? { value: value + 0 } : typeIssue(param, 'must be a finite number.');
  }
  if (value === null) return { value };
  if (depth >= DEEPEST) return typeIssue(param, `is nested too deep. Use at most ${DEEPEST} levels.`);
  if (Array.isArray(value)) return anyList(value, param, depth);
  return isPlainObject(value) ? anyObject(value, param, depth) : typeIssue(param, 'must be a JSON value.');
}

function anyList(list: unknown[], param: string, depth: number): Checked {
  const kept: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    const checked = anyJson(list[index], memberName(param, index), depth + 1);
    if ('issue' in checked) return checked;
    kept.push(checked.value);
  }
  return { value: kept };
}

function anyObject(value: Record<string, unknown>, param: string, depth: number): Checked {
  const kept: Record<string, unknown> = {};
  for (const key of safeKeys(value)) {
    const name = memberName(param, key);
    const checked = unstorableIssue(key, name) ?? anyJson(value[key], name, depth + 1);
    if ('issue' in checked) return checked;
    kept[key] = checked.value;
  }
  return { value: kept };
}

/** A string that is equal for equal JSON values, whatever the order of members. `value` must have been validated. */
export function fingerprint(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(fingerprint).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${fingerprint(member)}`).join(',')}}`;
}

/** Whether validation left a value unchanged. */
export function isUnchanged(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false;
  if (Array.isArray(before) || Array.isArray(after)) return sameLists(before, after);
  const keys = Object.keys(before);
  if (keys.length !== Object.keys(after).length) return false;
  const [one, other] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return keys.every((key) => Object.hasOwn(other, key) && isUnchanged(one[key], other[key]));
}

function sameLists(before: object, after: object): boolean {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return false;
  return before.every((item, index) => isUnchanged(item, after[index]));
}
