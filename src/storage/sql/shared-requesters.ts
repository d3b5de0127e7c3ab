// Requests that wait for the same result: the read of it takes the earliest turn of their clients.
import type { Requester } from '../../model/store.js';

/** A read that waits in a queue. */
export interface QueuedRead {
  /** Takes the turn of another client, if it is earlier. */
  moveTo(client: string): void;
}

/** The requesters of one result; more may join while it is being read. */
export class SharedRequesters implements Requester {
  // Created on demand: most results have one requester, and need not wait.
  private others: Set<Requester | undefined> | undefined;
  private entries: Set<QueuedRead> | undefined;

  /** Without a requester it is the engine itself that waits. */
  constructor(private readonly first: Requester | undefined) {}

  get client(): string {
    return clientOf(this.first);
  }

  get hasLeft(): boolean {
    if (!this.first?.hasLeft) return false;
    for (const each of this.others ?? []) if (!each?.hasLeft) return false;
    return true;
  }

  join(requester: Requester | undefined): void {
    if (requester === this.first) return;
    (this.others ??= new Set()).add(requester);
    for (const entry of this.entries ?? []) entry.moveTo(clientOf(requester));
  }

  /** To be called with each queue entry of the read, and `dequeued` when it has left the queue. */
  enqueued(entry: QueuedRead): void {
    (this.entries ??= new Set()).add(entry);
    for (const each of this.others ?? []) entry.moveTo(clientOf(each));
  }

  dequeued(entry: QueuedRead): void {
    this.entries?.delete(entry);
  }
}

/** The requesters of a shared read as one requester; undefined when the engine itself is the only one. */
export function asOne([first, ...others]: readonly (Requester | undefined)[]): Requester | undefined {
  if (others.every((other) => other === first)) return first;
  const all = new SharedRequesters(first);
  for (const other of others) all.join(other);
  return all;
}

function clientOf(requester: Requester | undefined): string {
  return requester?.client ?? '';
}
