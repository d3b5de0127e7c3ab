// Suggestions of known names for mistyped ones, in the messages of problems at start.

/**
 * The nearest candidate, or undefined when none is near: a small edit distance, or one is a prefix of the other.
 * Ignores case, `_` and `-`.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(word);
  const limit = wanted.length <= 1 ? 0 : wanted.length <= 3 ? 1 : wanted.length <= 7 ? 2 : 3;
  let best: string | undefined;
  let bestDistance = limit + 1;
  let longer: string | undefined;
  let shorter: string | undefined;
  for (const candidate of candidates) {
    const name = fold(candidate);
    const distance = editDistance(wanted, name, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
    if (begins(wanted, name) && (!longer || candidate.length < longer.length)) longer = candidate;
    if (begins(name, wanted) && (!shorter || candidate.length > shorter.length)) shorter = candidate;
  }
  return bestDistance <= 1 ? best : (longer ?? best ?? shorter);
}

/** The first candidate that is at most `edits` edits away, ignoring case, `_` and `-`. */
export function withinEdits(word: string, candidates: Iterable<string>, edits: number): string | undefined {
  for (const candidate of candidates)
    if (editDistance(fold(word), fold(candidate), edits + 1) <= edits) return candidate;
  return undefined;
}

/** `did you mean "x"?` for the nearest candidate. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const name = nearest(word, candidates);
  return name === undefined ? undefined : `did you mean "${name}"?`;
}

/** Whether a word differs from another by one slip: a letter missing, added or replaced, or two swapped. */
export function isSlipOf(word: string, other: string): boolean {
  return word !== other && other.length > 2 && editDistance(fold(word), fold(other), 2) <= 1;
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[_-]/g, '');
}

function begins(start: string, word: string): boolean {
  return start.length >= 3 && word.startsWith(start);
}

// Optimal string alignment distance: swapping adjacent characters counts as one edit. Stops at `bound`.
function editDistance(left: string, right: string, bound: number): number {
  if (Math.abs(left.length - right.length) >= bound) return bound;
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      row.push(cost);
    }
    if (Math.min(...row) >= bound) return bound;
    before = last;
    last = row;
  }
  return last[right.length]!;
}
