// Password policy: the operator sets the minimum length; common passwords are rejected.
import type { Rule } from '../model/value.js';
import { withConstraints, constraint } from './rule.js';
import { commonPasswords } from './common-passwords.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

/** Maximum length of a password, in bytes, to bound the cost of hashing. */
const MAX_BYTES = 4096;

let minLength = 8;

/**
 * Sets the site's minimum password length, in characters; below 8 common passwords are allowed too. Call once at start.
 */
export function setPasswordMinLength(length: number): void {
  minLength = length;
}

/** The limits of passwords that JSON Schema can express, with those of a schema. */
export function passwordLimits(schema: ValueSchema): Pick<ValueSchema, 'minLength' | 'maxLength' | 'pattern'> {
  const { minLength: least = 0, maxLength: most = MAX_BYTES, pattern } = schema;
  return {
    minLength: Math.max(least, minLength, 1),
    maxLength: Math.min(most, MAX_BYTES),
    pattern: pattern ?? '^[^\\\\]*$',
  };
}

/** A rule for passwords on top of the plain string rule; errors have `code` and status 400. */
export function passwordRule(text: Rule, code: string): Rule {
  const issue = (password: string | null) => (password === null ? undefined : passwordIssue(password));
  return withConstraints(text, [constraint(code, issue, () => ({ status: 400 }))]);
}

/** Why a password is rejected, as the end of a sentence; undefined when it is accepted. */
export function passwordIssue(password: string): string | undefined {
  if (password === '') return 'must not be empty.';
  if (password.includes('\\')) return 'must not contain a backslash.';
  if (Buffer.byteLength(password) > MAX_BYTES) return `must be at most ${MAX_BYTES} bytes long.`;
  if ([...password].length < minLength) return `must have at least ${minLength} characters.`;
  if (minLength >= 8 && commonPasswords.has(password.toLowerCase()))
    return 'is one of the most common passwords; choose another.';
  return undefined;
}
