// How pure functions on texts are run: directly when the text is small, in a worker thread when it is large.

/** A pure function on texts. */
export type TextFunction<A extends string[] = any, R = any> = (...texts: A) => R;

/**
 * Returns the result of a text function, or throws to have it computed elsewhere and the caller run again
 * (`PreparedTexts`).
 */
export type TextRunner = <A extends string[], R>(work: TextFunction<A, R>, ...texts: A) => R;

/** Runs a text function off the event loop; rejects when it exceeds the limits. */
export type TextPoolRunner = <A extends string[], R>(work: TextFunction<A, R>, ...texts: A) => Promise<R>;

/** A call of a text function. */
export interface TextCall {
  work: TextFunction;
  texts: string[];
}

/** Runs calls off the event loop; returns their results in order, undefined where there is none. Never rejects. */
export type TextCallsRunner = (calls: readonly TextCall[]) => Promise<unknown[]>;

/** The work for which texts are processed: an operation, or nothing special (commands, defaults). */
export interface TextWork {
  readonly runText?: TextRunner;
  /** Of the site, what its database does with texts. */
  readonly site?: { readonly lowersTexts?: boolean };
}

/** The result of a text function inside an operation; without a runner (commands, defaults) it is computed at once. */
export function runText<A extends string[], R>(op: TextWork | undefined, work: TextFunction<A, R>, ...texts: A): R {
  return op?.runText ? op.runText(work, ...texts) : work(...texts);
}
