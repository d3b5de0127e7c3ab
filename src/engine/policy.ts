// Runs the checks of an operation in the order the schema gives them (decisions 9.11, 9.12) and says which methods remain (4.3).
import { invalidParams, ResourceError } from '../errors/resource-error.js';
import type { PolicyStep, ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { equals, type Predicate, type Row } from '../model/query.js';
import type { OperationKind } from '../model/schema.js';
import { holds } from './holds.js';
import { predicateFor } from './predicate-for.js';

/** Predicates that the load of the current row answers along with it; constants are left out. */
export function rowChecks(op: Operation, kinds: readonly OperationKind[]): Record<string, Predicate> {
  const checks: Record<string, Predicate> = {};
  const ask = (name: string, predicate: Predicate) => {
    if (predicate.op === 'true' || predicate.op === 'false') op.may[name] = predicate.op === 'true';
    else checks[name] = predicate;
  };
  for (const [name, rule] of op.model.rules) ask(name, predicateFor(rule, op.actor));
  for (const kind of kinds) {
    op.model.policy[kind].forEach((step, index) => ask(`${kind}:${index}`, predicateFor(step.needs, op.actor)));
  }
  for (const link of op.model.links) if (link.needs) ask(`link:${link.rel}`, predicateFor(link.needs, op.actor));
  return checks;
}

/** Takes the answers of `rowChecks` off the loaded row. */
export function readChecks(op: Operation, row: Row, checks: Record<string, Predicate>): void {
  // The last one first: so the row keeps the shape it had before them.
  for (const name of Object.keys(checks).reverse()) {
    op.may[name] = Boolean(row[name]);
    delete row[name];
  }
}

/** Checks on parameters that are reported inside `rest_invalid_param` (decisions 27.2); they come before all others. */
export async function checkParams(op: Operation): Promise<void> {
  const steps = op.model.policy[op.kind].filter((step) => step.detail && applies(step, op));
  const refused = [];
  for (const step of steps) {
    if (await satisfied(step, op)) continue;
    const error = refusalOf(step, op);
    const status = error.statusFor(op.actor.id > 0);
    refused.push({ param: step.param ?? '', code: step.error, message: error.message, data: { status } });
  }
  if (refused.length > 0) throw invalidParams(refused);
}

/** Throws the error of the first step that applies and does not hold. Refusals of a `late` step leave the method allowed. */
export async function authorize(op: Operation, current?: Row): Promise<void> {
  const stored = current && { ...current, ...(await setsSent(op, current)) };
  for (const [index, step] of op.model.policy[op.kind].entries()) {
    if (step.detail || !applies(step, op, stored)) continue;
    // A reference that was sent is asked about where it leads now, not about where it led.
    const known = current && !refers(step, op.model) ? op.may[`${op.kind}:${index}`] : undefined;
    if (known ?? (await satisfied(step, op, current))) continue;
    const error = refusalOf(step, op, await refusedParams(step, op));
    error.denied = !step.late;
    throw error;
  }
}

/** What is stored of the sets that were sent and that a step compares: who sends them back unchanged needs no right to them. */
async function setsSent(op: Operation, current: Row): Promise<Row> {
  const sets: Row = {};
  const compared = op.model.policy[op.kind].filter((step) => step.changed).flatMap((step) => step.given ?? []);
  for (const name of new Set(compared)) {
    const many = op.model.fields.get(name)?.many;
    if (!many || !Array.isArray(op.values[name])) continue;
    const where = equals('owner_id', current['id']);
    const rows = await op.store.select({ table: many.table, columns: [many.value], where, order: [] });
    sets[`#${name}`] = rows.map((row) => row[many.value]);
  }
  return sets;
}

/**
 * Refuses a caller who may not see what is below a parent before he learns whether one such item exists, there or below
 * another parent. Everybody else is left to the 404 that follows.
 */
export async function refuseStrangers(op: Operation): Promise<void> {
  const { parent, operations } = op.model;
  if (!parent || (await passes(op, 'list'))) return;
  await authorize(op);
  // What is done to an item without being one of its operations is a change of its parent.
  if (!operations.has(op.kind)) await authorize({ ...op, model: parent.model, values: {}, raw: {} });
}

/** Wording that names every refused parameter, where several steps share one error (decisions 14.8). */
async function refusedParams(step: PolicyStep, op: Operation): Promise<{ message?: string }> {
  const steps = op.model.policy[op.kind].filter((other) => other.error === step.error && other.param !== undefined);
  if (steps.length < 2) return {};
  const refused: string[] = [];
  for (const other of steps) if (applies(other, op) && !(await satisfied(other, op))) refused.push(other.param!);
  return { message: `${refusalOf(step, op).message} Refused: ${refused.join(', ')}.` };
}

/** The error of a step; a code that only the schema knows takes status and wording of its kind. */
function refusalOf(step: PolicyStep, op: Operation, more: { message?: string } = {}): ResourceError {
  const names = step.given?.join(', ');
  return new ResourceError(step.error, {
    like: kindOf(step, op),
    ...(names === undefined ? {} : { wording: `You may not set ${names} so. Leave it out, or send another value.` }),
    ...more,
  });
}

function kindOf({ param, error }: PolicyStep, { kind, model }: Operation): string {
  if (param === 'context' || error === model.errors.context) return 'rest_forbidden_context';
  if (kind === 'list') return param === undefined ? 'rest_forbidden' : 'rest_forbidden_param';
  const codes = { create: 'rest_cannot_create', update: 'rest_cannot_edit', delete: 'rest_cannot_delete' };
  return kind === 'retrieve' ? 'rest_forbidden' : codes[kind];
}

async function satisfied(step: PolicyStep, op: Operation, current?: Row): Promise<boolean> {
  const predicate = predicateFor(step.needs, op.actor);
  if (predicate.op === 'true' || predicate.op === 'false') return predicate.op === 'true';
  // A list narrows its rows by the rule instead of refusing, unless a parent in the path decides for all of them.
  if (op.kind === 'list' && !op.model.parent) return true;
  return holds(predicate, virtualRow(op, current), op.store);
}

/** Whether a step is about a reference in the body. */
function refers(step: PolicyStep, model: ResourceModel): boolean {
  return step.given?.some((name) => model.fields.get(name)?.type === 'reference') ?? false;
}

/** The row an operation is about as it would be: what is stored, constants, parent, and the references that were sent. */
export function virtualRow(op: Operation, current?: Row): Row {
  const row: Row = { ...current, ...op.model.discriminator };
  for (const field of op.model.fields.values()) {
    if (field.column && field.type === 'reference')
      row[field.column] = idOf(op.values[field.name] ?? current?.[field.column]);
  }
  if (op.model.parent) row[op.model.parent.field.column!] = op.parentId;
  return row;
}

// What was refused may never have been validated.
function idOf(value: unknown): number {
  return Number.isSafeInteger(Number(value ?? 0)) ? Number(value ?? 0) : 0;
}

function applies(step: PolicyStep, op: Operation, current?: Row): boolean {
  if (step.given) return step.given.some((name) => given(step, name, op, current));
  if (step.param === undefined) return true;
  const value = op.params[step.param];
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return false;
  return matches(step, [value].flat(), op);
}

function given(step: PolicyStep, name: string, op: Operation, current?: Row): boolean {
  const field = op.model.fields.get(name);
  const value = field && !field.readOnly ? op.values[name] : op.raw[name];
  if (value === undefined || value === null) return false;
  if (step.changed && current && !changed(name, value, op, current)) return false;
  return matches(step, [value].flat() as any[], op);
}

function changed(name: string, value: unknown, op: Operation, current: Row): boolean {
  const field = op.model.fields.get(name);
  const before = field?.column ? current[field.column] : current[`#${name}`];
  if (Array.isArray(value)) return JSON.stringify([...value].sort()) !== JSON.stringify([...(before ?? [])].sort());
  return (typeof value === 'boolean' ? Number(value) : value) !== before;
}

function matches(step: PolicyStep, values: any[], op: Operation): boolean {
  if (step.in && !values.some((value) => step.in!.includes(value))) return false;
  if (step.notIn && values.every((value) => step.notIn!.includes(value))) return false;
  if (step.notMe && values.every((value) => value === op.actor.id || value === 0)) return false;
  return true;
}

/** Methods of a route that the caller may use, in route order. */
export async function allowed(op: Operation, route: 'collection' | 'item'): Promise<string[]> {
  const offers = (kind: OperationKind) => op.model.operations.has(kind);
  if (route === 'collection') {
    return [
      ...(offers('list') && (await passes(op, 'list')) ? ['GET'] : []),
      ...(offers('create') && (await passes(op, 'create')) ? ['POST'] : []),
    ];
  }
  return [
    ...(offers('retrieve') && stepsHold(op, 'retrieve') ? ['GET'] : []),
    ...(offers('update') && stepsHold(op, 'update') ? ['POST', 'PUT', 'PATCH'] : []),
    ...(offers('delete') && stepsHold(op, 'delete') ? ['DELETE'] : []),
  ];
}

/** Whether the unconditional steps of an item operation hold, as `rowChecks` found out. */
function stepsHold(op: Operation, kind: OperationKind): boolean {
  return op.model.policy[kind].every((step, index) => {
    if (step.given || (step.param && (kind !== op.kind || !applies(step, op)))) return true;
    return op.may[`${kind}:${index}`] ?? predicateFor(step.needs, op.actor).op === 'true';
  });
}

async function passes(op: Operation, kind: OperationKind): Promise<boolean> {
  for (const step of op.model.policy[kind]) {
    if (step.given || step.detail || (step.param && (kind !== op.kind || !applies(step, op)))) continue;
    const predicate = predicateFor(step.needs, op.actor);
    if (predicate.op === 'false') return false;
    // Of a list the rows decide, of an item to be made what was sent.
    const asked = kind === 'create' || op.model.parent !== undefined;
    if (predicate.op !== 'true' && asked && !(await holds(predicate, virtualRow(op), op.store))) return false;
  }
  return true;
}
