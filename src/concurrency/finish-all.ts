// Ends several things although some of them fail: the others must not be left open.

/** Waits for all; then throws what a failed one threw, or an AggregateError for several. */
export async function finishAll(works: Iterable<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  throwAny(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])));
}

/** Takes steps one after the other, each also after failures of earlier ones; then throws as `finishAll` does. */
export async function finishInTurn(steps: Iterable<() => unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  throwAny(failures);
}

function throwAny(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  if (failures.length === 1) throw failures[0];
  const messages = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  throw new AggregateError(failures, messages.join('; '));
}
