// Conditions of a permission check on the values sent.
import type { PolicyStep } from './model.js';
import type { Scalar } from './schema.js';

/** Whether one of the values sent meets the conditions of a step. */
export function stepMatches(step: PolicyStep, values: readonly Scalar[], actorId: number): boolean {
  if (step.in && !values.some((value) => step.in!.includes(value))) return false;
  if (step.notIn && values.every((value) => step.notIn!.includes(value))) return false;
  if (step.notSelf && values.every((value) => value === actorId || value === 0)) return false;
  return true;
}
