// Errors for items that do not exist, or that callers may not know of. docs/errors.md
import { ResourceError } from './resource-error.js';

/** Texts that name a resource. */
interface Names {
  readonly singular: string;
}

/** What the error is about: a resource, and the code for its missing items. */
interface MissingItem {
  readonly labels: Names;
  readonly code: string;
  /** Code of the catalogue whose status and message are used. */
  readonly like?: string;
}

/** The error for an item of a resource that does not exist; status 404 unless given. */
export function itemNotFound({ labels, code, like }: MissingItem, key: number | string, status = 404): ResourceError {
  return new ResourceError(code, { status, like: like ?? 'rest_post_invalid_id', ...notFoundMessage(labels, key) });
}

/** The message for a missing item; none for 0, which stands for an invalid key. */
export function notFoundMessage(labels: Names, key: number | string): { message?: string } {
  return key === 0 ? {} : { message: `There is no ${nounOf(labels)} with ID ${key}.` };
}

/** `Post` in lower case, for use inside a sentence; `URL` is unchanged. */
export function nounOf({ singular }: Names): string {
  return /^\p{Lu}\p{Ll}/u.test(singular) ? singular.charAt(0).toLowerCase() + singular.slice(1) : singular;
}
