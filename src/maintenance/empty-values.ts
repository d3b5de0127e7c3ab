// Replaces empty texts by null in fields that have become nullable: items show both as null, but only null is found by
// conditions on null.
import { isDeepStrictEqual } from 'node:util';
import { deriveRow } from '../engine/derive-row.js';
import { rowsOf } from '../engine/shared-table.js';
import type { FieldModel } from '../model/field.js';
import { portionsOf } from '../model/functions/update-in-portions.js';
import type { AuditFinding } from '../model/hooks.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import { and, equals, oneOf, or, type Predicate, type Row } from '../model/query.js';
import type { Scalar } from '../model/schema/schema.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import { MAX_FINDINGS, mostOf } from './most-findings.js';
import { recorded, storedModels } from './recorded-rules.js';

/** Rows per transaction. */
const BATCH = 100;

/**
 * Replaces the empty texts of fields that were not nullable at the last start. To be called before the rules are
 * recorded, so that an interrupted run is repeated. Versions and dates of items do not change: they look the same.
 */
export async function replaceEmptyValues(models: ModelSet, store: Store): Promise<void> {
  const before = await recorded(store.reader);
  for (const model of storedModels(models)) {
    const previous = before.get(model.name);
    const fields = nullableFields(model).filter(
      ({ name }) => previous?.table !== model.table!.name || previous.fields[name]?.nullable !== true,
    );
    if (fields.length === 0) continue;
    const wanted = { table: model.table!.name, columns: ['id'], where: and(rowsOf(model), anyEmpty(fields)) };
    for await (const rows of portionsOf(store.reader, wanted, BATCH)) {
      const ids = rows.map((row) => row['id'] as number);
      await store.transaction((tx) => replaceSome(model, fields, ids, { tx, store }));
    }
  }
}

/** Empty texts where null is expected, as findings of `check --data`. */
export async function emptyValues(model: ResourceModel, reader: Reader, store: Store): Promise<AuditFinding[]> {
  const fields = nullableFields(model);
  if (fields.length === 0) return [];
  const columns = ['id', ...fields.map(columnOf)];
  const where = and(rowsOf(model), anyEmpty(fields));
  const order = [{ column: 'id', direction: 'asc' as const }];
  const rows = await reader.select({ table: model.table!.name, columns, where, order, limit: MAX_FINDINGS + 1 });
  const findings = rows.map((row) => {
    const names = fields.filter((field) => row[columnOf(field)] === '').map(({ name }) => name);
    return {
      message: `${model.name} ${row['id']}: ${names.join(', ')} ${names.length === 1 ? 'is an empty text' : 'are empty texts'}, not null, which conditions on null do not find`,
      fix: (tx: Transaction) => replaceSome(model, fields, [row['id'] as number], { tx, store }),
    };
  });
  return mostOf(findings, `${model.name}: empty texts`);
}

/** Fields that show an empty text as null. */
function nullableFields({ fields }: ResourceModel): FieldModel[] {
  return [...fields.values()].filter(({ nullForEmpty, column }) => nullForEmpty && column);
}

function columnOf({ column }: FieldModel): string {
  return column!;
}

function anyEmpty(fields: readonly FieldModel[]): Predicate {
  return or(...fields.map((field) => equals(columnOf(field), '')));
}

async function replaceSome(
  model: ResourceModel,
  fields: readonly FieldModel[],
  ids: readonly number[],
  { tx, store }: { tx: Transaction; store: Store },
): Promise<void> {
  const { name: table, columns } = model.table!;
  // Another process may give an item a value meanwhile.
  tx.alone();
  const where = and(oneOf('id', ids), rowsOf(model), anyEmpty(fields));
  const rows = await tx.select({ table, columns: [...columns.keys()], where, order: [] });
  for (const row of rows) await tx.update(table, changesOf(model, fields, row, store), equals('id', row['id']));
}

/** The columns that change, with those that are computed from them. Other computed columns are left to their own checks. */
function changesOf(
  model: ResourceModel,
  fields: readonly FieldModel[],
  row: Row,
  store: Store,
): Record<string, Scalar> {
  const empty = fields.map(columnOf).filter((name) => row[name] === '');
  const set = Object.fromEntries(empty.map((name) => [name, null]));
  if (model.derive.length === 0) return set;
  const [before, after] = [row, { ...row, ...set }].map((each) => deriveRow(model, each, store));
  const changed = Object.entries(after!).filter(([name, value]) => !isDeepStrictEqual(before![name], value));
  return { ...Object.fromEntries(changed), ...set };
}
