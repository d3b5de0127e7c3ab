// Runs the permission checks of an operation in the order of the schema.
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { inScope } from '../../model/actor.js';
import type { PolicyStep } from '../../model/permissions.js';
import { newOperation } from '../../model/new-operation.js';
import type { Operation } from '../../model/operation.js';
import { equals, type Predicate, type Row } from '../../model/query.js';
import { notFoundMessage } from '../../errors/not-found.js';
import { evaluate } from './evaluate.js';
import { predicateFor } from './predicate-for.js';
import { stepApplies, refers, virtualRow } from './policy-steps.js';
import { passes } from './policy-results.js';

/** Checks on parameters, reported inside `rest_invalid_param`; they run before all others. */
export async function checkParams(op: Operation): Promise<void> {
  const steps = op.model.policy[op.kind].filter((step) => step.asParameterError && stepApplies(step, op));
  const issues = [];
  for (const step of steps) {
    if (await isSatisfied(step, op)) continue;
    const error = errorOf(step, op);
    const status = error.statusFor(op.actor.id > 0);
    issues.push({ param: step.param ?? '', code: step.error, message: error.message, data: { status } });
  }
  if (issues.length > 0) throw invalidParams(issues);
}

/** Rejects an operation outside the scope of its caller's credential. */
export function requireScope({ actor, model, kind }: Operation): void {
  if (!inScope(actor, model.path, kind)) throw new ResourceError('rest_forbidden_scope', { denied: true });
}

/** Throws the error of the first step that applies and fails. A failed `keepAllow` step leaves the method allowed. */
export async function authorize(op: Operation, current?: Row): Promise<void> {
  requireScope(op);
  const stored = current && { ...current, ...(await setsSent(op, current)) };
  for (const [index, step] of op.model.policy[op.kind].entries()) {
    if (step.asParameterError || !stepApplies(step, op, stored)) continue;
    // A reference that was sent is checked against its new target, not the stored one.
    const known = current && !refers(step, op.model) ? op.ruleResults[`${op.kind}:${index}`] : undefined;
    if (known ?? (await isSatisfied(step, op, current))) continue;
    const error = errorOf(step, op, await forbiddenParams(step, op));
    error.denied = !step.keepAllow;
    throw error;
  }
}

/**
 * Rejects an operation on a loaded item whose caller must not learn that it exists: retrieving it is refused as if it did
 * not. No method on it is allowed then, where some would be on an item that is missing.
 */
export function rejectHidden(op: Operation): void {
  const { policy, errors } = op.model;
  const refused = policy.retrieve.find(
    ({ field, param, needs }, index) =>
      !field &&
      param === undefined &&
      !(op.ruleResults[`retrieve:${index}`] ?? predicateFor(needs, op.actor).op === 'true'),
  );
  if (refused?.error === errors.notFound) throw errorOf(refused, op);
}

/**
 * Stored values of the sets that were sent and that a step compares: sending them back unchanged needs no permission.
 */
async function setsSent(op: Operation, current: Row): Promise<Row> {
  const sets: Row = {};
  const compared = op.model.policy[op.kind].filter((step) => step.changed).flatMap((step) => step.field ?? []);
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
 * Rejects a caller who may not see the children of a parent before revealing whether a child exists, there or below
 * another parent. Other callers get the 404 that follows.
 */
export async function rejectAnonymous(op: Operation): Promise<void> {
  const { parent, operations } = op.model;
  if (!parent || (await passes(op, 'list'))) return;
  await authorize(op);
  // An action other than the standard operations counts as a change of the parent.
  if (!operations.has(op.kind)) await authorize(newOperation({ ...op, model: parent.model, values: {}, raw: {} }));
}

/** Error message that names every forbidden parameter, where several steps share one error. */
async function forbiddenParams(step: PolicyStep, op: Operation): Promise<{ message?: string }> {
  const steps = op.model.policy[op.kind].filter((other) => other.error === step.error && other.param !== undefined);
  if (steps.length < 2) return {};
  const names: string[] = [];
  for (const other of steps) if (stepApplies(other, op) && !(await isSatisfied(other, op))) names.push(other.param!);
  return { message: `${errorOf(step, op).message} Refused: ${names.join(', ')}.` };
}

/** The error of a step; a code declared in the schema takes status and message of the operation's default code. */
function errorOf(step: PolicyStep, op: Operation, more: { message?: string } = {}): ResourceError {
  const names = step.field?.join(', ');
  return new ResourceError(step.error, {
    like: kindOf(step, op),
    // The error of a hidden item is that of a missing one: it names the key in the path, which the caller knows.
    ...(step.error === op.model.errors.notFound ? notFoundMessage(op.model.labels, op.state.sought ?? op.id) : {}),
    ...(names === undefined ? {} : { wording: `You may not set ${names} so. Leave it out, or send another value.` }),
    ...more,
  });
}

function kindOf({ param, error }: PolicyStep, { kind, model }: Operation): string {
  if (error === model.errors.notFound) return 'rest_post_invalid_id';
  if (param === 'context' || error === model.errors.context) return 'rest_forbidden_context';
  if (kind === 'list') return param === undefined ? 'rest_forbidden' : 'rest_forbidden_param';
  const codes = { create: 'rest_cannot_create', update: 'rest_cannot_edit', delete: 'rest_cannot_delete' };
  return kind === 'retrieve' ? 'rest_forbidden' : codes[kind];
}

async function isSatisfied(step: PolicyStep, op: Operation, current?: Row): Promise<boolean> {
  const predicate = predicateFor(step.needs, op.actor);
  if (predicate.op === 'true' || predicate.op === 'false') return predicate.op === 'true';
  // A list is narrowed by the rule instead of rejected, unless a parent in the path decides for all rows.
  if (op.kind === 'list' && !op.model.parent) return true;
  return evaluate(predicate, virtualRow(op, current), op.store);
}

/** Row conditions of the steps about list parameters; those about `context` are covered by the rules of the list. */
export function listConditions(op: Operation): Predicate[] {
  return op.model.policy.list
    .filter((step) => step.param !== undefined && step.param !== 'context' && stepApplies(step, op))
    .map((step) => predicateFor(step.needs, op.actor));
}
