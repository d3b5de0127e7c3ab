// The record of what was done to a database: one row per migration, in the table typecase_migrations. Called by run-plan.ts.
import { createHash } from 'node:crypto';
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Dialect } from '../dialect.js';
import type { DdlConnection } from '../schema-apply.js';
import { Statements } from '../statements.js';
import { movedName } from './plan-moves.js';
import type { Step } from './step.js';

/** Where the record lives. */
export const MIGRATIONS: TableModel = {
  name: 'typecase_migrations',
  columns: new Map<string, ColumnModel>([
    ['id', { name: 'id', kind: 'integer', primary: true }],
    ['checksum', { name: 'checksum', kind: 'varchar', length: 64, default: '' }],
    ['steps', { name: 'steps', kind: 'text', default: '' }],
    ['started', { name: 'started', kind: 'datetime', nullable: true }],
    ['finished', { name: 'finished', kind: 'datetime', nullable: true }],
  ]),
  indexes: new Map(),
  counted: [],
};

/** The last migration. */
export interface Recorded {
  checksum: string;
  finished: boolean;
  started: string;
}

/** What identifies the tables that a set of schemas wants. */
export function checksumOf(models: readonly TableModel[]): string {
  const said = [...models]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, columns, indexes }) => [name, [...columns.values()], [...indexes.values()]]);
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

/** Reads and writes the record over one connection. */
export class MigrationRecord {
  private readonly statements: Statements;

  constructor(
    private readonly db: DdlConnection,
    private readonly dialect: Dialect,
  ) {
    this.statements = new Statements(dialect, new Map([[MIGRATIONS.name, MIGRATIONS]]));
  }

  /** The last migration, and everything that migrations made. */
  async read(): Promise<{ last: Recorded | undefined; made: Set<string> }> {
    const made = new Set<string>();
    if (!(await this.there())) return { last: undefined, made };
    const query = this.statements.select({
      table: MIGRATIONS.name,
      columns: ['checksum', 'steps', 'started', 'finished'],
      where: { op: 'true' },
      order: [{ column: 'id', direction: 'asc' }],
    });
    let last: Recorded | undefined;
    for (const [checksum, steps, started, finished] of await this.db.rows(query.sql, query.params)) {
      last = { checksum: String(checksum), started: String(started), finished: finished !== null };
      for (const { kind, table, name } of JSON.parse(String(steps)) as Step[]) {
        if (kind === 'create table') made.add(table);
        if (kind === 'move rows' && name !== undefined) made.add(movedName(name));
        if (name !== undefined && kind.endsWith('index') && kind !== 'drop index') made.add(name);
      }
    }
    return { last, made };
  }

  /** Notes that steps begin; answers what `finish` is told. */
  async start(checksum: string, steps: readonly Step[]): Promise<number> {
    if (!(await this.there())) for (const sql of this.dialect.createTable(MIGRATIONS)) await this.db.exec(sql);
    const table = this.dialect.quote(MIGRATIONS.name);
    const [row] = await this.db.rows(`SELECT COALESCE(MAX(id), 0) FROM ${table}`, []);
    const id = Number(row![0]) + 1;
    const short = steps.map(({ kind, table: on, column, name, risk }) => ({ kind, table: on, column, name, risk }));
    const put = this.statements.insert(MIGRATIONS.name, [
      { id, checksum, steps: JSON.stringify(short), started: now(), finished: null },
    ]);
    await this.db.run(put.sql, put.params);
    return id;
  }

  async finish(id: number): Promise<void> {
    const done = this.statements.update(MIGRATIONS.name, { finished: now() }, { op: 'eq', column: 'id', value: id });
    await this.db.run(done.sql, done.params);
  }

  private async there(): Promise<boolean> {
    const found = await this.dialect.inspect(MIGRATIONS, async (sql) => this.db.rows(sql, []));
    return found !== undefined;
  }
}

function now(): string {
  return new Date().toISOString().slice(0, 19);
}
