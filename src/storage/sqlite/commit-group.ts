// Transactions that share a BEGIN and a COMMIT.

/** An open group of transactions. */
export interface CommitGroup {
  /** When it was opened, by `performance.now()`. */
  begun: number;
  members: number;
  /** Resolves after the COMMIT; rejects when nothing of the group was, or may have been, committed. */
  committed: Promise<void>;
  settle(error?: unknown): void;
}

/** A group without members, whose BEGIN has run. */
export function newGroup(): CommitGroup {
  let settle!: CommitGroup['settle'];
  const committed = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Handled here, because the members await it only after their turns.
  committed.catch(() => undefined);
  return { begun: performance.now(), members: 0, committed, settle };
}
