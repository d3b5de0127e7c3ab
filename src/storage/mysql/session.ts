// One connection to MySQL or MariaDB: statements prepared by the driver, rows as arrays.
import {
  type Bound,
  type RunResult,
  report,
  reportIfLong,
  UniqueViolation,
  type Statement,
} from '../sql/connection.js';
import type { PoolOptions, Session } from '../pool/database.js';
import type { Dialect } from '../sql/dialect.js';
import { isTransient, isUnprepared, isWithoutIndex } from './errors.js';
import type { MysqlFlavour } from './flavour.js';
import { asText, inlineValues, type SentStatement } from './inlined.js';
import { checkSize, MAX_BYTES_PER_UNIT } from '../sql/statement-size.js';

/** The part of a mysql2 connection that is used. */
export interface RawConnection {
  /** The options of the connection, an object that it shares with no other. */
  readonly config: object;
  execute(options: object, done: Done): void;
  query(options: object, done: Done): void;
  release(): void;
  destroy(): void;
}

type Done = (error: Error | null, response: unknown) => void;

interface RawStatement {
  sql: string;
  values?: readonly Bound[];
  rowsAsArray?: boolean;
}

/** Bytes of a packet reserved for the statement itself and the lengths of its values. */
const PACKET_OVERHEAD = 64 * 1024;

/** Bytes of values in the largest statement. */
export function statementBytes({ maxPacket }: MysqlFlavour): number {
  return Math.max(1, maxPacket - PACKET_OVERHEAD);
}

/** What `Dialect.useIndex` adds to a statement. */
const HINT = / FORCE INDEX \(`[^`]+`\)/g;
const START: SentStatement = { sql: 'START TRANSACTION', params: [] };

/** A statement waiting to be sent with others. */
interface PendingStatement {
  statement: SentStatement;
  /** The statement with its values inlined. */
  text: string;
  resolve(response: unknown): void;
  reject(error: Error): void;
}

/**
 * See `Session`. Values are sent separately from the statement; rows come as arrays. The driver waits for each response
 * before it sends the next statement, so reads that a transaction requests together are sent as one text, with inlined
 * values.
 */
export class MysqlSession implements Session {
  /** Whether a transaction has begun. */
  private open = false;
  /** The error by which the server has ended the transaction, or which made it unusable. */
  private endError: unknown;
  /** Resolves when all statements sent so far are completed; absent when they are. */
  private completed: Promise<void> | undefined;
  /** Resolves when all writes requested so far are sent; absent when they are. */
  private writesSent: Promise<void> | undefined;
  private waiting: PendingStatement[] = [];

  constructor(
    private readonly raw: RawConnection,
    private readonly flavour: MysqlFlavour,
    private readonly options: PoolOptions,
    private readonly dialect: () => Dialect,
    private readonly onError: (error: unknown) => void,
    private readonly onRelease: (broken: boolean) => void,
  ) {}

  get statementBytes(): number {
    return statementBytes(this.flavour);
  }

  async rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    try {
      return await this.rowsOf(sql, params);
    } catch (error) {
      const without = isWithoutIndex(error) ? sql.replaceAll(HINT, '') : sql;
      if (without === sql) throw error;
      return this.rowsOf(without, params);
    }
  }

  private async rowsOf(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    checkSize(params, this.statementBytes);
    while (this.writesSent) await this.writesSent;
    const text = this.open ? inlineValues({ sql, params }, this.flavour) : undefined;
    if (text !== undefined) return (await this.enqueue({ sql, params }, text)) as Bound[][];
    return (await this.single({ sql, params }, true)) as Bound[][];
  }

  async run(sql: string, params: readonly Bound[]): Promise<RunResult> {
    // The server would close the connection on a larger packet.
    checkSize(params, this.statementBytes);
    try {
      const response = await this.runInOrder({ sql, params });
      const { affectedRows = 0, insertId = 0 } = response as { affectedRows?: number; insertId?: number };
      return { changes: affectedRows, id: insertId };
    } catch (error) {
      this.onError(error);
      const duplicate = this.dialect().duplicateOf(error, sql);
      throw duplicate ? new UniqueViolation(duplicate.table, duplicate.columns) : error;
    }
  }

  /**
   * Sends a write after everything before it is completed: a deadlock, which a cluster reports at any statement, ends the
   * transaction, and a write sent before that is known would be committed on its own.
   */
  private async runInOrder(statement: SentStatement): Promise<unknown> {
    this.send();
    if (this.writesSent || this.completed) await this.drain();
    if (this.endError) throw this.endError;
    return this.single(statement);
  }

  /** Resolves when all requested statements are sent and completed; later ones wait. */
  private drain(): Promise<void> {
    const completed = async (): Promise<void> => {
      while (this.completed) await this.completed;
    };
    const sent = this.writesSent ? this.writesSent.then(completed) : completed();
    this.writesSent = sent;
    void sent.then(() => {
      if (this.writesSent === sent) this.writesSent = undefined;
    });
    return sent;
  }

  async exec(sql: string): Promise<void> {
    await this.sendNow('query', { sql });
  }

  async begin(first: readonly Statement[] = []): Promise<void> {
    this.open = true;
    this.endError = undefined;
    const texts = first.map((statement) => inlineValues(statement, this.flavour));
    const started = this.enqueue(START, START.sql);
    if (!areAllInlined(texts)) {
      const locks = first.map((statement) => this.single(statement));
      await Promise.all([started, ...locks]);
      return;
    }
    await Promise.all([started, ...first.map((statement, at) => this.enqueue(statement, texts[at]!))]);
  }

  async rowsOfEach(statements: readonly Statement[]): Promise<Bound[][][] | undefined> {
    const texts = statements.map((statement) => inlineValues(statement, this.flavour));
    if (!areAllInlined(texts)) return undefined;
    const responses = await this.sendNow('query', { sql: texts.join('; '), rowsAsArray: true }, nameOf(statements));
    return responses as Bound[][][];
  }

  async beginSnapshot(): Promise<void> {
    await this.unlimited();
    await this.exec('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await this.exec('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
  }

  async runAll(statements: readonly Statement[]): Promise<void> {
    const { texts, sent } = await this.sendSeparate(statements);
    if (texts.length > 0) await this.write(texts.join('; '), nameOf(sent));
  }

  async commit(last: readonly Statement[] = []): Promise<void> {
    const { texts, sent } = await this.sendSeparate(last);
    await this.end([...texts, 'COMMIT'].join('; '), sent);
  }

  /**
   * Sends those of some writes that have to be sent one by one, and returns the others, which can be sent together: the
   * server stops at the first one that fails.
   */
  private async sendSeparate(writes: readonly Statement[]): Promise<{ texts: string[]; sent: readonly Statement[] }> {
    const texts = writes.map((statement) => inlineValues(statement, this.flavour));
    const count = this.separateCount(texts);
    for (const { sql, params } of writes.slice(0, count)) await this.run(sql, params);
    this.send();
    await this.drain();
    // A COMMIT of a transaction that a deadlock has ended would succeed.
    if (this.endError) throw this.endError;
    return { texts: texts.slice(count) as string[], sent: writes.slice(count) };
  }

  /** How many of the last statements are sent one by one: those that have to be, and all that precede them. */
  private separateCount(texts: readonly (string | undefined)[]): number {
    let room = this.statementBytes / MAX_BYTES_PER_UNIT;
    let at = texts.length;
    for (; at > 0; at -= 1) {
      const text = texts[at - 1];
      if (text === undefined || (room -= text.length) < 0) break;
    }
    return at;
  }

  async rollback(): Promise<void> {
    this.send();
    await this.drain();
    await this.end('ROLLBACK');
  }

  private async end(text: string, statements: readonly SentStatement[] = []): Promise<void> {
    this.open = false;
    await this.write(text, nameOf(statements) || text);
  }

  private async write(sql: string, name: string): Promise<void> {
    try {
      await this.sendNow('query', { sql }, name);
    } catch (error) {
      this.onError(error);
      throw error;
    }
  }

  /** Disables the statement timeout of this session. */
  unlimited(): Promise<void> {
    return this.exec(`SET SESSION ${this.flavour.mariadb ? 'max_statement_time' : 'max_execution_time'} = 0`);
  }

  release(broken: boolean): void {
    this.onRelease(broken);
    if (broken) this.raw.destroy();
    else this.raw.release();
  }

  private enqueue(statement: SentStatement, text: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ statement, text, resolve, reject });
      if (this.waiting.length === 1) setImmediate(() => this.send());
    });
  }

  /** Sends the waiting statements together. When one fails, the server runs none of those after it. */
  private send(): void {
    const sent = this.waiting;
    this.waiting = [];
    if (sent.length === 0) return;
    const responses = sent.length > 1 ? this.sendBatch(sent) : this.sendAlone(sent[0]!);
    responses.then(
      (responses) => sent.forEach(({ resolve }, at) => resolve(responses[at])),
      (error: Error) => sent.forEach(({ reject }) => reject(error)),
    );
  }

  private async sendAlone({ statement: { sql, params }, text }: PendingStatement): Promise<unknown[]> {
    const how = text === sql ? 'query' : 'execute';
    return [await this.execute(how, { sql, ...(text === sql ? {} : { values: params }), rowsAsArray: true })];
  }

  private async sendBatch(sent: readonly PendingStatement[], texts = sent.map(({ text }) => text)): Promise<unknown[]> {
    const name = nameOf(sent.map(({ statement }) => statement));
    try {
      const response = await this.execute('query', { sql: texts.join('; '), rowsAsArray: true }, name);
      return texts.length > 1 ? (response as unknown[]) : [response];
    } catch (error) {
      // One names an index that was dropped: all are sent again, without index hints. The transaction has
      // begun, and a second START TRANSACTION would give up its locks.
      const begun = sent[0]!.statement === START ? 1 : 0;
      const rest = sent.slice(begun);
      const without = rest.map((each) => withoutHint(each, this.flavour));
      if (!isWithoutIndex(error) || without.every((text, at) => text === texts[begun + at])) throw error;
      return [...sent.slice(0, begun).map(() => undefined), ...(await this.sendBatch(rest, without))];
    }
  }

  /** Runs a statement on its own after the pending ones, prepared where the server allows it. */
  private single({ sql, params }: SentStatement, rowsAsArray = false): Promise<unknown> {
    const text = this.open && !this.flavour.prepares ? asText({ sql, params }) : undefined;
    if (text === undefined) return this.sendNow('execute', { sql, values: params, rowsAsArray });
    checkSize([text], this.statementBytes);
    return this.sendNow('query', { sql: text, rowsAsArray }, sql);
  }

  /** The text of a statement that the server could not prepare; undefined where it would be too large. */
  private textOf({ sql, values = [] }: RawStatement): string | undefined {
    const text = asText({ sql, params: values });
    return text !== undefined && text.length * MAX_BYTES_PER_UNIT <= this.statementBytes ? text : undefined;
  }

  /** Sends the pending statements, then this one. */
  private sendNow(how: 'execute' | 'query', statement: RawStatement, name?: string): Promise<unknown> {
    this.send();
    return this.execute(how, statement, name);
  }

  /** `name` is logged for slow statements in place of the text: inlined values must not reach the log. */
  private async execute(how: 'execute' | 'query', statement: RawStatement, name = statement.sql): Promise<unknown> {
    const start = performance.now();
    const response = new Promise((resolve, reject) => {
      const settle: Done = (error, given) => (error ? reject(error) : resolve(given));
      this.raw[how](statement, (error, given) => {
        const text = error && how === 'execute' && isUnprepared(error) ? this.textOf(statement) : undefined;
        if (text === undefined) settle(error, given);
        else this.raw.query({ ...statement, sql: text, values: undefined }, settle);
      });
    });
    const completed = response.then(
      () => undefined,
      (error: unknown) => {
        if (this.open && isTransient(error)) this.endError = error;
      },
    );
    this.completed = completed;
    void completed.then(() => {
      if (this.completed === completed) this.completed = undefined;
    });
    const longTimer = reportIfLong(this.options, name);
    try {
      return await response;
    } finally {
      clearTimeout(longTimer);
      // Not in the callback: it runs in the asynchronous context of the connection, which belongs to no request.
      report(this.options, name, performance.now() - start);
    }
  }
}

function nameOf(statements: readonly SentStatement[]): string {
  return statements.map(({ sql }) => sql).join('; ');
}

/** The text of a statement that names no index. */
function withoutHint({ statement: { sql, params }, text }: PendingStatement, flavour: MysqlFlavour): string {
  const without = sql.replaceAll(HINT, '');
  return without === sql ? text : (inlineValues({ sql: without, params }, flavour) ?? text);
}

function areAllInlined(texts: readonly (string | undefined)[]): texts is readonly string[] {
  return texts.every((text) => text !== undefined);
}
