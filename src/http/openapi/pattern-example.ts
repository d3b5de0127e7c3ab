// A text that a regular expression matches, for examples: the first alternative, and as little as may be repeated.
const CLASSES: Record<string, string> = {
  d: '1',
  w: 'a',
  s: ' ',
  D: 'a',
  W: ' ',
  S: 'a',
  b: '',
  B: '',
  t: '\t',
  n: '\n',
};
const ATOM = /^(?:\\(.)|\[((?:\\.|[^\]\\])*)\]|\((?:\?:)?|([^()|]))/s;
/** Maximum number of repetitions; patterns that require more get no example. */
const MOST = 200;
const REPEATED = /^(?:([?*+])|\{(\d+)(?:,\d*)?\})\??/;

/** A text that a pattern matches; undefined for one that is not understood. */
export function exampleOfPattern(pattern: string): string | undefined {
  try {
    const [text] = alternatives(pattern);
    return text !== undefined && new RegExp(pattern, 'u').test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The text of the first alternative, and what follows the group. */
function alternatives(pattern: string): [text: string | undefined, rest: string] {
  let [text, rest] = sequence(pattern);
  const first = text;
  while (rest.startsWith('|')) [text, rest] = sequence(rest.slice(1));
  return [first, rest];
}

function sequence(pattern: string): [text: string | undefined, rest: string] {
  let text = '';
  let rest = pattern;
  while (rest !== '' && !/^[|)]/.test(rest)) {
    const found = ATOM.exec(rest);
    if (!found) return [undefined, ''];
    let part = atom(found);
    rest = rest.slice(found[0].length);
    if (part === undefined) {
      [part, rest] = alternatives(rest);
      rest = rest.slice(1);
    }
    const times = REPEATED.exec(rest);
    if (times) rest = rest.slice(times[0].length);
    text += (part ?? '').repeat(timesOf(times));
  }
  return [text, rest];
}

/** The text of one character or class; undefined at the beginning of a group. */
function atom([whole, escaped, members, plain]: RegExpExecArray): string | undefined {
  if (escaped !== undefined) return CLASSES[escaped] ?? escaped;
  if (members !== undefined) return members.startsWith('^') ? 'a' : atomOf(members);
  if (plain !== undefined) return plain === '^' || plain === '$' ? '' : plain === '.' ? 'a' : plain;
  return whole.startsWith('(') ? undefined : '';
}

const atomOf = (members: string): string =>
  members.startsWith('\\') ? (CLASSES[members[1]!] ?? members[1]!) : members.slice(0, 1);

function timesOf(times: RegExpExecArray | null): number {
  if (!times) return 1;
  const [, sign, least] = times;
  return sign === undefined ? Math.min(Number(least), MOST) : sign === '+' ? 1 : 0;
}
