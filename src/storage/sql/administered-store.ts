// The store interface of commands that plan migrations, change tables or explain statements, beyond what the engine
// uses.
import type { DataSource } from 'typeorm';
import type { Store } from '../../model/store.js';
import type { Connection, DdlConnection } from './connection.js';
import type { Statements } from './statements.js';
import type { TextIndex } from './scans.js';
import type { TableModel } from '../../model/table.js';

/** Access to the tables themselves. */
export interface StoreAdmin {
  readonly statements: Statements;
  /** Internal tables of this kind of store. */
  readonly ownTables: readonly TableModel[];
  /** The index over texts that this kind of store maintains itself. */
  readonly texts?: TextIndex | undefined;
  /** Completes that index after the tables were changed. */
  completeTexts?(): Promise<void>;
  /**
   * Runs schema changes under an exclusive lock (SQLite's write lock, or an advisory lock of the server), in one
   * transaction where DDL is transactional.
   */
  exclusive<T>(work: (db: DdlConnection) => Promise<T>): Promise<T>;
  /**
   * Runs the reads of a plan. On SQLite on a snapshot without a lock, so that a server can continue to write; on a
   * server under the lock of `exclusive`.
   */
  inspect<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  /** Runs reads on an ordinary connection. */
  read<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  /** Settings of the server with which acknowledged writes may be lost or texts refused, each with its consequence. */
  unsafeSettings(): Promise<string[]>;
  /** The reason why the server accepts no writes, and what to change; undefined when it accepts them. */
  readOnlyReason(): Promise<string | undefined>;
}

/** Connections of one pool. */
export interface PoolLoad {
  role: 'primary' | 'replica';
  /** Maximum number of connections. */
  size: number;
  inUse: number;
  idle: number;
  /** Reads and transactions that wait for a connection. */
  waiting: number;
}

/** The load of a store. */
export interface StoreLoad {
  /** Empty where the database is a file. */
  pools: PoolLoad[];
  /** Transactions that wait for their turn. */
  writersWaiting: number;
}

/** A store with administrative access: returned by `openStore`. */
export interface AdministeredStore extends Store {
  readonly admin: StoreAdmin;
  /**
   * TypeORM's connections, with an entity of every table. For reading: writes of its repositories bypass the rules of
   * the engine, and SQLite refuses them, because this connection is read-only.
   */
  readonly dataSource: DataSource;
  /**
   * The reason why writes succeed but would be lost, such as a removed file; undefined while they are safe. Looked up at
   * most `withinMs` milliseconds ago.
   */
  lossReason?(withinMs?: number): string | undefined;
  /**
   * The differences between tables and models, once a statement has failed because another process changed the tables;
   * undefined before.
   */
  tableChanges(): Promise<string | undefined>;
  /** The current load, in this process. */
  load(): StoreLoad;
}
