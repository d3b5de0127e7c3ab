// Items that a given item of another resource refers to: the terms of a post.
import { ResourceError } from '../errors/resource-error.js';
import { inScope } from '../model/actor.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { and, equals, oneOf, TRUE } from '../model/query.js';
import { guardOf, withGuard } from '../model/functions/readers.js';
import type { Filter } from '../model/registry.js';
import type { ParamSchema } from '../model/schema/schema.js';
import { itemNotFound } from '../errors/not-found.js';
import type { FieldModel } from '../model/field.js';

export const referencedInFilter: Filter = {
  name: 'referencedIn',
  description: 'Items that the item of `resource` with the given id lists in its `references` field `field`.',
  value: { type: 'integer' },
  keys: ['resource'],
  codes(param, model) {
    const { owner } = sourceOf(param, model) ?? {};
    return owner
      ? [{ code: owner.errors.notFound, status: 400 }, 'rest_forbidden_context', 'rest_forbidden_scope']
      : [];
  },
  groups(param, model) {
    const { owner, field } = sourceOf(param, model) ?? {};
    if (!owner || !field) return undefined;
    const { table, value: inner } = field.many!;
    return { table, inner, refusals: (ids, op) => refusals(ids, owner, field, op) };
  },
  compile(param, model, report) {
    const { owner, field } = sourceOf(param, model) ?? {};
    if (!owner || !field) {
      report(['params', param.name], '"resource" and "field" must name a references field of another resource');
      return undefined;
    }
    const { table, value: inner } = field.many!;
    return async (value, plan, op) => {
      const refused = (await refusals([value], owner, field, op)).get(value);
      if (refused) throw refused;
      plan.where.push({ op: 'exists', table, outer: 'id', inner, where: equals('owner_id', value) });
    };
  },
};

/** The resource with the references, and their field. */
function sourceOf(
  { resource = '', field: name = '' }: ParamSchema,
  { site }: ResourceModel,
): { owner: ResourceModel; field: FieldModel } | undefined {
  const owner = site.byName.get(resource);
  const field = owner?.fields.get(name);
  return owner?.table && field?.many ? { owner, field } : undefined;
}

/** Errors of the owners that do not exist, or whose references the caller may not read. */
async function refusals(
  ids: readonly number[],
  owner: ResourceModel,
  field: FieldModel,
  op: Operation,
): Promise<Map<number, ResourceError>> {
  if (!inScope(op.actor, owner.path, 'list'))
    return new Map(ids.map((id) => [id, new ResourceError('rest_forbidden_scope', { denied: true })]));
  const read = owner.rules.get('read')?.(op.actor) ?? TRUE;
  const shown = withGuard(guardOf([field], owner), op.actor, read);
  const where = and(oneOf('id', ids), owner.rowScope);
  const found = await op.store.judge(owner.table!.name, ['id'], where, { read, shown });
  const known = new Map(found.map((row) => [row['id'] as number, row]));
  const errors = new Map<number, ResourceError>();
  for (const id of ids) {
    const row = known.get(id);
    if (row?.['shown']) continue;
    const isDisclosed = row && (row['read'] || !hides(owner));
    const missing = () => itemNotFound({ labels: owner.labels, code: owner.errors.notFound }, id, 400);
    errors.set(id, isDisclosed ? new ResourceError('rest_forbidden_context', { denied: true }) : missing());
  }
  return errors;
}

/** Whether a resource refuses items that the caller may not read as if they did not exist. */
function hides({ policy, errors }: ResourceModel): boolean {
  return policy.retrieve.some(({ field, param, error }) => !field && param === undefined && error === errors.notFound);
}
