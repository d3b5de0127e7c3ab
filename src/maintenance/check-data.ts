// `check --data`: compares stored data with what it should be, and repairs it.
import type { ModelSet, ResourceModel } from '../model/model.js';
import type { AuditFinding } from '../model/hooks.js';
import { and, equals, NEXT_VERSION, not, or, type Predicate } from '../model/query.js';
import { moveReferences } from '../model/functions/move-references.js';
import { targetsOfColumn } from '../model/functions/targets-of-column.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import { ResourceError } from '../errors/resource-error.js';
import { type Removal, removeRows } from '../engine/remove-rows.js';
import { isDuplicate } from '../engine/writes/duplicate.js';
import { staleDerived } from './check-derived.js';
import { emptyValues } from './empty-values.js';
import { MAX_FINDINGS, mostOf } from './most-findings.js';

/**
 * All inconsistencies, in the order of the resources. `fix` of a finding checks again inside its transaction, because the
 * site may have been written to since; with `site` it also removes the files of the items that it removes.
 */
export async function auditData(models: ModelSet, store: Store, site?: Removal['site']): Promise<AuditFinding[]> {
  // One snapshot: a write between two reads would look like an inconsistency.
  const findings = await store.snapshot((reader) => auditRows(models, reader, store, site));
  const wrong = await store.transaction((tx) => tx.wrongCounters());
  findings.push(...wrong.map(({ table, message }): AuditFinding => ({ message, fix: (tx) => tx.recount(table) })));
  return findings;
}

async function auditRows(
  models: ModelSet,
  reader: Reader,
  store: Store,
  site?: Removal['site'],
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  const metaTables = new Set(
    [...models.byName.values()].flatMap((model) => [...model.fields.values()].map((field) => field.meta?.table)),
  );
  for (const model of models.byName.values()) {
    // Meta tables are shared by several resources; orphaned rows are found with the resources they belong to.
    if (!model.table || metaTables.has(model.table.name)) continue;
    findings.push(...(await danglingReferences(model, reader, site)));
    findings.push(...(await danglingPairs(model, reader)));
    findings.push(...(await emptyValues(model, reader, store)));
    for (const audit of model.audits) findings.push(...(await audit(reader)));
    if (model.derive.length > 0) findings.push(...(await staleDerived(model, reader, store)));
  }
  for (const [table, owner] of metaOwners(models)) findings.push(...(await orphanedMeta(table, owner, reader)));
  return findings;
}

/** Repairs findings, one transaction each; returns how many could be repaired. */
export async function fixData(findings: readonly AuditFinding[], store: Store): Promise<number> {
  let fixed = 0;
  for (const { fix } of findings) {
    if (fix && (await fixOne(fix, store))) fixed += 1;
  }
  return fixed;
}

/** False where the engine refuses the repair, such as the removal of an item that others refer to or that the site needs. */
async function fixOne(fix: NonNullable<AuditFinding['fix']>, store: Store): Promise<boolean> {
  try {
    await store.transaction((tx) => fix(tx));
    return true;
  } catch (error) {
    // Also where the repaired value would be one that another item has: unique indexes refuse it.
    if (isDuplicate(error) || (error instanceof ResourceError && error.statusFor(true) < 500)) return false;
    throw error;
  }
}

async function danglingReferences(
  model: ResourceModel,
  reader: Reader,
  site?: Removal['site'],
): Promise<AuditFinding[]> {
  const table = model.table!.name;
  const all: AuditFinding[] = [];
  for (const field of model.fields.values()) {
    const findings: AuditFinding[] = [];
    const target = field.targets?.[0]?.table?.name;
    if (!target || !field.column || field.schema.onMissing === 'keep') continue;
    const column = field.column;
    const kinds = or(...targetsOfColumn(model, column).map((target) => target.rowScope));
    const where = and(
      model.rowScope,
      not(equals(column, 0)),
      not({ op: 'exists', table: target, outer: column, inner: 'id', where: kinds }),
    );
    const wanted = { table, columns: ['id', column], where, order: [], limit: MAX_FINDINGS + 1 };
    for (const row of await reader.select(wanted)) {
      const id = row['id'] as number;
      findings.push({
        message: `${model.name} ${id}: ${field.name} names ${row[column]}, which does not exist`,
        fix: async (tx) => {
          if (!(await tx.first(table, ['id'], and(equals('id', id), where)))) return;
          if (field.schema.onDelete === 'cascade')
            await removeRows(tx, model, [id], { ...(site ? { site } : {}), compensations: [] });
          else await moveReferences(tx, { table: model.table!, column }, 0, equals('id', id));
        },
      });
    }
    all.push(...mostOf(findings, `${model.name}: ${field.name}`));
  }
  return all;
}

async function danglingPairs(model: ResourceModel, reader: Reader): Promise<AuditFinding[]> {
  const all: AuditFinding[] = [];
  for (const field of model.fields.values()) {
    if (!field.many) continue;
    const findings: AuditFinding[] = [];
    const { table, value, target } = field.many;
    const owners = pairOwners(model, table);
    // Resources of one table share the pairs of fields of one name: those of no item are found with the first of them.
    const lost = owners[0]![0] === model ? [not(rowOf(model.table!.name, 'owner_id', ownerScope(model, owners)))] : [];
    if (target?.table) {
      const targets = owners.flatMap(([owner, each]) => (each?.table && mayBeBoth(owner, model) ? [each] : []));
      const found = targets.map((each) => rowOf(each.table!.name, value, each.rowScope));
      lost.push(and(rowOf(model.table!.name, 'owner_id', model.rowScope), not(or(...found))));
    }
    const where = or(...lost);
    const columns = ['owner_id', value];
    for (const row of await reader.select({ table, columns, where, order: [], limit: MAX_FINDINGS + 1 })) {
      const pair = and(equals('owner_id', row['owner_id']), equals(value, row[value]));
      findings.push({
        message: `${model.name} ${row['owner_id']}: ${field.name} pairs it with ${row[value]}, one of which does not exist`,
        fix: async (tx) => {
          if (!(await tx.first(table, columns, and(pair, where)))) return;
          await tx.delete(table, pair);
          await tx.update(model.table!.name, NEXT_VERSION, and(equals('id', row['owner_id']), model.rowScope));
        },
      });
    }
    all.push(...mostOf(findings, `${model.name}: ${field.name}`));
  }
  return all;
}

/** A resource whose items have pairs, and what these lead to. */
type PairOwner = readonly [owner: ResourceModel, target: ResourceModel | undefined];

/** The resources whose items have pairs in a table, and what these lead to. */
function pairOwners(model: ResourceModel, pairs: string): PairOwner[] {
  const all = model.site.ofTable.get(model.table!.name) ?? [];
  return all.flatMap((owner) =>
    [...owner.fields.values()].flatMap(({ many }) => (many?.table === pairs ? [[owner, many.target] as const] : [])),
  );
}

/** Rows that may have pairs: those of their owners, and those that belong to no resource now. */
function ownerScope(model: ResourceModel, owners: readonly PairOwner[]): Predicate {
  const all = model.site.ofTable.get(model.table!.name) ?? [];
  return or(...owners.map(([owner]) => owner.rowScope), not(or(...all.map(({ rowScope }) => rowScope))));
}

function rowOf(table: string, outer: string, where: Predicate): Predicate {
  return { op: 'exists', table, outer, inner: 'id', where };
}

/** Whether a row may belong to both resources. */
function mayBeBoth(a: ResourceModel, b: ResourceModel): boolean {
  return Object.entries(a.discriminator).every(
    ([column, value]) => !(column in b.discriminator) || b.discriminator[column] === value,
  );
}

/** Meta tables with the table of the owning items. */
function metaOwners(models: ModelSet): Map<string, string> {
  const owners = new Map<string, string>();
  for (const model of models.byName.values()) {
    for (const { meta } of model.fields.values()) if (meta && model.table) owners.set(meta.table, model.table.name);
  }
  return owners;
}

async function orphanedMeta(table: string, owner: string, reader: Reader): Promise<AuditFinding[]> {
  const where = not({ op: 'exists', table: owner, outer: 'owner_id', inner: 'id', where: { op: 'true' } });
  const wanted = { table, columns: ['id', 'owner_id'], where, order: [], limit: MAX_FINDINGS + 1 };
  const findings = (await reader.select(wanted)).map((row) => ({
    message: `${table} ${row['id']}: belongs to ${row['owner_id']}, which does not exist`,
    fix: async (tx: Transaction) => {
      const found = equals('id', row['id']);
      if (await tx.first(table, ['id'], and(found, where))) await tx.delete(table, found);
    },
  }));
  return mostOf(findings, table);
}
