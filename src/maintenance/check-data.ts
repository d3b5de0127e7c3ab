// `check --data`: compares stored data with what it should be, and repairs it.
import type { ModelSet, ResourceModel } from '../model/model.js';
import type { AuditFinding } from '../model/hooks.js';
import { and, equals, not, or, type Predicate, type Row } from '../model/query.js';
import type { Site } from '../model/site/site.js';
import type { Reader, Store } from '../model/store.js';
import { removeRows } from '../engine/remove-rows.js';
import type { UploadFace } from '../model/faces.js';
import { isNamed } from './sweep-files.js';
import type { FileStorage } from '../model/site/file-storage.js';

type WithFiles = Pick<Site, 'files'>;

/**
 * All inconsistencies, in the order of the resources; `fix` of a finding repairs it, and with `site` removes the files of items that
 * it removes.
 */
export async function auditData(models: ModelSet, store: Store, site?: WithFiles): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  const metaTables = new Set(
    [...models.byName.values()].flatMap((model) => [...model.fields.values()].map((field) => field.meta?.table)),
  );
  for (const model of models.byName.values()) {
    // Meta tables are shared by several resources; orphaned rows are found with the resources they belong to.
    if (!model.table || metaTables.has(model.table.name)) continue;
    findings.push(...(await danglingReferences(model, store.reader, site)));
    findings.push(...(await danglingPairs(model, store.reader)));
    for (const audit of model.audits) findings.push(...(await audit(store.reader)));
  }
  for (const [table, owner] of metaOwners(models)) findings.push(...(await orphanedMeta(table, owner, store.reader)));
  const wrong = await store.transaction((tx) => tx.wrongCounters());
  findings.push(...wrong.map(({ table, message }): AuditFinding => ({ message, fix: (tx) => tx.recount(table) })));
  return findings;
}

/** Age from which a file that no item names is taken for one that was left behind: no upload takes as long. */
const MIN_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Items whose file is missing (lost, or never fetched by an import), which cannot be repaired, and files older than a day that no
 * item names, which are removed.
 */
export async function auditFiles(
  models: ModelSet,
  store: Store,
  site: Pick<Site, 'files' | 'now'>,
): Promise<AuditFinding[]> {
  const { files } = site;
  const findings: AuditFinding[] = [];
  const named = new Set<string>();
  // Listed before the items are read, so that a file whose item is deleted meanwhile is not taken for lost.
  const stored: string[] = [];
  for await (const key of files.list!(new Date(site.now() - MIN_AGE_MS))) stored.push(key);
  for (const model of models.byName.values()) {
    const { upload } = model.faces;
    if (!upload) continue;
    for await (const row of allRows(model, store.reader)) {
      const closed = upload.closed(row);
      if (closed) findings.push(openFile(model, row, closed, files));
      for (const key of upload.keysOf(row)) {
        named.add(key);
        if (await files.exists!(key)) continue;
        findings.push({ message: `${model.name} ${row['id']}: its file ${key} is not there` });
      }
    }
  }
  const isNamedNow = (key: string) => named.has(key) || named.has(files.originOf?.(key) ?? key);
  const lost = stored.filter((key) => !isNamedNow(key));
  return [...findings, ...lost.map((key) => strayFile(key, models, store, files))];
}

type Move = NonNullable<ReturnType<UploadFace['closed']>>;

/** A file that everybody may fetch, of an item whose files are behind its rules: uploaded before they were, or imported. */
function openFile(model: ResourceModel, row: Row, { keys, columns }: Move, files: FileStorage): AuditFinding {
  return {
    message: `${model.name} ${row['id']}: everybody may fetch its file ${keys[0]![0]}`,
    fix: async (tx) => {
      for (const [from, to] of keys) {
        if ((await files.exists!(from)) && !(await files.exists!(to))) await files.put(to, await files.open!(from));
      }
      const unchanged = and(equals('id', row['id']), equals('row_version', row['row_version']));
      const moved = await tx.update(model.table!.name, { ...columns, row_version: { increment: 1 } }, unchanged);
      if (moved > 0) tx.after(() => files.remove(keys.map(([from]) => from)));
    },
  };
}

function strayFile(key: string, models: ModelSet, store: Store, files: FileStorage): AuditFinding {
  return {
    message: `the file ${key} belongs to no item`,
    fix: async () => {
      for (const each of new Set([key, files.originOf?.(key) ?? key]))
        if (await isNamed(models, store.reader, each)) return;
      await files.remove([key]);
    },
  };
}

async function* allRows(model: ResourceModel, reader: Reader): AsyncGenerator<Row> {
  const query = { table: model.table!.name, columns: model.allColumns, limit: MAX_ROWS };
  for (let after = 0; ;) {
    const where = and(model.rowScope, { op: 'gt', column: 'id', value: after });
    const rows = await reader.select({ ...query, where, order: [{ column: 'id', direction: 'asc' }] });
    yield* rows;
    if (rows.length < MAX_ROWS) return;
    after = rows.at(-1)!['id'];
  }
}

/** Repairs findings, one transaction each; returns how many could be repaired. */
export async function fixData(findings: readonly AuditFinding[], store: Store): Promise<number> {
  let fixed = 0;
  for (const { fix } of findings) {
    if (!fix) continue;
    await store.transaction((tx) => fix(tx));
    fixed += 1;
  }
  return fixed;
}

/** Maximum number of rows per query; the next run finds the rest. */
const MAX_ROWS = 1000;

async function danglingReferences(model: ResourceModel, reader: Reader, site?: WithFiles): Promise<AuditFinding[]> {
  const table = model.table!.name;
  const findings: AuditFinding[] = [];
  for (const field of model.fields.values()) {
    const target = field.targets?.[0]?.table?.name;
    if (!target || !field.column || field.schema.onMissing === 'keep') continue;
    const column = field.column;
    const kinds = or(...duplicateTargets(model, column).map((target) => target.rowScope));
    const where = and(
      model.rowScope,
      not(equals(column, 0)),
      not({ op: 'exists', table: target, outer: column, inner: 'id', where: kinds }),
    );
    for (const row of await reader.select({ table, columns: ['id', column], where, order: [], limit: MAX_ROWS })) {
      const id = row['id'] as number;
      findings.push({
        message: `${model.name} ${id}: ${field.name} names ${row[column]}, which does not exist`,
        fix: async (tx) => {
          if (field.schema.onDelete === 'cascade')
            await removeRows(tx, model, [id], { ...(site ? { site } : {}), compensations: [] });
          else await tx.update(table, { [column]: 0 }, equals('id', id));
        },
      });
    }
  }
  return findings;
}

/** Resources that rows like these may refer to: revisions of posts and of pages differ in their parents alone. */
function duplicateTargets(model: ResourceModel, column: string): ResourceModel[] {
  const ours = JSON.stringify(model.discriminator);
  const siblings = (model.site.ofTable.get(model.table!.name) ?? []).filter(
    (other) => JSON.stringify(other.discriminator) === ours,
  );
  return siblings.flatMap((sibling) =>
    [...sibling.fields.values()].filter((field) => field.column === column).flatMap((field) => field.targets ?? []),
  );
}

async function danglingPairs(model: ResourceModel, reader: Reader): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  for (const field of model.fields.values()) {
    if (!field.many) continue;
    const { table, value, target } = field.many;
    const lost: Predicate[] = [
      not({ op: 'exists', table: model.table!.name, outer: 'owner_id', inner: 'id', where: model.rowScope }),
    ];
    if (target?.table)
      lost.push(not({ op: 'exists', table: target.table.name, outer: value, inner: 'id', where: target.rowScope }));
    for (const row of await reader.select({
      table,
      columns: ['owner_id', value],
      where: or(...lost),
      order: [],
      limit: MAX_ROWS,
    })) {
      findings.push({
        message: `${model.name} ${row['owner_id']}: ${field.name} pairs it with ${row[value]}, one of which does not exist`,
        fix: async (tx) =>
          void (await tx.delete(table, and(equals('owner_id', row['owner_id']), equals(value, row[value])))),
      });
    }
  }
  return findings;
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
  const rows = await reader.select({ table, columns: ['id', 'owner_id'], where, order: [], limit: MAX_ROWS });
  return rows.map((row) => ({
    message: `${table} ${row['id']}: belongs to ${row['owner_id']}, which does not exist`,
    fix: async (tx) => void (await tx.delete(table, equals('id', row['id']))),
  }));
}
