// Many items of one resource at once, each with the permissions of its own retrieval.
import { itemNotFound } from '../../errors/not-found.js';
import { ResourceError } from '../../errors/resource-error.js';
import { newOperation } from '../../model/new-operation.js';
import type { Operation, View } from '../../model/operation.js';
import { and, oneOf, type Predicate, type Row } from '../../model/query.js';
import { authorize, checkParams } from '../rights/policy.js';
import { present } from '../presentation/present.js';
import { neverSeen } from '../rights/field-rights.js';
import type { RowChecks } from '../rights/predicate-for.js';
import { rowChecks } from '../rights/row-checks.js';
import { selectionOf } from '../presentation/selection.js';

const ID = 'id';

/** Items, or the errors of their retrieval, by id. */
export type Found<T> = Map<number, T | ResourceError>;

/**
 * Items by id, in the context of the operation, which is a retrieval without an id. The number of statements does not
 * depend on the number of ids. For resources with a table and no parent, whatever names them in URLs.
 */
export async function retrieveMany(op: Operation, ids: readonly number[]): Promise<Found<View>> {
  const found: Found<View> = new Map();
  const rows = await load(op, ids);
  const shown: Row[] = [];
  const decide = decider(op);
  for (const id of ids) {
    const entry = rows.get(id);
    const refused = entry ? await decide(entry) : itemNotFound(missing(op), id);
    if (refused) found.set(id, refused);
    else if (entry) shown.push(entry.row);
  }
  // Presented like a list: one response contains all of them.
  const list = newOperation({ ...op, kind: 'list' });
  const views = await present(list, shown);
  shown.forEach((row, index) => found.set(row[ID] as number, views[index]!));
  return found;
}

function missing({ model }: Operation) {
  return { labels: model.labels, code: model.errors.notFound };
}

/** A row with the results of the rules on it. */
interface Judged {
  row: Row;
  results: Record<string, boolean>;
}

async function load(op: Operation, ids: readonly number[]): Promise<Map<number, Judged>> {
  const { model, store } = op;
  const table = model.table!.name;
  const { columns, virtualColumns } = selectionOf(model, op.context, undefined, false, neverSeen(model, op.actor));
  const where = and(oneOf(ID, ids), model.rowScope);
  const rows = await store.select({
    table,
    columns: [...new Set([...columns, ID, 'row_version', ...model.lightColumns])],
    adds: virtualColumns,
    where,
    order: [],
    ...(op.budget ? { budget: op.budget } : {}),
  });
  const { settled, predicates, columns: ruleColumns } = retrievalChecks(op);
  const judged =
    Object.keys(predicates).length > 0 ? await store.judge(table, [ID, 'row_version'], where, predicates) : [];
  const judgedById = new Map(judged.map((row) => [row[ID] as number, row]));
  const found = new Map<number, Judged>();
  for (const row of rows) {
    const judgedRow = judgedById.get(row[ID]);
    // The rules were evaluated on another version of the row: treated as missing.
    if (judged.length > 0 && judgedRow?.['row_version'] !== row['row_version']) continue;
    const results = { ...settled };
    for (const [name, column] of ruleColumns) results[name] = Boolean(judgedRow?.[column]);
    found.set(row[ID] as number, { row, results });
  }
  return found;
}

/** The rules to evaluate per row; those that are true or false for all rows are decided already. */
function retrievalChecks(op: Operation): RowChecks {
  const rules = rowChecks(op, ['retrieve']);
  // Whether a link is shown is decided for all rows at once, as in lists.
  const columns = rules.columns.filter(([name]) => !name.startsWith('link:'));
  const predicates: Record<string, Predicate> = {};
  for (const [, column] of columns) predicates[column] = rules.predicates[column]!;
  const more = Object.entries(op.model.faces.asked?.(op.actor) ?? {});
  for (const [name, predicate] of more) predicates[name] = predicate;
  return { settled: rules.settled, predicates, columns: [...columns, ...more.map(([name]) => [name, name] as const)] };
}

/** Decides about rows: once for all of them, where no rule depends on the row. */
function decider(op: Operation): (entry: Judged) => Promise<ResourceError | undefined> {
  const looks = op.model.hooks.authorize.some(({ kinds }) => !kinds || kinds.includes('retrieve'));
  const isOne = !looks && Object.keys(retrievalChecks(op).predicates).length === 0;
  let decided: Promise<ResourceError | undefined> | undefined;
  return (entry) => (isOne ? (decided ??= refusalOf(op, entry)) : refusalOf(op, entry));
}

/** The error with which the retrieval of one row would be refused. */
async function refusalOf(op: Operation, { row, results }: Judged): Promise<ResourceError | undefined> {
  const own = newOperation({ ...op, id: row['id'] as number, ruleResults: results, state: {}, related: new Map() });
  try {
    for (const hook of op.model.hooks.authorize) await hook.run(own, row);
    await checkParams(own);
    await authorize(own, row);
    return undefined;
  } catch (error) {
    if (error instanceof ResourceError && error.statusFor(op.actor.id > 0) < 500) return error;
    throw error;
  }
}
