// A prepared statement on a connection of the pg driver. The driver's own query has the server describe the columns at
// every execution, copies its options and keeps a parser per column; here this is done once per statement and
// connection.
import type { EventEmitter } from 'node:events';
import { type Connection, Query } from 'pg';
import type { Bound } from '../sql/connection.js';

/** Rows of a statement, and how many rows it read or wrote. */
export interface Response {
  rows: Bound[][];
  /** Rows read or written; 0 for other statements. */
  rowCount: number;
}

/** A statement that a connection has prepared. */
interface Prepared {
  name: string;
  /** Positions of the columns that are numbers; absent until the server has described them. */
  numbers?: readonly number[];
  /** See `PreparedQuery`. */
  readonly generation: number;
  /** Whether the first execution failed, so that it is unknown whether the server has prepared the statement. */
  doubtful?: boolean;
}

/** int8, int2, int4, oid, float4, float8, numeric: everything else stays text. */
export const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);

const known = new WeakMap<Connection, Map<string, Prepared>>();
let parses = 0;

// The driver pipelines only instances of its own class; the types of that class leave out what the driver calls.
const DriverQuery = Query as unknown as new (text: string) => EventEmitter;

/** To be passed to `client.query`; `response` settles when the server has responded. */
export class PreparedQuery extends DriverQuery {
  readonly response: Promise<Response>;
  private resolve!: (response: Response) => void;
  private reject!: (error: unknown) => void;
  private readonly found: Bound[][] = [];
  private numbers: readonly number[] | undefined;
  private command = '';
  private statement: Prepared | undefined;

  /**
   * Without `named` the statement is prepared for this execution alone; otherwise for all of this `generation`, which is
   * to be increased when the tables have changed: the server refuses statements whose columns have other types now.
   */
  constructor(
    private readonly sql: string,
    private readonly params: readonly Bound[],
    private readonly named: boolean,
    private readonly generation = 0,
  ) {
    super(sql);
    this.response = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Called by the driver when it is this statement's turn. */
  submit(connection: Connection): null {
    const { stream } = connection;
    stream.cork();
    try {
      const statement = (this.statement = this.prepare(connection));
      connection.bind({ statement: statement.name, values: this.params as string[], valueMapper: storable }, true);
      this.numbers = statement.numbers;
      if (!this.numbers) connection.describe({ type: 'P', name: '' }, true);
      connection.execute(null, true);
      connection.sync();
    } finally {
      stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly { dataTypeID: number }[] }): void {
    this.numbers = fields.flatMap(({ dataTypeID }, at) => (NUMBERS.has(dataTypeID) ? [at] : []));
  }

  handleDataRow({ fields }: { fields: Bound[] }): void {
    for (const at of this.numbers!) if (fields[at] !== null) fields[at] = Number(fields[at]);
    this.found.push(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.command = text;
  }

  handleReadyForQuery(): void {
    // Statements without rows have no description.
    this.statement!.numbers ??= this.numbers ?? [];
    // `INSERT 0 1`, `SELECT 10`
    const rowCount = Number(this.command.slice(this.command.lastIndexOf(' ') + 1)) || 0;
    this.resolve({ rows: this.found, rowCount });
  }

  handleError(error: unknown): void {
    if (this.statement && !this.statement.numbers) this.statement.doubtful = true;
    this.reject(error);
  }

  private prepare(connection: Connection): Prepared {
    let all = known.get(connection);
    if (!all) known.set(connection, (all = new Map()));
    let statement = all.get(this.sql);
    const isOutdated = statement?.generation !== this.generation;
    if (statement && !statement.doubtful && !isOutdated) return statement;
    // A name can be prepared only once. Closing a statement that was not prepared is not an error.
    if (statement) connection.close({ type: 'S', name: statement.name }, true);
    if (statement && !isOutdated) {
      statement.doubtful = false;
    } else {
      // Executions of an outdated one that are under way keep their description.
      statement = { name: this.named ? `t${parses++}` : '', generation: this.generation };
      if (this.named) all.set(this.sql, statement);
    }
    connection.parse({ name: statement.name, text: this.sql, types: [] }, true);
    return statement;
  }
}

// PostgreSQL cannot store NUL in a text: a substitute character represents it, in stored values and in queries.
function storable(value: Bound): string | null {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return value === null ? null : String(value);
}
