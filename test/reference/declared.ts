// Differences between the reference and this engine that the decisions ask for, each with its number. Called by the replay;
// whatever no rule here explains fails a test.
import type { Recording } from './content.js';
import type { Difference } from './differences.js';

/** Why a difference is as it should be. */
export interface Declared {
  /** Number in decisions.md. */
  decision: string;
  what: string;
  fits(difference: Difference, recording: Recording): boolean;
}

export const DECLARED: Declared[] = [];

/** The rule that explains a difference. */
export function explain(difference: Difference, recording: Recording): Declared | undefined {
  return DECLARED.find((rule) => rule.fits(difference, recording));
}
