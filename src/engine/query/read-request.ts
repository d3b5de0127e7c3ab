// Parses the parameters of the query language, without using the database.
import type { ResourceError } from '../../errors/resource-error.js';
import type { Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { OperationKind } from '../../model/schema/schema.js';
import {
  AGGREGATE_FUNCTIONS,
  isConditions,
  isQueryParameter,
  QUERY_LIMITS,
  takesObjects,
  type AggregateFunction,
  type AggregateRequest,
  type QueryRequest,
  type SortKey,
  ORDER,
  isSortList,
} from '../../model/query-language.js';
import { queryableField, unknownField, wrong } from './query-errors.js';

/** The parameters of a request, by name. */
type Sent = Readonly<Record<string, unknown>>;

/** A request in two parts: in the language, and the parameters of the resource. */
export interface DividedRequest {
  query: QueryRequest;
  rest: Record<string, unknown>;
}

/** Name of the list parameter for the order of the items. */
const OPERATORS = new Set('eq ne gt gte lt lte in nin between null contains startswith endswith'.split(' '));

/**
 * The parsed query of a request; undefined when it does not use the language.
 * @throws ResourceError 400 for invalid parameters of the language
 */
export function readRequest(
  model: ResourceModel,
  kind: OperationKind,
  sent: Sent,
  actor: Actor,
): DividedRequest | undefined {
  if (kind === 'retrieve') return expandOnly(model, sent);
  if (!model.query || !Object.keys(sent).some((name) => concerns(model, name, sent[name]))) return undefined;
  const rest: Record<string, unknown> = Object.create(null);
  const conditions: Record<string, unknown> = Object.create(null);
  const words: Record<string, unknown> = {};
  let order: SortKey[] | undefined;
  for (const name of Object.keys(sent)) {
    const value = sent[name];
    if (name === ORDER && isSortList(value)) order = sortKeys(value);
    else if (!isQueryParameter(model, name, value)) {
      if (namesUnknownField(model, name, value)) throw unknownField(name, model, actor);
      if (lacksOperator(model, name, value)) throw missingOperator(model, name, value, actor);
      rest[name] = value;
    } else if (name === 'or' || name === 'and' || model.query.fields.has(name)) conditions[name] = value;
    else words[name] = value;
  }
  const aggregate = aggregateOf(words);
  return {
    rest,
    query: {
      ...(Object.keys(conditions).length > 0 ? { conditions } : {}),
      ...(order && order.length > 0 ? { order } : {}),
      ...(aggregate ? { aggregate } : {}),
      ...(words['expand'] === undefined ? {} : { expand: pathsOf(words['expand']) }),
      ...(words['cursor'] === undefined ? {} : { cursor: textOf('cursor', words['cursor']) }),
    },
  };
}

function concerns(model: ResourceModel, name: string, value: unknown): boolean {
  return (
    isQueryParameter(model, name, value) ||
    (name === ORDER && isSortList(value)) ||
    namesUnknownField(model, name, value) ||
    lacksOperator(model, name, value)
  );
}

/** A request for one item may only expand references. */
function expandOnly(model: ResourceModel, sent: Sent): DividedRequest | undefined {
  const { expand } = sent;
  if (expand === undefined || !model.query || model.itemParams.has('expand')) return undefined;
  return { query: { expand: pathsOf(expand) }, rest: { ...sent } };
}

/** Whether a parameter looks like a condition on an unknown field. */
function namesUnknownField(model: ResourceModel, name: string, value: unknown): boolean {
  if (!isConditions(value) || model.query!.fields.has(name) || takesObjects(model, name)) return false;
  return !model.listParams.has(name) && Object.keys(value).some((key) => OPERATORS.has(key));
}

/** Whether a parameter with the name of a field looks like a condition, but has no operator of the field. */
function lacksOperator(model: ResourceModel, name: string, value: unknown): value is Record<string, unknown> {
  return isConditions(value) && model.query!.fields.has(name) && !takesObjects(model, name);
}

/** The error of such a parameter. Its own values are named too: they are what its plain form takes. */
function missingOperator(
  model: ResourceModel,
  name: string,
  value: Record<string, unknown>,
  actor: Actor,
): ResourceError {
  const field = queryableField(model, name, actor);
  const operators = field ? [...field.operators.keys()].map((word) => `${name}[${word}]`) : [];
  const allowed = [...operators, `${name} alone`].join(', ');
  return wrong(name, 'rest_invalid_type', `has no operator "${Object.keys(value)[0]!}". Allowed: ${allowed}.`);
}

function sortKeys(text: string): SortKey[] {
  const parts = text.split(',').filter((part) => part !== '');
  if (parts.length > QUERY_LIMITS.sortKeys)
    throw wrong(ORDER, 'rest_too_many_items', `has at most ${QUERY_LIMITS.sortKeys} keys.`);
  const keys = parts.map((part): SortKey => ({
    // A plus sign in a query string is decoded as a space.
    name: part.replace(/^[+ -]/, ''),
    direction: part.startsWith('-') ? 'desc' : 'asc',
  }));
  const double = keys.find(({ name }, at) => keys.findIndex((key) => key.name === name) < at);
  if (double) throw wrong(ORDER, 'rest_invalid_param', `names ${double.name} twice.`);
  return keys;
}

function namesOf(param: string, value: unknown, most: number): string[] {
  const texts = [value].flat();
  if (texts.some((text) => typeof text !== 'string'))
    throw wrong(param, 'rest_invalid_type', 'is a list of names, separated by commas.');
  const names = [...new Set((texts as string[]).flatMap((text) => text.split(',')).map((name) => name.trim()))];
  const nonEmpty = names.filter((name) => name !== '');
  if (nonEmpty.length > most) throw wrong(param, 'rest_too_many_items', `has at most ${most} names.`);
  return nonEmpty;
}

function pathsOf(value: unknown): string[][] {
  const paths = namesOf('expand', value, QUERY_LIMITS.expandPaths).map((path) => path.split('.'));
  if (paths.some((path) => path.length > QUERY_LIMITS.expandDepth))
    throw wrong('expand', 'rest_out_of_bounds', `goes at most ${QUERY_LIMITS.expandDepth} references far, as in a.b.`);
  return paths;
}

function aggregateOf({ aggregate, group }: Sent): AggregateRequest | undefined {
  if (aggregate === undefined) {
    if (group === undefined) return undefined;
    throw wrong('group', 'rest_invalid_param', 'needs aggregate, such as aggregate=count.');
  }
  const values = namesOf('aggregate', aggregate, QUERY_LIMITS.aggregates).map((text) => {
    const [, name, field] = /^([a-z]+)(?:\.([a-z_][a-z0-9_]*))?$/.exec(text) ?? [];
    const known = AGGREGATE_FUNCTIONS.find((each) => each === name);
    if (!known || (known === 'count') !== (field === undefined))
      throw wrong(
        'aggregate',
        'rest_not_in_enum',
        `"${text}": is count, or one of ${FUNCTIONS} of a field: sum.price.`,
      );
    return { name: known as AggregateFunction, ...(field === undefined ? {} : { field }) };
  });
  if (values.length === 0) throw wrong('aggregate', 'rest_invalid_param', `names what is wanted: count, ${FUNCTIONS}.`);
  return { values, group: group === undefined ? [] : namesOf('group', group, QUERY_LIMITS.groupFields) };
}

const FUNCTIONS = AGGREGATE_FUNCTIONS.filter((name) => name !== 'count').join(', ');

function textOf(param: string, value: unknown): string {
  if (typeof value !== 'string') throw wrong(param, 'rest_invalid_type', 'is a text.');
  return value;
}
