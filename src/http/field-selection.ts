// The `_fields` parameter (decisions 5.7): parsed once per distinct text, asked by the engine, applied to each item.
import { LRUCache } from 'lru-cache';
import type { FieldSelection, View } from '../model/operation.js';

/** Names wanted whole, or the wanted members of an object. */
type Wanted = Map<string, Wanted | true>;

const MOST_REMEMBERED = 500;
const remembered = new LRUCache<string, Selected>({ max: MOST_REMEMBERED });

/** The selection that `_fields` asks for: a list, or text with commas or blanks; undefined when it names nothing. */
export function fieldSelection(asked: unknown): FieldSelection | undefined {
  const text = Array.isArray(asked) ? asked.filter((part) => typeof part === 'string').join(',') : asked;
  if (typeof text !== 'string') return undefined;
  let selection = remembered.get(text);
  if (!selection) remembered.set(text, (selection = new Selected(text)));
  return selection.key === '' ? undefined : selection;
}

class Selected implements FieldSelection {
  readonly key: string;
  private readonly wanted: Wanted = new Map();

  constructor(text: string) {
    const paths = [...new Set(text.split(/[\s,]+/).filter((path) => path !== ''))];
    this.key = paths.join(',');
    for (const path of paths) want(this.wanted, path.split('.'));
  }

  has(name: string): boolean {
    return this.wanted.has(name);
  }

  pick(view: View): View {
    return pickFrom(view, this.wanted);
  }
}

function want(wanted: Wanted, [name = '', ...below]: string[]): void {
  const before = wanted.get(name);
  if (before === true) return;
  if (below.length === 0) wanted.set(name, true);
  else {
    const members: Wanted = before ?? new Map();
    wanted.set(name, members);
    want(members, below);
  }
}

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
