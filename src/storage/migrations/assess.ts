// Plans against the live database, and determines the risk of each step from the existing data.
import type { Accepted } from '../../model/accepted.js';
import type { Dialect } from '../sql/dialect.js';
import type { Connection, DdlConnection } from '../sql/connection.js';
import { type LiveSchema, readLive } from './live-schema.js';
import { checksumOf, MigrationRecord, MIGRATIONS } from './history.js';
import { planMigration } from './plan.js';
import { refuseOtherSite } from './plan-leftovers.js';
import { type KeyCheck, MAX_IDS, type Plan, type QueryCheck, type Risk, type Step } from './step.js';
import type { TableModel } from '../../model/table.js';

/** A plan and the state it was made from. */
export interface AssessedPlan extends Plan {
  live: LiveSchema;
  checksum: string;
  /** Id of the last migration in the history, if it was toward the same tables and was interrupted. */
  unfinished: number | undefined;
}

/** The plan with the actual risk of each step, given the existing data. Changes nothing. */
export async function assessPlan(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  accepted: ReadonlySet<Accepted> = new Set(),
): Promise<AssessedPlan> {
  const read = async (sql: string) => db.rows(sql, []);
  const past = await new MigrationRecord(db, dialect).read();
  const { last } = past;
  const live = await readLive(dialect, models, past, read);
  live.tables.delete(MIGRATIONS.name);
  const plan = planMigration(live, models, dialect, undefined, accepted);
  for (const step of plan.steps) await assessStep(step, db);
  const foreign = await refuseOtherSite(live, models, accepted, async (table) => {
    const rows = await db.rows(`SELECT 1 FROM ${dialect.quote(table)} LIMIT 1`, []);
    return rows.length > 0;
  });
  if (foreign) plan.steps.unshift(foreign);
  const checksum = checksumOf(models);
  if (last?.finished === false)
    plan.notes.unshift(`the migration begun ${last.started} was interrupted; this is what is left of it`);
  else if (last?.checksum === checksum && plan.steps.some((step) => !step.optional))
    plan.notes.unshift(`the schemas are those of ${last.started}: somebody altered the tables by hand since`);
  for (const id of past.altered)
    plan.notes.unshift(`${MIGRATIONS.name}: the line ${id} was altered after it was written; do not rely on it`);
  const unfinished = last?.finished === false && last.checksum === checksum ? last.id : undefined;
  return { ...plan, live, checksum, unfinished };
}

const WORST: readonly Risk[] = ['safe', 'risky', 'destructive', 'refused'];

/** Gives a step the risk and the reason that its data checks find. */
export async function assessStep(step: Step, db: Connection): Promise<void> {
  if (step.risk === 'refused') return;
  for (const check of step.checks ?? []) {
    if (WORST.indexOf(check.risk) < WORST.indexOf(step.risk)) continue;
    const { count, ids } = await ('keyOf' in check ? findDuplicates(check, db) : findConflicts(check, db));
    if (count === 0) continue;
    step.risk = check.risk;
    step.why = `${count} ${check.why[count === 1 ? 0 : 1]}${idsOf(ids)}`;
    if (check.hint) step.hint = check.hint;
  }
}

interface Conflicts {
  count: number;
  ids: readonly unknown[];
}

async function findConflicts({ sql, ids }: QueryCheck, db: Connection): Promise<Conflicts> {
  const [[count] = [0]] = await db.rows(sql, []);
  if (Number(count) === 0 || ids === undefined) return { count: Number(count), ids: [] };
  return { count: Number(count), ids: (await db.rows(ids, [])).map(([id]) => id) };
}

/** The number of keys that several rows share, and some ids of these rows. */
async function findDuplicates({ after, keyOf }: KeyCheck, db: Connection): Promise<Conflicts> {
  const first = new Map<string, number>();
  const twice = new Map<string, number[]>();
  for (let last = 0; ;) {
    const rows = await db.rows(after(last), []);
    if (rows.length === 0) break;
    for (const [id, ...values] of rows) {
      const key = keyOf(values);
      if (key === null) continue;
      const known = first.get(key);
      if (known === undefined) first.set(key, Number(id));
      else twice.set(key, [...(twice.get(key) ?? [known]), Number(id)].slice(0, MAX_IDS));
    }
    last = Number(rows.at(-1)![0]);
  }
  return { count: twice.size, ids: [...twice.values()].flat().slice(0, MAX_IDS) };
}

/** `: ids 3, 5 and more`, of at most `MAX_IDS`. */
export function idsOf(ids: readonly unknown[]): string {
  if (ids.length === 0) return '';
  const more = ids.length >= MAX_IDS ? ' and more' : '';
  return ids.length === 1 ? `: id ${ids[0]}` : `: ids ${ids.slice(0, MAX_IDS - 1).join(', ')}${more}`;
}
