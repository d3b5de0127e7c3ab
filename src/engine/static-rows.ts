// Lists and items of static resources, whose rows come from the compiled schemas themselves.
import { ResourceError } from '../errors/resource-error.js';
import type { Operation, Result, View } from '../model/operation.js';
import type { Row } from '../model/query.js';
import { evaluate } from './rights/evaluate.js';
import { authorize, checkParams } from './rights/policy.js';
import { predicateFor } from './rights/predicate-for.js';
import { present } from './presentation/present.js';
import { itemNotFound } from '../errors/not-found.js';

/** The rows that the caller may read, as an object keyed by `list.keyedBy` or as a list. */
export async function listStatic(op: Operation): Promise<Result> {
  await checkParams(op);
  const shown = await rowsFor(op, op.context === 'edit' ? 'edit' : 'read');
  if (op.context === 'edit' && shown.length === 0 && op.model.static!.rows.length > 0)
    throw new ResourceError(listCode(op), { like: 'rest_cannot_view', denied: true });
  const rows = [];
  for (const row of shown) if (await matchesParams(op, row)) rows.push(row);
  const views = await present(op, rows);
  const { keyedBy } = op.model.list;
  const column = op.model.fields.get(keyedBy ?? '')?.column ?? keyedBy;
  return { status: 200, body: column ? byKey(views, rows, column) : views };
}

/** One row by its key. */
export async function retrieveStatic(op: Operation): Promise<Result> {
  const key = op.model.key.column ?? op.model.key.name;
  const row = op.model.static!.rows.find((candidate) => String(candidate[key]) === String(op.id)) as Row | undefined;
  if (!row)
    throw itemNotFound({ labels: op.model.labels, code: op.model.errors.notFound, like: 'rest_no_route' }, op.id);
  for (const [index, step] of op.model.policy.retrieve.entries()) {
    op.ruleResults[`retrieve:${index}`] = await evaluate(step.needs(op.actor), row, undefined);
  }
  await authorize(op, row);
  const [view] = await present(op, [{ ...row }]);
  return { status: 200, body: view, allow: ['GET'] };
}

async function rowsFor(op: Operation, rule: 'read' | 'edit'): Promise<Row[]> {
  const readable = op.model.rules.get('read')!(op.actor);
  const predicate = op.model.rules.get(rule)!(op.actor);
  const rows: Row[] = [];
  for (const row of op.model.static!.rows as Row[]) {
    if ((await evaluate(readable, row, undefined)) && (await evaluate(predicate, row, undefined)))
      rows.push({ ...row });
  }
  return rows;
}

function listCode(op: Operation): string {
  return op.model.schema.errors?.list ?? 'rest_cannot_view';
}

/** Applies parameters with a field to the rows: `type=post` of taxonomies. */
async function matchesParams(op: Operation, row: Row): Promise<boolean> {
  for (const param of op.model.listParams.values()) {
    const value = op.params[param.name];
    if (!param.schema.field || value === undefined || value === null) continue;
    const stored = row[op.model.fields.get(param.schema.field)?.column ?? param.schema.field];
    const rows = param.guard && predicateFor(param.guard, op.actor);
    if (rows?.op === 'false') throw new ResourceError('rest_forbidden_param', { denied: true });
    if (![stored].flat().includes(value) || (rows && !(await evaluate(rows, row, undefined)))) return false;
  }
  return true;
}

function byKey(views: View[], rows: Row[], name: string): Record<string, View> {
  return Object.fromEntries(views.map((view, index) => [String(rows[index]![name]), view]));
}
