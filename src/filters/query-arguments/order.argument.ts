// Sort keys that replace the plain order: `orderby`. Runs last, because it reads the direction and the requested ids.
import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../values/json-value.js';
import type { ResourceModel } from '../../model/model.js';
import { countedItems, type CountedItems } from './counted-items.js';
import type { Operation } from '../../model/operation.js';
import type { OrderKey } from '../../model/query.js';
import { fieldsOfColumn, guardOf } from '../../model/functions/readers.js';
import { didYouMean } from '../../text/nearest-name.js';
import { membersOf } from './argument-fields.js';
import { textOf, valuesOf } from './argument-values.js';
import type { ArgumentKind } from './query-argument.js';

/** Targets that are not fields. */
const SPECIAL = ['$random', '$stored', '$include'];

type Direction = 'asc' | 'desc';

export const orderArgument: ArgumentKind = {
  name: 'order',
  keys: ['keys'],
  description:
    'Names of orderings: `keys` gives for each a field or column, or `$random`, `$stored` (as stored) or `$include` (as the ids were asked for), or `{count, by, rules}`: how many items of the resource `count` refer to the item in their field `by` and satisfy `rules`. What is unknown or not kept falls back to the default.',
  runsLast: true,
  compile(model, schema, report) {
    const counts = new Map<string, CountedItems>();
    for (const [name, target] of membersOf(schema['keys'], 'keys', () => undefined)) {
      if (isPlainObject(target)) {
        const counted = countedItems(target, model, (option, message) => report(`keys.${name}${option}`, message));
        if (counted) counts.set(name, counted);
        continue;
      }
      const hint = didYouMean(String(target), [
        ...SPECIAL,
        ...model.fields.keys(),
        ...(model.table?.columns.keys() ?? []),
      ]);
      const known = SPECIAL.includes(String(target)) || model.fields.has(String(target)) || hasColumn(model, target);
      // Names that resemble no field are ignored: one set of names may serve several resources.
      if (!known && hint) report(`keys.${name}`, `there is no field or column "${String(target)}" (${hint})`);
    }
    const keys = new Map(membersOf(schema['keys'], 'keys', report).map(([name, target]) => [name, String(target)]));
    return (value, { op, plan }) => {
      const order = namesOf(value, op).flatMap(([name, direction]): OrderKey[] => {
        const counted = counts.get(name);
        return counted
          ? [{ count: counted(op), direction }]
          : sortKeys(keys.get(name), direction, op, schema.private === true);
      });
      const usable = order.filter((key, index) => order.findIndex((other) => same(key, other)) === index);
      if (usable.length > 0) plan.ownOrder = withTieBreak(usable, op.model);
      else op.params['orderby'] = op.model.list.defaultOrderby;
    };
  },
};

function hasColumn(model: ResourceModel, name: unknown): boolean {
  return model.table?.columns.has(String(name)) ?? false;
}

function namesOf(value: unknown, op: Operation): [string, Direction][] {
  const fallback = directionOf(op.params['order']) ?? op.model.list.defaultOrder;
  if (!isPlainObject(value)) return valuesOf(value).map((name) => [textOf(name) ?? '', fallback]);
  return Object.entries(value).map(([name, direction]) => [name, directionOf(direction) ?? fallback]);
}

function directionOf(value: unknown): Direction | undefined {
  const text = textOf(value)?.toLowerCase();
  return text === 'asc' || text === 'desc' ? text : undefined;
}

function sortKeys(target: string | undefined, direction: Direction, op: Operation, decided: boolean): OrderKey[] {
  if (target === undefined) return [];
  if (target === '$random') return [{ random: true }];
  if (target === '$stored') return [{ column: 'id', direction: 'asc' }];
  if (target === '$include') {
    const list = (op.params['include'] ?? []) as number[];
    return list.length > 0 ? [{ list, column: 'id' }] : [];
  }
  // Looked up per request, because columns of traits are added after the parameters are compiled.
  const field = op.model.fields.get(target);
  const column = field?.sortColumn ?? field?.column ?? target;
  if (!op.model.table?.columns.has(column)) return [];
  const guard = guardOf(fieldsOfColumn(column, op.model), op.model, decided);
  return guard && guard(op.actor).op !== 'true' ? [] : [{ column, direction }];
}

function same(left: OrderKey, right: OrderKey): boolean {
  if ('column' in left && 'column' in right) return left.column === right.column && 'list' in left === 'list' in right;
  if ('count' in left && 'count' in right) return isDeepStrictEqual(left.count, right.count);
  return 'random' in left && 'random' in right;
}

/** Adds the id as tie-break in the same direction. */
function withTieBreak(order: OrderKey[], model: ResourceModel): OrderKey[] {
  const last = order.at(-1)!;
  const decided = order.some((key) => 'random' in key || ('column' in key && key.column === 'id'));
  if (decided || !model.table) return order;
  return [...order, { column: 'id', direction: 'direction' in last ? last.direction : 'asc' }];
}
