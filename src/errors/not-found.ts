// Errors for items that do not exist, or that callers may not know of. docs/errors.md
import { ResourceError } from './resource-error.js';

/** Texts that name a resource. */
interface Names {
  readonly singular: string;
}

/** What the error is about: a resource, and the code for its missing items. */
interface Sought {
  readonly labels: Names;
  readonly code: string;
  /** Code of the catalogue that lends status and message. */
  readonly like?: string;
}

/** The error of a resource whose item with this key is not there; status 404 unless told otherwise. */
export function itemNotFound({ labels, code, like }: Sought, key: number | string, status = 404): ResourceError {
  return new ResourceError(code, { status, like: like ?? 'rest_post_invalid_id', ...notFoundMessage(labels, key) });
}

/** The message of a missing item, none for 0, which stands for a key that cannot be one. */
export function notFoundMessage(labels: Names, key: number | string): { message?: string } {
  return key === 0 ? {} : { message: `There is no ${nounOf(labels)} with ID ${key}.` };
}

/** `Post` as it stands inside a sentence; `URL` stays. */
export function nounOf({ singular }: Names): string {
  return /^\p{Lu}\p{Ll}/u.test(singular) ? singular.charAt(0).toLowerCase() + singular.slice(1) : singular;
}
