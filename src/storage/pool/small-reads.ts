// Reads of a few rows by key that requests make in the same turn of the event loop (data versions, rate limit counters):
// equal ones are run once, and those of one turn are sent in one message where the database supports it, because a
// message costs client and server more than such a statement.
import type { Requester } from '../../model/store.js';
import type { Bound, Statement } from '../sql/connection.js';
import { asOne } from '../sql/shared-requesters.js';

/** Maximum number of statements of a message. */
const MAX_TOGETHER = 16;

/** How small reads reach the database. */
export interface SmallReadParts {
  /** Whether the database accepts several reads in one message. */
  readonly readsTogether: boolean;
  /** Runs one read. */
  rows(sql: string, params: readonly Bound[], requester: Requester | undefined): Promise<Bound[][]>;
  /** Runs several reads in one message; resolves with undefined where they must be run one by one. */
  rowsOfEach(statements: readonly Statement[], requester: Requester | undefined): Promise<Bound[][][] | undefined>;
}

interface PendingRead {
  statement: Statement;
  requesters: (Requester | undefined)[];
  result: Promise<Bound[][]>;
  resolve(rows: Bound[][] | Promise<Bound[][]>): void;
  reject(error: unknown): void;
}

/** The small reads of one store. */
export class SmallReads {
  private waiting = new Map<string, PendingRead>();

  constructor(private readonly parts: SmallReadParts) {}

  /** The rows of a statement, which is sent at the end of the turn: never older than a request that shares them. */
  rows(sql: string, params: readonly Bound[], requester?: Requester): Promise<Bound[][]> {
    const key = `${sql}\n${params.join('\n')}`;
    const known = this.waiting.get(key);
    if (known) {
      known.requesters.push(requester);
      return known.result;
    }
    if (this.waiting.size === 0) setImmediate(() => this.send());
    const pending = pendingRead({ sql, params: [...params] }, requester);
    this.waiting.set(key, pending);
    return pending.result;
  }

  private send(): void {
    const all = [...this.waiting.values()];
    this.waiting = new Map();
    for (let at = 0; at < all.length; at += MAX_TOGETHER) void this.sendBatch(all.slice(at, at + MAX_TOGETHER));
  }

  private async sendBatch(some: readonly PendingRead[]): Promise<void> {
    try {
      const results = some.length > 1 && this.parts.readsTogether ? await this.inOneMessage(some) : undefined;
      for (const [at, { statement, requesters, resolve }] of some.entries())
        resolve(results?.[at] ?? this.parts.rows(statement.sql, statement.params, asOne(requesters)));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  private inOneMessage(some: readonly PendingRead[]): Promise<Bound[][][] | undefined> {
    const statements = some.map(({ statement }) => statement);
    return this.parts.rowsOfEach(statements, asOne(some.flatMap(({ requesters }) => requesters)));
  }
}

function pendingRead(statement: Statement, requester: Requester | undefined): PendingRead {
  let [resolve, reject]: [PendingRead['resolve'], PendingRead['reject']] = [() => undefined, () => undefined];
  const result = new Promise<Bound[][]>((...settle) => ([resolve, reject] = settle));
  return { statement, requesters: [requester], result, resolve, reject };
}
