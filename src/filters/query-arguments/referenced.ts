// Items of the target resource of a field, found by slug or as descendants of others.
import { inScope } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, FALSE, oneOf, TRUE, type Predicate } from '../../model/query.js';
import { fieldsOfColumn, guardOf, withGuard } from '../../model/functions/readers.js';
import type { ArgumentReport, ArgumentSchema } from './query-argument.js';
import type { FieldModel } from '../../model/field.js';

/** Maximum depth of trees, to bound the number of statements. */
const MAX_DEPTH = 32;

/** Table of the items that a field refers to. */
export interface Referenced {
  model: ResourceModel;
  /** Column of their slugs. */
  slug?: string;
  /** Column of their parents' ids; none for flat sets. */
  parent?: string;
}

/** The target resource of a field, with its fields named by the options `slug` and `tree`; reports problems. */
export function referencedBy(
  field: FieldModel,
  schema: ArgumentSchema,
  report: ArgumentReport,
): Referenced | undefined {
  const model = field.many?.target ?? field.targets?.[0];
  if (!model?.table) {
    report('field', `"${field.name}" refers to no resource that is stored`);
    return undefined;
  }
  const column = (option: string, name: unknown) => {
    const found = typeof name === 'string' ? model.fields.get(name)?.column : undefined;
    if (!found) report(option, `must name a stored field of "${model.name}"; "${String(name)}" is none`);
    return found ? { [option === 'tree' ? 'parent' : 'slug']: found } : {};
  };
  return {
    model,
    ...(schema['tree'] === undefined ? {} : column('tree', schema['tree'])),
    ...column('slug', schema['slug'] ?? 'slug'),
  };
}

/** Ids of the slugs that exist. One statement. */
export async function idsOfSlugs(
  { model, slug }: Referenced,
  slugs: readonly string[],
  op: Operation,
): Promise<Map<string, number>> {
  const wanted = slugs.filter((text) => text !== '');
  if (!slug || wanted.length === 0) return new Map();
  const rows = await op.store.select({
    table: model.table!.name,
    columns: ['id', slug],
    where: and(...readable(model, slug, op), oneOf(slug, wanted)),
    order: [],
  });
  return new Map(rows.map((row) => [row[slug] as string, row['id'] as number]));
}

/** Each id with all its descendants. One statement per level of the tree. */
export async function families(
  { model, parent }: Referenced,
  ids: readonly number[],
  op: Operation,
): Promise<number[][]> {
  if (!parent) return ids.map((id) => [id]);
  const children = new Map<number, number[]>();
  const seen = new Set(ids);
  let level: readonly number[] = ids;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const where = and(...readable(model, parent, op), oneOf(parent, level));
    const rows = await op.store.select({ table: model.table!.name, columns: ['id', parent], where, order: [] });
    for (const row of rows) {
      const siblings = children.get(row[parent]);
      if (siblings) siblings.push(row['id']);
      else children.set(row[parent], [row['id']]);
    }
    level = rows.map((row) => row['id'] as number).filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
  return ids.map((id) => family(id, children));
}

function family(root: number, children: ReadonlyMap<number, number[]>): number[] {
  const members = new Set([root]);
  // A Set iterates over members added during the iteration; each member is added once, so cycles terminate.
  for (const id of members) for (const child of children.get(id) ?? []) members.add(child);
  return [...members];
}

/** Rows of the resource in which the caller may read a column; none outside the scope of the caller's credential. */
function readable(model: ResourceModel, column: string, op: Operation): Predicate[] {
  if (!inScope(op.actor, model.path, 'list')) return [FALSE];
  const read = model.rules.get('read')?.(op.actor) ?? TRUE;
  return [model.rowScope, withGuard(guardOf(fieldsOfColumn(column, model), model), op.actor, read)];
}
