// Abort signals for work that ends with the first of several signals, or some time after one.

/**
 * Runs work with a signal that is aborted with the first of `signals`. The listeners are removed when the work ends:
 * `AbortSignal.any` leaves a reference in each source signal, which Node.js 20 never removes.
 */
export async function withJoinedSignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const joined = new AbortController();
  const abort = () => joined.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  try {
    return await work(joined.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}

/** Runs work with a signal that is aborted `milliseconds` after `signal`. */
export async function withGrace<T>(
  signal: AbortSignal,
  milliseconds: number,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => (timer = setTimeout(() => ended.abort(), milliseconds));
  signal.addEventListener('abort', begin);
  if (signal.aborted) begin();
  try {
    return await work(ended.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  }
}
