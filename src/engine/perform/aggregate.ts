// Counts, sums, averages, minima and maxima of a list, in groups: `aggregate=count,sum.price&group=status`. Only rows
// of the list count in which the caller may read every field named.
import type { ResourceModel } from '../../model/model.js';
import type { Operation, Result } from '../../model/operation.js';
import { and, type Aggregate, type Predicate, type Row, type SummaryRow } from '../../model/query.js';
import { QUERY_LIMITS, type AggregateFunction, type AggregateRequest } from '../../model/query-language.js';
import { ruleTimeReads } from '../../model/runtime/clock.js';
import { queryableField, wrong } from '../query/query-errors.js';
import type { ResourceService } from '../resource.service.js';
import { predicateFor } from '../rights/predicate-for.js';
import type { FieldModel } from '../../model/field.js';

const NUMBERS = ['integer', 'number', 'decimal'];
const ORDERED = [...NUMBERS, 'date', 'datetime', 'time'];
const GROUPED = ['boolean', 'integer', 'string', 'slug', 'reference', 'date', 'uuid', 'email', 'uri'];

/** One column of the summary and where it is shown. */
interface Wanted {
  name: Exclude<AggregateFunction, 'count'>;
  field: FieldModel;
  /** Positions among the aggregates that the database computes: for an average or a sum of numbers, those of sum and count. */
  at: number[];
}

/**
 * The summary of a list.
 * @throws ResourceError 400 for fields that it cannot be made of, and for too many groups
 */
export async function aggregateList(
  service: ResourceService,
  op: Operation,
  { values, group }: AggregateRequest,
): Promise<Result> {
  const reads = ruleTimeReads();
  const guards: Predicate[] = [];
  const by = group.map((name) => fieldFor('group', name, op, guards));
  const of: Aggregate[] = [];
  const addAggregate = (operation: Aggregate['operation'], column: string) => of.push({ operation, column }) - 1;
  const wanted = values.flatMap(({ name, field }): Wanted[] => {
    if (name === 'count') return [];
    const found = fieldFor(name, field!, op, guards);
    const column = found.column!;
    // The sum of numbers that is too large is as absent as that of no values.
    const counted = name === 'avg' || (name === 'sum' && found.type === 'number');
    const at = counted ? [addAggregate('sum', column), addAggregate('count', column)] : [addAggregate(name, column)];
    return [{ name, field: found, at }];
  });
  const { where } = await service.plan(op);
  if (reads !== ruleTimeReads()) op.state.volatile = true;
  const table = op.model.table!.name;
  const all = and(where, ...guards);
  const limit = QUERY_LIMITS.groupRows + 1;
  const columns = by.map(({ column }) => column!);
  const rows =
    columns.length + of.length === 0
      ? [{ by: [], count: await op.store.count(table, all), of: [] }]
      : await op.store.summarize({ table, by: columns, of, where: all, limit });
  if (rows.length === limit)
    throw wrong(
      'group',
      'rest_too_many_items',
      `makes more than ${QUERY_LIMITS.groupRows} groups. Request fewer items.`,
    );
  const counts = values.some(({ name }) => name === 'count');
  return { status: 200, body: rows.map((row) => renderRow(row, { by, wanted, counts }, op)) };
}

/** What a field is used for in a summary. */
type Use = 'group' | AggregateFunction;

const TYPES: Readonly<Record<Use, readonly string[]>> = {
  group: GROUPED,
  count: [],
  sum: NUMBERS,
  avg: NUMBERS,
  min: ORDERED,
  max: ORDERED,
};

/** Names of the fields that a summary may use in this way. */
export function fieldsFor(model: ResourceModel, use: Use): string[] {
  return [...model.query!.fields].filter(([, { field }]) => isFit(field, use)).map(([name]) => name);
}

function isFit({ column, type, reads }: FieldModel, use: Use): boolean {
  return column !== undefined && TYPES[use].includes(type) && reads.every((read) => read === column);
}

function fieldFor(use: Use, name: string, op: Operation, guards: Predicate[]): FieldModel {
  const { model, actor, context } = op;
  // A summary shows values: only fields that items show in this context.
  const visibleField = (each: string) => {
    const field = queryableField(model, each, actor);
    return field?.field.contexts.has(context) ? field : undefined;
  };
  const found = visibleField(name);
  if (!found || !isFit(found.field, use)) {
    const allowed = fieldsFor(model, use).filter(visibleField);
    const param = use === 'group' ? use : 'aggregate';
    throw wrong(
      param,
      'rest_not_in_enum',
      `: "${name}" cannot be used here. Allowed: ${allowed.join(', ') || 'none'}.`,
    );
  }
  if (found.guard) guards.push(predicateFor(found.guard, actor));
  return found.field;
}

function renderRow(
  row: SummaryRow,
  { by, wanted, counts }: { by: readonly FieldModel[]; wanted: readonly Wanted[]; counts: boolean },
  op: Operation,
): Record<string, unknown> {
  const result: Record<string, any> = {};
  if (by.length > 0)
    result['group'] = Object.fromEntries(by.map((field, at) => [field.name, view(field, row.by[at]!, op)]));
  if (counts) result['count'] = row.count;
  for (const { name, field, at } of wanted) {
    result[name] = {
      ...result[name],
      [field.name]: valueOf(
        name,
        field,
        at.map((each) => row.of[each]!),
        op,
      ),
    };
  }
  return result;
}

type Value = string | number | null;

function valueOf(
  name: Wanted['name'],
  field: FieldModel,
  [value, number]: (Value | undefined)[],
  op: Operation,
): unknown {
  if (value === null || value === undefined)
    return name === 'sum' && !Number(number ?? 0) ? view(field, zeroOf(field), op) : null;
  if (name === 'avg') return Number(number) > 0 ? Number(value) / Number(number) : null;
  if (name === 'sum' && field.type === 'integer') return Number.isSafeInteger(Number(value)) ? Number(value) : null;
  return view(field, value, op);
}

function zeroOf({ columns: [column] }: FieldModel): Value {
  if (column?.kind !== 'decimal') return 0;
  return column.scale ? `0.${'0'.repeat(column.scale)}` : '0';
}

/** A value of a field as an item shows it. */
function view(field: FieldModel, value: Value, op: Operation): unknown {
  const row: Row = { [field.column!]: value };
  return field.toView!(row, { op, context: op.context, site: op.site });
}
