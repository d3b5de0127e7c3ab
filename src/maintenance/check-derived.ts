// Finds items whose derived columns do not match their fields, because a process with an earlier schema or version wrote them.
import { staleColumns } from '../engine/derive-row.js';
import { rowsOf } from '../engine/shared-table.js';
import { isDuplicate } from '../engine/writes/duplicate.js';
import { commandLine } from '../errors/command-line.js';
import { ResourceError } from '../errors/resource-error.js';
import { portionsOf } from '../model/functions/update-in-portions.js';
import type { AuditFinding } from '../model/hooks.js';
import type { ResourceModel } from '../model/model.js';
import { and, equals, NEXT_VERSION, not } from '../model/query.js';
import type { Scalar } from '../model/schema/schema.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import { MAX_FINDINGS } from './most-findings.js';

/** Rows per statement; low, because the rows include all texts. */
const BATCH = 100;

type Changes = Record<string, Scalar>;

/** The stale items of a resource, at most `most`; `site` as for `deriveRow`. */
export async function staleDerived(
  model: ResourceModel,
  reader: Reader,
  site: Store,
  most = MAX_FINDINGS,
): Promise<AuditFinding[]> {
  const findings: AuditFinding[] = [];
  const { name: table, columns } = model.table!;
  const wanted = { table, columns: [...columns.keys()], where: rowsOf(model) };
  for await (const rows of portionsOf(reader, wanted, BATCH)) {
    for (const row of rows) {
      const changes = staleColumns(model, row, site);
      if (Object.keys(changes).length === 0) continue;
      if (findings.length === most) return [...findings, unlisted(model, most)];
      const shared = await sharedValue(model, row['id'] as number, changes, reader);
      findings.push(shared ?? stale(model, row['id'] as number, changes, site));
    }
  }
  return findings;
}

function stale(model: ResourceModel, id: number, changes: Changes, site: Store): AuditFinding {
  return {
    message: `${model.name} ${id}: ${Object.keys(changes).join(', ')} do not match the fields that they are computed from`,
    fix: (tx) => renew(model, id, tx, site),
  };
}

async function renew(model: ResourceModel, id: number, tx: Transaction, site: Store): Promise<void> {
  const table = model.table!.name;
  const row = await tx.first(table, [...model.table!.columns.keys()], and(equals('id', id), rowsOf(model)));
  const changes = row ? staleColumns(model, row, site) : {};
  if (Object.keys(changes).length === 0) return;
  await tx.update(table, { ...changes, ...NEXT_VERSION }, equals('id', id)).catch((error: unknown) => {
    // Another item already has the unique value: the next check names both.
    throw isDuplicate(error) ? new ResourceError('rest_invalid_param') : error;
  });
}

/** The finding for an item that shares a unique value with another one. */
async function sharedValue(
  model: ResourceModel,
  id: number,
  changes: Changes,
  reader: Reader,
): Promise<AuditFinding | undefined> {
  for (const { column, fields } of model.uniques) {
    const value = changes[column];
    if (value === undefined || value === null) continue;
    const others = and(model.rowScope, equals(column, value), not(equals('id', id)));
    const other = await reader.first(model.table!.name, ['id'], others);
    const names = fields.map(({ name }) => name).join(' and ');
    if (other)
      return {
        message: `${model.name} ${id}: has the same ${names} as ${other['id']}, which the schema does not allow: change one of them`,
      };
  }
  return undefined;
}

function unlisted(model: ResourceModel, most: number): AuditFinding {
  const rest = `more than ${most} items have columns that do not match their fields`;
  return {
    message: `${model.name}: ${rest}: compute all with ${commandLine('rerender')}`,
  };
}
