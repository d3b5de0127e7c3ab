// Trees: cycle detection, a stored path, and reparenting of children when their parent is deleted.
import { invalidParams } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { AuditFinding } from '../model/hooks.js';
import type { Operation } from '../model/operation.js';
import { and, equals, not, oneOf, type Row } from '../model/query.js';
import type { Reader } from '../model/store.js';
import { isForced } from './trashable/forced.js';
import type { Trait } from '../model/trait.js';

interface Options {
  /** Reference to the parent. */
  field?: string;
  /** Store the slugs from the root on in a column `path`. */
  path?: boolean;
  /** What happens to an item that is put below itself: the update is refused (default), or it moves to the root. */
  loops?: 'refuse' | 'detach';
  /** Resources in the same table whose items are reparented too: attachments of a page. */
  with?: string[];
}

/** Maximum depth when looking for cycles. */
const MAX_DEPTH = 100;

export const nestedTrait: Trait<Options> = {
  name: 'nested',
  description: 'Items form a tree through the reference `field` (default parent).',
  // Paths are made of slugs; children stay where they are while the deletion may be refused.
  after: ['trashable', 'force-delete', 'sluggable'],
  options: {
    field: { type: 'string', description: 'Reference to the parent (default parent).' },
    path: { type: 'boolean', description: 'Keep the slugs from the root on, for addresses.' },
    loops: {
      type: 'string',
      enum: ['refuse', 'detach'],
      description: 'An item that is put below itself is refused (default), or moved to the root.',
    },
    with: {
      type: 'array',
      items: { type: 'string' },
      description: 'Other resources whose items move up when a parent is deleted.',
    },
  },
  extend(schema, { field = 'parent', path }) {
    const parent = schema.fields[field];
    if (parent) parent.onDelete ??= 'noAction';
    if (path) schema.fields['path'] = { type: 'text', hidden: true, derived: true };
  },
  check(check, { field = 'parent', path, with: others = [] }) {
    check.referenceTo(['field'], field, check.schema);
    if (path) check.needs('sluggable', 'paths are made of slugs');
    for (const [index, name] of others.entries()) {
      const other = check.resource(['with', index], name);
      if (other && !check.sameTable(other, check.schema))
        check.fail(['with', index], `"${name}" keeps its rows in another table than "${check.schema.name}"`);
    }
  },
  adopt: (model, { field = 'parent', path }) => {
    const column = model.fields.get(field)!.column!;
    return {
      obstacle: (reader) => circles(model, column, reader),
      ...(path ? { finish: (reader: Reader) => wrongPaths(model, column, reader) } : {}),
    };
  },
  audit: (model, options) => async (reader) => {
    const column = model.fields.get(options.field ?? 'parent')!.column!;
    return options.path ? wrongPaths(model, column, reader) : [];
  },
  faces: (model, { field = 'parent' }) => ({ tree: { parent: model.fields.get(field)!.column! } }),
  authorizes: ['update'],
  sideBySide: true,
  hooks: (model, options) => {
    const name = options.field ?? 'parent';
    const column = model.fields.get(name)!.column!;
    const detaches = (op: Operation): boolean => options.loops === 'detach' || op.trusted !== undefined;
    return {
      async authorize(op) {
        // Before the traits that compare siblings: a cycle is broken first.
        const parent = op.values[name];
        if (!detaches(op) || op.kind !== 'update' || typeof parent !== 'number') return;
        if (await isBelow(model, column, parent, op.id as number, op)) op.values[name] = 0;
      },
      async input(draft, op, current) {
        const parent = draft.row[column] as number | undefined;
        // Two items that are put below each other at the same time would both find no loop.
        if (current && parent !== undefined && parent !== current[column]) op.tx!.alone();
        if (!parent || !current || !(await isBelow(model, column, parent, current['id'], op))) return;
        if (!detaches(op)) throw loopError(name);
        draft.row[column] = 0;
      },
      async saved(row, op, previous) {
        if (!options.path) return;
        const path = await pathOf(model, column, row, op);
        if (path === row['path'] && previous) return;
        // An item that is put below it meanwhile would keep the old path.
        if (previous) op.tx!.alone();
        await op.tx!.update(model.table!.name, { path }, equals('id', row['id']));
        row['path'] = path;
        if (previous) await movePaths(model, column, row, op, MAX_DEPTH);
      },
      async remove(row, op) {
        // Where deletion need not be forced, an unforced one moves the item to the trash and keeps its place.
        if (op.model.deleteParams.has('force') && !isForced(op)) return;
        op.state.orphans = await childIds(model, column, row['id'], op);
        await moveUp(model, name, options.with ?? [], row, op);
      },
      async removed(_row, op) {
        if (!options.path) return;
        for (const id of op.state.orphans ?? []) await refresh(model, column, id, op);
      },
    };
  },
};

/** Puts what lies below a row below its parent; `others`: further resources whose items may lie there. */
async function moveUp(
  model: ResourceModel,
  name: string,
  others: readonly string[],
  row: Row,
  op: Operation,
): Promise<void> {
  const { column, schema } = model.fields.get(name)!;
  for (const kind of [model, ...others.map((other) => model.site.byName.get(other))]) {
    if (!kind || (kind === model && schema.onDelete === 'restrict')) continue;
    const below = and(equals(column!, row['id']), kind.rowScope);
    await op.tx!.update(model.table!.name, { [column!]: row[column!] }, below);
  }
}

function loopError(name: string): Error {
  const message = `${name} is the item itself or lies below it. Choose another one, or move that one away first.`;
  return invalidParams([{ param: name, code: 'rest_loop', message }]);
}

/** Items that are above themselves. */
async function circles(model: ResourceModel, column: string, reader: Reader) {
  const order = [{ column: 'id', direction: 'asc' as const }];
  const rows = await reader.select({ table: model.table!.name, columns: ['id', column], where: model.rowScope, order });
  const above = new Map(rows.map((row) => [row['id'] as number, row[column] as number]));
  const inCircle = [...above.keys()].filter((id) => {
    let at = above.get(id);
    for (let depth = 0; at && at !== id && depth < MAX_DEPTH; depth += 1) at = above.get(at);
    return at === id;
  });
  if (inCircle.length === 0) return undefined;
  const message = `items are above themselves, of the ids ${inCircle.slice(0, 10).join(', ')}`;
  return { message, hint: `Set "${column}" of one of them to 0 first.` };
}

/** Items whose stored path differs from the one computed from their parents. */
async function wrongPaths(model: ResourceModel, column: string, reader: Reader): Promise<AuditFinding[]> {
  const table = model.table!.name;
  const rows = await reader.select({
    table,
    columns: ['id', 'slug', 'path', column],
    where: model.rowScope,
    order: [{ column: 'id', direction: 'asc' }],
  });
  const byId = new Map(rows.map((row) => [row['id'] as number, row]));
  const pathOfRow = (row: Row, depth = 0): string => {
    const parent = depth < MAX_DEPTH ? byId.get(row[column]) : undefined;
    return below(parent && pathOfRow(parent, depth + 1), row['slug']);
  };
  return rows
    .filter((row) => row['path'] !== pathOfRow(row))
    .map((row) => ({
      message: `${model.name} ${row['id']}: its path is "${row['path']}" and should be "${pathOfRow(row)}"`,
      fix: async (tx) => void (await tx.update(table, { path: pathOfRow(row) }, equals('id', row['id']))),
    }));
}

/** Whether `start` is `id` or lies below it. */
async function isBelow(
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
  return false;
}

// Ancestors without a slug, such as drafts, are left out.
function below(path: string | undefined, slug: string): string {
  return path && slug ? `${path}/${slug}` : path || slug;
}

async function pathOf(model: ResourceModel, column: string, row: Row, op: Operation): Promise<string> {
  const parent = row[column] ? await op.store.first(model.table!.name, ['path'], equals('id', row[column])) : undefined;
  return below(parent?.['path'], row['slug']);
}

async function childIds(model: ResourceModel, column: string, id: number, op: Operation): Promise<number[]> {
  const rows = await op.store.select({
    table: model.table!.name,
    columns: ['id'],
    where: and(equals(column, id), model.rowScope),
    order: [],
  });
  return rows.map((row) => row['id']);
}

async function refresh(model: ResourceModel, column: string, id: number, op: Operation): Promise<void> {
  const row = await op.store.first(model.table!.name, ['id', 'slug', 'path', column], equals('id', id));
  if (!row) return;
  row['path'] = await pathOf(model, column, row, op);
  await op.tx!.update(model.table!.name, { path: row['path'] }, equals('id', id));
  await movePaths(model, column, row, op, MAX_DEPTH);
}

/** Updates the paths of all descendants of a row, level by level. */
async function movePaths(model: ResourceModel, column: string, top: Row, op: Operation, depth: number): Promise<void> {
  let level = new Map<number, string>([[top['id'], top['path']]]);
  for (let left = depth; level.size > 0 && left > 0; left -= 1) {
    const children = await op.store.select({
      table: model.table!.name,
      columns: ['id', 'slug', column],
      where: and(oneOf(column, [...level.keys()]), model.rowScope, not(oneOf('id', [...level.keys()]))),
      order: [],
    });
    const next = new Map<number, string>();
    for (const child of children) {
      const path = below(level.get(child[column]), child['slug']);
      await op.tx!.update(model.table!.name, { path }, equals('id', child['id']));
      next.set(child['id'], path);
    }
    level = next;
  }
}
