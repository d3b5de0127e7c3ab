// Rules between the fields of an item, checked on the row as it was written; a row that breaks one is rolled back.
import { invalidParams, type ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { and, equals, not, or, type Predicate, type Row, TRUE } from '../model/query.js';
import type { TableModel } from '../model/table.js';
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
  const predicates = Object.fromEntries(
    checks.map(({ rule }, index) => [`check${index}`, nullsHold(rule(op.actor), table!)]),
  );
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
    const rule = nullsHold(check.rule(op.actor), op.model.table!);
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

/** The same rule, in which comparisons with a missing value hold: null, or the empty text of a date or time. */
function nullsHold(part: Predicate, table: TableModel): Predicate {
  const isTime = (column: string): boolean => {
    const { kind, contentType } = table.columns.get(column) ?? {};
    return kind === 'datetime' || contentType === 'date' || contentType === 'time';
  };
  const missing = (column: string): Predicate =>
    isTime(column) ? or({ op: 'null', column }, { op: 'eq', column, value: '' }) : { op: 'null', column };
  switch (part.op) {
    case 'and':
      return and(...part.of.map((each) => nullsHold(each, table)));
    case 'or':
      return or(...part.of.map((each) => nullsHold(each, table)));
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return or(missing(part.column), part);
    case 'columns':
      return or(missing(part.left), missing(part.right), part);
    case 'ne':
      // Stands beside a comparison: that its field is not empty.
      return part.value === '' && isTime(part.column) ? TRUE : part;
    case 'not':
      return not(part.of);
    default:
      return part;
  }
}
