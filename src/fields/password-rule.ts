// Which passwords are accepted (decisions 0.10, 15.14). The length is the operator's, the common ones are everybody's.
import type { Rule } from '../model/value.js';
import { commonPasswords } from './common-passwords.js';

/** Longest password, in bytes, so that hashing stays cheap (reliability T19). */
const MAX_BYTES = 4096;

let minLength = 8;

/** Sets the site's shortest password, in characters; below 8 common passwords are allowed too. Called once at boot. */
export function setPasswordMinLength(length: number): void {
  minLength = length;
}

/** A rule for passwords on top of the plain string rule; refusals carry `code` and status 400. */
export function passwordRule(text: Rule, code: string): Rule {
  return (value, param) => {
    const checked = text(value, param);
    if ('issue' in checked) return checked;
    const reason = passwordRefusal(checked.value as string);
    return reason ? { issue: { code, param, message: `${param} ${reason}`, data: { status: 400 } } } : checked;
  };
}

/** Why a password is refused, as the end of a sentence; undefined when it is fine. */
export function passwordRefusal(password: string): string | undefined {
  if (password === '') return 'must not be empty.';
  if (password.includes('\\')) return 'must not contain a backslash.';
  if ([...password].length < minLength) return `must have at least ${minLength} characters.`;
  if (Buffer.byteLength(password) > MAX_BYTES) return `must be at most ${MAX_BYTES} bytes long.`;
  if (minLength >= 8 && commonPasswords.has(password.toLowerCase()))
    return 'is one of the most common passwords; choose another.';
  return undefined;
}
