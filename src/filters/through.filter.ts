// Items that a given item of another resource refers to: the terms of a post.
import { ResourceError } from '../errors/resource-error.js';
import { and, equals, TRUE } from '../model/query.js';
import { guardOf, within } from '../model/readers.js';
import type { Filter } from '../model/registry.js';

export const throughFilter: Filter = {
  name: 'through',
  description: 'Items that the item of `resource` with the given id lists in its `references` field `field`.',
  value: { type: 'integer' },
  keys: ['resource'],
  compile(param, model, report) {
    const owner = model.site.byName.get(param.resource ?? '');
    const field = owner?.fields.get(param.field ?? '');
    const many = field?.many;
    if (!owner?.table || !many) {
      report(['params', param.name], '"resource" and "field" must name a references field of another resource');
      return undefined;
    }
    const table = owner.table.name;
    const read = owner.rules.get('read');
    const guard = guardOf([field], owner);
    return async (value, plan, op) => {
      const item = await op.store.first(table, ['id'], and(equals('id', value), owner.rowScope), {
        readable: within(guard, op.actor, read ? read(op.actor) : TRUE),
      });
      if (!item) throw new ResourceError(owner.errors.notFound, { status: 400, like: 'rest_post_invalid_id' });
      if (!item['readable']) throw new ResourceError('rest_forbidden_context', { denied: true });
      plan.where.push({
        op: 'exists',
        table: many.table,
        outer: 'id',
        inner: many.value,
        where: equals('owner_id', value),
      });
    };
  },
};
