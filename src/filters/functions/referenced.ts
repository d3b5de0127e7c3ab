// Items of the resource a field refers to, found by slug or as descendants of others. Called by the kinds about ids and slugs.
import type { FieldModel, ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, oneOf } from '../../model/query.js';
import type { ArgumentReport, ArgumentSchema } from './query-argument.js';

/** Deeper trees are cut off here, so that the number of statements is bounded. */
const MAX_DEPTH = 32;

/** Where the items a field refers to are found. */
export interface Referenced {
  model: ResourceModel;
  /** Column of their slug. */
  slug?: string;
  /** Column that refers to their parent; none for flat sets. */
  parent?: string;
}

/** The resource a field refers to, with its fields named by the options `slug` and `tree`; reports what is missing. */
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

/** Ids by slug, for the slugs that exist. One statement. */
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
    where: and(...constants(model), oneOf(slug, wanted)),
    order: [],
  });
  return new Map(rows.map((row) => [row[slug] as string, row['id'] as number]));
}

/** Each id with all its descendants. One statement for every level of the tree. */
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
    const where = and(...constants(model), oneOf(parent, level));
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
  // A set hands out what is added to it while it is walked; rows that point at each other end the walk.
  for (const id of members) for (const child of children.get(id) ?? []) members.add(child);
  return [...members];
}

function constants(model: ResourceModel) {
  return Object.entries(model.discriminator).map(([column, value]) => equals(column, value));
}
