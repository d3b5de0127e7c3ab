// Line diff of two texts, in bounded time and with a bounded number of steps.
import { diffArrays } from 'diff';

/** A line of both texts or of one of them. */
export interface DiffStep {
  op: 'equal' | 'insert' | 'delete';
  text: string;
}

/** Timeout of the search for a minimal diff, in milliseconds; after it the texts count as entirely different. */
const SEARCH_TIMEOUT_MS = 200;
/** Texts with more lines are compared as a whole. */
const MAX_LINES = 5_000;

/**
 * Steps from the old text to the present one, one per line; for texts with more than 5000 lines one step for the whole
 * text.
 */
export function diffLines(old: string, present: string): DiffStep[] {
  const [before, after] = [lines(old), lines(present)];
  if (before === undefined || after === undefined) return wholes(old, present);
  const whole = [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const parts = diffArrays(before, after, { timeout: SEARCH_TIMEOUT_MS }) ?? whole;
  return parts.flatMap(({ value, added, removed }) =>
    value.map((text): DiffStep => ({ op: added ? 'insert' : removed ? 'delete' : 'equal', text })),
  );
}

function lines(text: string): string[] | undefined {
  if (text === '') return [];
  const split = text.split('\n', MAX_LINES + 1);
  return split.length > MAX_LINES ? undefined : split;
}

function wholes(old: string, present: string): DiffStep[] {
  if (old === present) return [{ op: 'equal', text: old }];
  const steps: DiffStep[] = [
    { op: 'delete', text: old },
    { op: 'insert', text: present },
  ];
  return steps.filter(({ text }) => text !== '');
}
