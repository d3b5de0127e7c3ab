// The key by which names of terms are compared, and its check in `check --data`.
import type { AuditFinding } from '../../model/hooks.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, type Row } from '../../model/query.js';
import type { Reader, Transaction } from '../../model/store.js';
import { portionsOf } from '../../model/functions/update-in-portions.js';
import { fold } from '../../text/fold.js';

/** Maximum length of a name, in bytes. */
export const MAX_NAME_BYTES = 200;

/** Column with the key of the name. */
export const NAME_KEY = 'name_key';

/** The key of a name: without case and accents, and not longer than the column. */
export function nameKey(name: unknown): string {
  // The end may be within a surrogate pair.
  return fold(String(name ?? ''))
    .slice(0, MAX_NAME_BYTES)
    .toWellFormed();
}

/** Terms whose key is not that of their name: a name that another term has would not be refused. */
export async function wrongNameKeys(model: ResourceModel, reader: Reader): Promise<AuditFinding[]> {
  const { name: table } = model.table!;
  const columns = ['id', model.fields.get('name')!.column!, NAME_KEY];
  const findings: AuditFinding[] = [];
  for await (const rows of portionsOf(reader, { table, columns, where: model.rowScope }))
    for (const row of rows) if (isWrong(model, row)) findings.push(wrongKey(model, row['id'] as number));
  return findings;
}

function wrongKey(model: ResourceModel, id: number): AuditFinding {
  return {
    message: `${model.name} ${id}: ${NAME_KEY} does not match the name`,
    fix: (tx) => renewKey(model, id, tx),
  };
}

async function renewKey(model: ResourceModel, id: number, tx: Transaction): Promise<void> {
  const table = model.table!.name;
  const { column } = model.fields.get('name')!;
  const where = and(model.rowScope, equals('id', id));
  const row = await tx.first(table, [column!, NAME_KEY], where);
  if (row && isWrong(model, row)) await tx.update(table, { [NAME_KEY]: nameKey(row[column!]) }, where);
}

function isWrong(model: ResourceModel, row: Row): boolean {
  return row[NAME_KEY] !== nameKey(row[model.fields.get('name')!.column!]);
}
