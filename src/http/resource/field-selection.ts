// The `_fields` parameter: limited, parsed once per distinct text, consulted by the engine, applied to each item.
import { LRUCache } from 'lru-cache';
import { invalidParams, type ResourceError } from '../../errors/resource-error.js';
import type { View } from '../../model/operation.js';
import { limits } from '../limits.js';
import type { FieldSelection } from '../../model/shown.js';

/** Selected names, whole (true) or with the selected members of an object. */
type Wanted = Map<string, Wanted | true>;

/** Bytes of the selection cache; a selection takes about this many bytes for each character of its text. */
const MAX_CACHE_BYTES = 4 * 1024 * 1024;
const BYTES_PER_CHARACTER = 32;
const remembered = new LRUCache<string, Selected>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: (_, text) => 500 + text.length * BYTES_PER_CHARACTER,
});

/**
 * Parses `_fields`: a list, or text separated by commas or spaces; undefined when it is empty. Throws 400
 * `rest_invalid_param` when it is too long, too deep or has too many names.
 */
export function fieldSelection(requested: unknown): FieldSelection | undefined {
  const text = textOf(requested);
  if (text === undefined) return undefined;
  const selection = remembered.get(text) ?? new Selected(text);
  return selection.key === '' ? undefined : selection;
}

/** The members that a saved query shows, restricted to the requested ones. */
export function viewSelection(
  name: string,
  shown: ReadonlySet<string>,
  requested: FieldSelection | undefined,
): FieldSelection {
  return {
    key: `view ${name} ${requested?.key ?? ''}`,
    has: (member) => shown.has(member) && (requested?.has(member) ?? true),
    reaches: (path) => shown.has(path[0]!) && (requested?.reaches(path) ?? true),
    pick(view) {
      const members = Object.fromEntries(Object.entries(view).filter(([member]) => shown.has(member)));
      return requested ? requested.pick(members) : members;
    },
  };
}

/** Caches a selection; called once its request has passed all checks. */
export function rememberSelection(selection: FieldSelection | undefined): void {
  if (selection instanceof Selected) remembered.set(selection.text, selection);
}

function textOf(requested: unknown): string | undefined {
  if (typeof requested === 'string') return checkLength(requested);
  if (!Array.isArray(requested)) return undefined;
  if (requested.length > limits.fieldsNames) throw tooManyNames();
  const parts = requested.filter((part): part is string => typeof part === 'string');
  if (parts.reduce((length, part) => length + part.length + 1, 0) > limits.fieldsLength + 1) throw tooLong();
  return parts.join(',');
}

function checkLength(text: string): string {
  if (text.length > limits.fieldsLength) throw tooLong();
  return text;
}

class Selected implements FieldSelection {
  readonly key: string;
  private readonly wanted: Wanted = new Map();

  constructor(readonly text: string) {
    const paths = [...new Set(text.split(/[\s,]+/).filter((path) => path !== ''))];
    if (paths.length > limits.fieldsNames) throw tooManyNames();
    this.key = paths.join(',');
    for (const path of paths) want(this.wanted, path);
  }

  has(name: string): boolean {
    return this.wanted.has(name);
  }

  reaches(path: readonly string[]): boolean {
    let members: Wanted | true | undefined = this.wanted;
    for (const name of path) {
      if (members === true || members === undefined) break;
      members = members.get(name);
    }
    return members !== undefined;
  }

  pick(view: View): View {
    return pickFrom(view, this.wanted);
  }
}

function want(wanted: Wanted, path: string): void {
  const names = path.split('.', limits.fieldsDepth + 1);
  if (names.length > limits.fieldsDepth) throw tooDeep();
  const last = names.pop()!;
  let members = wanted;
  for (const name of names) {
    const before = members.get(name);
    if (before === true) return;
    const inner: Wanted = before ?? new Map();
    members.set(name, inner);
    members = inner;
  }
  members.set(last, true);
}

// Recursion is limited by the depth of the selection.
function pickFrom(view: View, wanted: Wanted): View {
  const picked: View = {};
  for (const name in view) {
    const members = wanted.get(name);
    if (members === true) picked[name] = view[name];
    else if (members && isObject(view[name])) {
      const inner = pickFrom(view[name], members);
      if (Object.keys(inner).length > 0) picked[name] = inner;
    }
  }
  return picked;
}

function isObject(value: unknown): value is View {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const tooLong = () => invalidFields('rest_too_long', `must be at most ${limits.fieldsLength} characters long.`);
const tooManyNames = () => invalidFields('rest_too_many_items', `must name at most ${limits.fieldsNames} fields.`);
const tooDeep = () =>
  invalidFields('rest_out_of_bounds', `must not name members deeper than ${limits.fieldsDepth} levels, as in a.b.c.`);

function invalidFields(code: string, reason: string): ResourceError {
  return invalidParams([{ param: '_fields', code, message: `_fields ${reason}` }]);
}
