// The operators of the query language that fit a field, by its type.
import { hasDate, holdsTimes } from '../../model/functions/missing-date.js';
import { containsAny, holdsNone, listFor } from '../../model/functions/filterable-field.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, FALSE, not, or, type Predicate } from '../../model/query.js';
import { QUERY_LIMITS, type QueryOperator } from '../../model/query-language.js';
import type { Scalar } from '../../model/schema/schema.js';
import { MAX_SEARCH_TERM } from '../../text/search-term.js';
import { slugify } from '../../text/slug.js';
import { compileRule } from '../../values/compile-value-rule.js';
import { toWall } from '../../values/date-time.js';
import { argSchema } from '../../values/json-schema.js';
import { storedMoment } from '../stored-moment.js';
import { textOperators } from './text-operators.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldModel } from '../../model/field.js';

/** Operators of a field, and those that the schema would have to prepare, with what to add. */
export interface FieldOperators {
  operators: Map<string, QueryOperator>;
  missing: Map<string, string>;
}

const NUMBERS = ['id', 'integer', 'number', 'decimal'];
const TIMES = ['date', 'datetime', 'time'];
const WORDS = ['string', 'text', 'slug', 'uuid', 'email', 'uri', 'strings', 'boolean', 'reference', 'references'];
const COMPARED = [...NUMBERS, ...TIMES, ...WORDS];
const TEXTS = ['string', 'text', 'slug', 'email', 'uri', 'rendered'];
const BOUNDS = {
  gt: ['gt', 'greater than (of dates: after)'],
  gte: ['ge', 'at least'],
  lt: ['lt', 'less than (of dates: before)'],
  lte: ['le', 'at most'],
} as const;

/** The operators that fit a field; none for types whose values cannot be compared. */
export function operatorsOf(field: FieldModel, model: ResourceModel): FieldOperators {
  const operators = new Map<string, QueryOperator>();
  const missing = new Map<string, string>();
  const add: Add = (name, description, value, condition, prepared) =>
    operators.set(name, new FieldOperator(field, name, description, value, condition, prepared));
  if (!field.column && !field.many) return { operators, missing };
  if (COMPARED.includes(field.type)) addEqualities(field, add);
  if (NUMBERS.includes(field.type) || holdsTimes(field)) addBounds(field, add);
  const empty = emptyOf(field);
  if (empty)
    add('null', 'true: without a value; false: with one', { type: 'boolean' }, (wanted) =>
      wanted ? empty : not(empty),
    );
  if (field.column && !field.schema.enum && TEXTS.includes(field.type))
    for (const [name, operator] of textOperators(field, model)) {
      if (typeof operator === 'string') missing.set(name, operator);
      else
        add(
          name,
          operator.description,
          { type: 'string', minLength: 1, maxLength: MAX_SEARCH_TERM },
          operator.condition,
          operator.prepared,
        );
    }
  return { operators, missing };
}

/** The rule of a value; for a decimal field a number is taken as its text. */
function valueRule(value: ValueSchema, { type }: FieldModel): QueryOperator['rule'] {
  const rule = compileRule(value);
  if (type !== 'decimal') return rule;
  const spelled = (each: unknown): unknown => (typeof each === 'number' ? String(each) : each);
  return (sent, param) => rule(Array.isArray(sent) ? sent.map(spelled) : spelled(sent), param);
}

type Add = (
  name: string,
  description: string,
  value: ValueSchema,
  condition: QueryOperator['condition'],
  prepared?: boolean,
) => void;

/** An operator of a field. Its schema and rule are created lazily: a site has hundreds of operators and uses few. */
class FieldOperator implements QueryOperator {
  private schema: ValueSchema | undefined;
  private compiled: QueryOperator['rule'] | undefined;

  constructor(
    private readonly field: FieldModel,
    readonly name: string,
    readonly description: string,
    private readonly value: ValueSchema,
    readonly condition: QueryOperator['condition'],
    readonly prepared = false,
  ) {}

  get arg(): ValueSchema {
    return (this.schema ??= argSchema(this.value));
  }

  get rule(): QueryOperator['rule'] {
    return (this.compiled ??= valueRule(this.value, this.field));
  }
}

function addEqualities(field: FieldModel, add: Add): void {
  const one = valueOf(field);
  const list: ValueSchema = { type: 'array', items: one, minItems: 1, maxItems: QUERY_LIMITS.values };
  const stored = storedForm(field);
  const holds = field.many ? 'has' : 'is';
  add('eq', `${holds} the value`, one, (value, op) => containsAny(bare(field), [stored(value, op)]));
  add('ne', `${holds} not the value`, one, (value, op) => holdsNone(bare(field), [stored(value, op)]));
  add('in', `${holds} one of the values`, list, (values: Scalar[], op) =>
    containsAny(
      bare(field),
      values.map((value) => stored(value, op)),
    ),
  );
  add('nin', `${holds} none of the values`, list, (values: Scalar[], op) =>
    holdsNone(
      bare(field),
      values.map((value) => stored(value, op)),
    ),
  );
}

function addBounds(field: FieldModel, add: Add): void {
  const one = valueOf(field);
  const stored = storedForm(field);
  const column = field.column!;
  for (const [name, [op, words]] of Object.entries(BOUNDS)) {
    const given: Predicate = op === 'lt' || op === 'le' ? hasDate(field) : { op: 'true' };
    add(name, words, one, (value, request) => and(given, { op, column, value: stored(value, request) }));
  }
  const pair: ValueSchema = { type: 'array', items: one, minItems: 2, maxItems: 2 };
  add('between', 'from the first value to the second, both included', pair, ([from, to]: [Scalar, Scalar], request) =>
    and({ op: 'ge', column, value: stored(from, request) }, { op: 'le', column, value: stored(to, request) }),
  );
}

/** Converts a moment to the form of a field's operators; undefined unless the field is a date or date-time. */
export function momentOf({ type }: FieldModel): ((time: number, op: Operation) => string) | undefined {
  const utc = (time: number) => new Date(time).toISOString().slice(0, 19);
  if (type === 'datetime') return (time) => `${utc(time)}Z`;
  if (type === 'date') return (time, { site }) => toWall(utc(time), site.settings.timezone).slice(0, 10);
  return undefined;
}

/** Values are in the form of the column already. */
function bare(field: FieldModel): FieldModel {
  if (!field.compared) return field;
  const { compared: _compared, ...rest } = field;
  return rest;
}

/** JSON Schema of one value that a field is compared with. */
function valueOf(field: FieldModel): ValueSchema {
  return listFor(field.schema).items as ValueSchema;
}

/** The spelling in which a value is stored. */
function storedForm(field: FieldModel): (value: Scalar, op: Operation) => Scalar {
  const { type, compared } = field;
  if (type === 'boolean') return (value) => (value ? 1 : 0);
  if (type === 'slug') return (value) => slugify(String(value));
  if (type === 'datetime') return (value, op) => storedMoment(field, value, op);
  return compared ? (value) => compared(value) : (value) => value;
}

/** Rows whose field has no value; undefined where every row has one. */
function emptyOf(field: FieldModel): Predicate | undefined {
  const { column, many, type } = field;
  if (many) return not({ op: 'exists', table: many.table, outer: 'id', inner: 'owner_id', where: { op: 'true' } });
  if (type === 'reference') return { op: 'eq', column: column!, value: 0 };
  const nullable: Predicate = field.columns[0]?.nullable ? { op: 'null', column: column! } : FALSE;
  const blank: Predicate = holdsTimes(field) ? { op: 'eq', column: column!, value: '' } : FALSE;
  const empty = or(nullable, blank);
  return empty.op === 'false' || !COMPARED.includes(type) ? undefined : empty;
}
