// The items above and below one another in a tree.
import { invalidParams } from '../../errors/resource-error.js';
import { idsInLoops } from '../../model/functions/loops.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { equals } from '../../model/query.js';
import type { Reader } from '../../model/store.js';

/** Maximum depth of a tree below which an item can be moved. */
const MAX_DEPTH = 1_000;

/** The error for an item that would become its own ancestor. */
export function loopError(name: string): Error {
  const message = `${name} is the item itself or lies below it. Choose another one, or move that one away first.`;
  return invalidParams([{ param: name, code: 'rest_loop', message }]);
}

/** Finds items that are their own ancestors, which cannot be adopted, and which `check --data` reports. */
export async function circles(model: ResourceModel, column: string, reader: Reader) {
  const order = [{ column: 'id', direction: 'asc' as const }];
  const rows = await reader.select({ table: model.table!.name, columns: ['id', column], where: model.rowScope, order });
  const inCircle = idsInLoops(new Map(rows.map((row) => [row['id'] as number, row[column] as number])));
  if (inCircle.length === 0) return undefined;
  const message = `items are above themselves: ids ${inCircle.slice(0, 10).join(', ')}`;
  return { message, hint: `Set "${column}" of one of them to 0 first.` };
}

/** Whether `start` is `id` or lies below it; what lies too deep to tell counts as below, so that no cycle is closed. */
export async function isBelow(
  model: ResourceModel,
  column: string,
  start: number,
  id: number,
  op: Operation,
): Promise<boolean> {
  let at = start;
  for (let depth = 0; at && depth < MAX_DEPTH; depth += 1) {
    if (at === id) return true;
    at = ((await op.store.first(model.table!.name, [column], equals('id', at))) ?? {})[column] as number;
  }
  return Boolean(at);
}
