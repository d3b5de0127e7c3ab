// Rules between the fields of an item, checked on the row as it was written; a row that breaks one is rolled back.
import { invalidParams, type ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { and, equals, not, or, type Predicate, type Row } from '../model/query.js';
import type { Transaction } from '../model/store.js';
import { evaluate } from './rights/evaluate.js';

/** Code of the error of such a rule. */
const CODE = 'rest_check_failed';

/**
 * Evaluates every rule on the written item.
 * @throws ResourceError naming the fields of the rules that do not hold
 */
export async function checkRow(op: Operation, tx: Transaction): Promise<void> {
  const { checks, table } = op.model;
  if (checks.length === 0 || op.trusted) return;
  const predicates = Object.fromEntries(checks.map(({ rule }, index) => [`check${index}`, nullsHold(rule(op.actor))]));
  const row = await tx.first(table!.name, ['id'], equals('id', op.id as number), predicates);
  const failed = checks.filter((_, index) => row && !row[`check${index}`]);
  if (failed.length > 0) throw refusal(failed);
}

/**
 * Evaluates the rules on a row that could not be written because its unique values are taken: that they are is only for
 * those whose item would be accepted otherwise. Rules about what the database relates to a written row are left out.
 * @throws ResourceError naming the fields of the rules that do not hold
 */
export async function checkUnwritten(op: Operation, tx: Transaction, row: Row): Promise<void> {
  if (op.trusted) return;
  const failed: ResourceModel['checks'][number][] = [];
  for (const check of op.model.checks) {
    const rule = nullsHold(check.rule(op.actor));
    if (isAboutValues(rule) && !(await evaluate(rule, row, tx))) failed.push(check);
  }
  if (failed.length > 0) throw refusal(failed);
}

function refusal(failed: ResourceModel['checks']): ResourceError {
  return invalidParams(
    failed.flatMap(({ fields, message }) => fields.map((param) => ({ param, code: CODE, message }))),
  );
}

/** Whether a rule looks at the values of the row alone, and at what they refer to. */
function isAboutValues(part: Predicate): boolean {
  if (part.op === 'and' || part.op === 'or') return part.of.every(isAboutValues);
  if (part.op === 'not') return isAboutValues(part.of);
  return part.op !== 'exists' || part.outer !== 'id';
}

/** The same rule, in which comparisons with null hold. */
function nullsHold(part: Predicate): Predicate {
  switch (part.op) {
    case 'and':
      return and(...part.of.map(nullsHold));
    case 'or':
      return or(...part.of.map(nullsHold));
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return or({ op: 'null', column: part.column }, part);
    case 'columns':
      return or({ op: 'null', column: part.left }, { op: 'null', column: part.right }, part);
    case 'not':
      return not(part.of);
    default:
      return part;
  }
}
