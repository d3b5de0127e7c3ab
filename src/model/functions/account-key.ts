// The normalised form by which usernames and e-mail addresses are compared and unique.

import { normalize } from '../../text/normalize.js';

/** Longest name that is compared, in characters; no valid username or e-mail address is longer. */
const MAX_NAME_CHARACTERS = 1000;

/** Comparison key of a username or e-mail address. Two names with the same key belong to the same account. */
export function accountKey(name: string): string {
  return normalize(name.trim().slice(0, MAX_NAME_CHARACTERS), 'NFKC').toLowerCase();
}
