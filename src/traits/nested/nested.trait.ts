// Trees: cycle detection, a stored path, and reparenting of children when their parent is deleted.
import type { Operation } from '../../model/operation.js';
import { equals } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import type { Trait } from '../../model/trait.js';
import { withDerived } from '../../model/functions/with-derived.js';
import { moveChildrenUp, type Tree } from './move-children-up.js';
import { circles, isBelow, loopError } from './tree.js';
import { wrongPaths, pathOf, movePaths } from './paths.js';

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

export const nestedTrait: Trait<Options> = {
  name: 'nested',
  description: 'Items form a tree through the reference `field` (default parent).',
  // Paths are made of slugs.
  after: ['trashable', 'force-delete', 'sluggable'],
  options: {
    field: { type: 'string', description: 'Reference to the parent (default parent).' },
    path: { type: 'boolean', description: 'Store the path of slugs from the root, for URLs.' },
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
    const found = await circles(model, column, reader);
    // Not repaired: which of them is at the wrong place is for the operator to say.
    const loops = found ? [{ message: `${model.name}: ${found.message}: ${found.hint}` }] : [];
    return [...loops, ...(options.path ? await wrongPaths(model, column, reader) : [])];
  },
  faces: (model, options) => {
    const field = model.fields.get(options.field ?? 'parent')!;
    const tree: Tree = { model, field, path: options.path ?? false, others: options.with ?? [] };
    return {
      tree: { parent: field.column!, moveChildrenUp: (ids, tx, texts) => moveChildrenUp(tree, ids, tx, texts) },
    };
  },
  authorizes: ['update'],
  sideBySide: true,
  hooks: (model, options) => {
    const name = options.field ?? 'parent';
    const column = model.fields.get(name)!.column!;
    return {
      async authorize(op, current) {
        // Before the traits that compare siblings: a cycle is broken first.
        const parent = op.values[name];
        if (!detaches(options, op) || op.kind !== 'update' || typeof parent !== 'number') return;
        if (parent === current?.[column]) return;
        if (await isBelow(model, column, parent, op.id as number, op)) op.values[name] = 0;
      },
      async input(draft, op, current) {
        const parent = draft.row[column] as number | undefined;
        // What is stored can be sent back, however deep it lies.
        if (!current || parent === undefined || parent === current[column]) return;
        // Two items that are moved below each other at the same time would both find no cycle.
        op.tx!.alone();
        if (!parent || !(await isBelow(model, column, parent, current['id'], op))) return;
        if (!detaches(options, op)) throw loopError(name);
        draft.row[column] = 0;
      },
      async saved(row, op, previous) {
        if (!options.path) return;
        const path = await pathOf(model, column, row, op.store);
        if (path === row['path'] && previous) return;
        // An item that is moved below it at the same time would keep the old path.
        if (previous) op.tx!.alone();
        const changes = withDerived(model, { path }, op, row);
        await op.tx!.update(model.table!.name, changes, equals('id', row['id']));
        Object.assign(row, changes);
        if (previous) await movePaths(model, column, row, op.tx!, op);
      },
    };
  },
};

/** Whether an item that would become its own ancestor moves to the root instead of being rejected. */
function detaches({ loops }: Options, { trusted }: Operation): boolean {
  return loops === 'detach' || trusted !== undefined;
}
