// Finds rows that a resource may have left behind in its former table, where the schema does not say (`movedFrom`)
// where they were.
import { recorded, RULES, storedModels, type Recorded } from '../maintenance/recorded-rules.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import type { Reader } from '../model/store.js';
import { planStore } from '../storage/migrate-store.js';
import type { LiveSchema } from '../storage/migrations/live-schema.js';
import { MIGRATIONS } from '../storage/migrations/history.js';
import { leftoverRowSteps, type Arrival } from '../storage/migrations/plan-leftovers.js';
import type { Step } from '../storage/migrations/step.js';
import { COUNTS } from '../storage/sql/row-counts.js';
import type { AdministeredStore } from '../storage/sql/administered-store.js';
import { allTables } from './engine-tables.js';
import { assessStep } from '../storage/migrations/assess.js';

/**
 * The rows as refused steps, which require a decision. Changes nothing; works before and after the migration of the
 * tables. Left out: resources that have rows in their new table already, and new tables with the columns of a former
 * one, which the migration plan reports.
 */
export async function unclaimedRows(models: ModelSet, store: AdministeredStore): Promise<Step[]> {
  const { admin, reader } = store;
  const { dialect } = admin.statements;
  const names = (await admin.read(async (db) => db.rows(dialect.migration.tables, []))).map(([name]) => String(name));
  const tables = allTables(models);
  const known = new Set([COUNTS, MIGRATIONS, ...admin.ownTables, ...tables.values()].map(({ name }) => name));
  const orphans = names.filter((name) => !known.has(name));
  if (orphans.length === 0) return [];
  const before = names.includes(RULES.name) ? await recorded(reader) : new Map<string, Recorded>();
  const arrivals = storedModels(models).flatMap((model) => arrivalOf(model, before.get(model.name)) ?? []);
  if (arrivals.length === 0) return [];
  const { live } = await planStore(store, tables);
  const steps: Step[] = [];
  for (const arrival of arrivals) {
    const leftovers = leftoverRowSteps(arrival, live, orphans, dialect);
    if (leftovers.length === 0 || (await hasRows(models.byName.get(arrival.resource)!, live, reader))) continue;
    for (const step of leftovers) await admin.read((db) => assessStep(step, db));
    steps.push(...leftovers.filter(({ risk }) => risk === 'refused'));
  }
  return steps;
}

function arrivalOf(model: ResourceModel, previous: Recorded | undefined): Arrival | undefined {
  const { name, schema, discriminator, fields } = model;
  const table = model.table!.name;
  const isDecided = schema.storage && 'movedFrom' in schema.storage;
  const isKnown = previous && (previous.table === undefined || previous.table === table);
  const isShared = Object.keys(discriminator).length > 0;
  if (isDecided || isKnown || (!isShared && !previous)) return undefined;
  const columns = [...fields.values()].flatMap((field) => field.columns.map((column) => column.name));
  return { resource: name, table, columns, isShared, ...(previous?.table !== undefined && { former: previous.table }) };
}

async function hasRows({ table, discriminator, rowScope }: ResourceModel, live: LiveSchema, reader: Reader) {
  const shape = live.tables.get(table!.name);
  if (!shape || !['id', ...Object.keys(discriminator)].every((column) => shape.columns.has(column))) return false;
  const rows = await reader.select({ table: table!.name, columns: ['id'], where: rowScope, order: [], limit: 1 });
  return rows.length > 0;
}
