// The migration history of a database: one row per migration, in the table typecase_migrations.
import { createHash } from 'node:crypto';
import type { Dialect } from '../sql/dialect.js';
import type { DdlConnection } from '../sql/connection.js';
import { Statements } from '../sql/statements.js';
import { movedName } from './moved-names.js';
import type { Step, StepKind } from './step.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** Table of the history. */
export const MIGRATIONS: TableModel = {
  name: 'typecase_migrations',
  columns: new Map<string, ColumnModel>([
    ['id', { name: 'id', kind: 'integer', primary: true }],
    ['checksum', { name: 'checksum', kind: 'varchar', length: 64, default: '' }],
    ['steps', { name: 'steps', kind: 'text', default: '' }],
    ['started', { name: 'started', kind: 'datetime', nullable: true }],
    ['finished', { name: 'finished', kind: 'datetime', nullable: true }],
    ['held', { name: 'held', kind: 'text', nullable: true }],
    ['seal', { name: 'seal', kind: 'varchar', length: 64, nullable: true }],
  ]),
  indexes: new Map(),
  counted: [],
};

/** The last migration. */
export interface LastMigration {
  id: number;
  checksum: string;
  finished: boolean;
  started: string;
}

/** Summary of the history. */
export interface History {
  last: LastMigration | undefined;
  /** Tables and indexes that migrations created. */
  created: Set<string>;
  /** Content types of columns after the last migration, by `table.column`; undefined: unknown. */
  previousTypes: Map<string, string> | undefined;
  /** Ids of history rows that were modified later. */
  altered: number[];
}

/** Content types of the columns of some tables, beyond their SQL types. */
function contentTypesOf(models: readonly TableModel[]): Map<string, string> {
  return new Map(
    models.flatMap(({ name, columns }) =>
      [...columns.values()].flatMap((column): [string, string][] =>
        column.contentType ? [[`${name}.${column.name}`, column.contentType]] : [],
      ),
    ),
  );
}

function sealOf(line: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(line)).digest('hex');
}

/** Checksum of the tables that a set of schemas requires. */
export function checksumOf(models: readonly TableModel[]): string {
  const shapes = [...models]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, columns, indexes }) => [name, [...columns.values()], [...indexes.values()]]);
  return createHash('sha256').update(JSON.stringify(shapes)).digest('hex');
}

/** Reads and writes the history over one connection. */
export class MigrationRecord {
  private readonly statements: Statements;

  constructor(
    private readonly db: DdlConnection,
    private readonly dialect: Dialect,
  ) {
    this.statements = new Statements(dialect, new Map([[MIGRATIONS.name, MIGRATIONS]]));
  }

  /** Reads the history. */
  async read(): Promise<History> {
    const past: History = { last: undefined, created: new Set(), previousTypes: undefined, altered: [] };
    const existing = await this.columns();
    if (!existing) return past;
    const query = this.statements.select({
      table: MIGRATIONS.name,
      columns: [...MIGRATIONS.columns.keys()].filter((name) => existing.has(name)),
      where: { op: 'true' },
      order: [{ column: 'id', direction: 'asc' }],
    });
    for (const [id, checksum, steps, started, finished, held, seal] of await this.db.rows(query.sql, query.params)) {
      past.last = { id: Number(id), checksum: String(checksum), started: String(started), finished: finished !== null };
      const sealed = typeof seal === 'string';
      if (sealed && seal !== sealOf([id, checksum, steps, started, held])) past.altered.push(Number(id));
      const all = stepsOf(String(steps));
      if (all) addCreated(all, past.created);
      else past.altered.push(Number(id));
      const types = typeof held === 'string' ? mapOf(held) : undefined;
      if (types && finished !== null) past.previousTypes = types;
      else if (types && past.previousTypes) past.previousTypes = withMade(past.previousTypes, all ?? [], types);
    }
    past.altered = [...new Set(past.altered)];
    return past;
  }

  /** Records the start of these steps toward the models; returns the argument of `finish`. */
  async start(
    checksum: string,
    steps: readonly Step[],
    models: readonly TableModel[],
    previousTypes?: ReadonlyMap<string, string>,
  ): Promise<number> {
    const existing = await this.columns();
    if (!existing) for (const sql of this.dialect.createTable(MIGRATIONS)) await this.db.exec(sql);
    for (const column of MIGRATIONS.columns.values()) {
      if (!existing || existing.has(column.name)) continue;
      for (const sql of this.dialect.addColumn(MIGRATIONS, column)) await this.db.exec(sql);
    }
    const table = this.dialect.quote(MIGRATIONS.name);
    const [row] = await this.db.rows(`SELECT COALESCE(MAX(id), 0) FROM ${table}`, []);
    const id = Number(row![0]) + 1;
    const short = steps.map(({ kind, table: on, column, name, risk }) => ({ kind, table: on, column, name, risk }));
    // Keep the content types of tables outside these models: another set of schemas may use them again.
    const wanted = new Set(models.map(({ name }) => name));
    const others = [...(previousTypes ?? [])].filter(([place]) => !wanted.has(place.slice(0, place.indexOf('.'))));
    const held = JSON.stringify([...others, ...contentTypesOf(models)].sort());
    const line = { id, checksum, steps: JSON.stringify(short), started: now(), held };
    const seal = sealOf([id, line.checksum, line.steps, line.started, held]);
    const insertion = this.statements.insert(MIGRATIONS.name, [{ ...line, finished: null, seal }]);
    await this.db.run(insertion.sql, insertion.params);
    return id;
  }

  async finish(id: number): Promise<void> {
    const update = this.statements.update(MIGRATIONS.name, { finished: now() }, { op: 'eq', column: 'id', value: id });
    await this.db.run(update.sql, update.params);
  }

  private async columns(): Promise<ReadonlyMap<string, unknown> | undefined> {
    const found = await this.dialect.inspect(MIGRATIONS, async (sql) => this.db.rows(sql, []));
    return found?.columns;
  }
}

/** The steps of a history row; undefined where they were altered. */
function stepsOf(steps: string): Step[] | undefined {
  try {
    return JSON.parse(steps) as Step[];
  } catch {
    return undefined;
  }
}

/** Adds what the steps of a history row created. */
function addCreated(steps: readonly Step[], created: Set<string>): void {
  for (const { kind, table, name } of steps) {
    if (kind === 'create table' || kind === 'rename table') created.add(table);
    if (kind === 'move rows' && name !== undefined) created.add(movedName(name, created));
    if (name !== undefined && kind.endsWith('index') && kind !== 'drop index') created.add(name);
  }
}

/** Steps that create or rename a table or a column. */
const MAKING: ReadonlySet<StepKind> = new Set(['create table', 'rename table', 'add column', 'rename column']);

/**
 * The content types after an interrupted migration: what it has created or renamed has those that it intended, and what it
 * has not does not exist.
 */
function withMade(
  before: ReadonlyMap<string, string>,
  steps: readonly Step[],
  intended: ReadonlyMap<string, string>,
): Map<string, string> {
  const made = steps.filter(({ kind }) => MAKING.has(kind));
  const isMade = (place: string) =>
    made.some(({ table, column }) => (column ? place === `${table}.${column}` : place.startsWith(`${table}.`)));
  return new Map([
    ...[...before].filter(([place]) => !isMade(place)),
    ...[...intended].filter(([place]) => isMade(place)),
  ]);
}

function mapOf(held: string): Map<string, string> | undefined {
  try {
    return new Map(JSON.parse(held) as [string, string][]);
  } catch {
    return undefined;
  }
}

function now(): string {
  return new Date().toISOString().slice(0, 19);
}
