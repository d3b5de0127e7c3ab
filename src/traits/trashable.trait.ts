// The trash: deletion without force puts an item away, an update with another status brings it back (decisions 11.11-11.16).
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { and, equals, type Row } from '../model/query.js';
import type { Trait } from '../model/registry.js';
import { utcNow } from './dated.trait.js';

interface Options {
  /** Other resources whose items are put away along with ours: their reference field and mark. */
  with?: { resource: string; field: string; mark: string }[];
  /** Columns set when an item goes to the trash. */
  resets?: Record<string, string | number | boolean>;
}

const SUFFIX = '__trashed';

export const trashableTrait: Trait<Options> = {
  name: 'trashable',
  description: 'DELETE without force sets status trash; a second one answers 410; another status restores.',
  options: {
    with: {
      type: 'array',
      description: 'Items of other resources that are put away and restored along with ours.',
      items: {
        type: 'object',
        properties: { resource: { type: 'string' }, field: { type: 'string' }, mark: { type: 'string' } },
        additionalProperties: false,
      },
    },
    resets: { type: 'object', description: 'Columns set when an item goes to the trash.', additionalProperties: true },
  },
  extend(schema) {
    schema.fields['trashed_status'] = { type: 'string', internal: true, length: 40 };
    schema.fields['trashed_slug'] = { type: 'string', internal: true, length: 200 };
    schema.fields['trashed_at'] = { type: 'datetime', internal: true, nullable: true };
    schema.deleteParams = {
      force: {
        type: 'boolean',
        description: 'Delete for good instead of putting the item into the trash.',
        default: false,
      },
      ...schema.deleteParams,
    };
  },
  hooks: (model, { with: companions = [] }) => ({
    async remove(row, op) {
      if (op.params['force'] === true) return false;
      if (!op.site.settings.trash) throw new ResourceError('rest_trash_not_supported');
      if (row['status'] === 'trash') throw new ResourceError('rest_already_trashed');
      await putIntoTrash(model, row, op);
      return true;
    },
    input(draft, op, current) {
      if (
        !current ||
        current['status'] !== 'trash' ||
        draft.row['status'] === undefined ||
        draft.row['status'] === 'trash'
      )
        return;
      op.notes['restored'] = true;
      if (draft.values['slug'] === undefined && current['trashed_slug'] !== undefined && 'slug' in current) {
        draft.row['slug'] = current['trashed_slug'];
      }
      Object.assign(draft.row, { trashed_status: '', trashed_slug: '', trashed_at: null });
    },
    async saved(row, op) {
      if (!op.notes['restored']) return;
      for (const companion of companions) await unmark(model, companion, row['id'], op);
    },
  }),
};

/** Puts one item of a trashable resource away, and its companions. `op` must be an operation on that resource. */
export async function putIntoTrash(model: ResourceModel, row: Row, op: Operation): Promise<void> {
  const { with: companions = [], resets = {} } = model.traits.get('trashable') as Options;
  await putAway(model, row, op, resets);
  for (const companion of companions) await mark(model, companion, row['id'], op);
}

async function putAway(model: ResourceModel, row: Row, op: Operation, resets: object): Promise<void> {
  const slug = row['slug'] as string | undefined;
  const changes: Row = {
    status: 'trash',
    trashed_status: row['status'],
    trashed_at: utcNow(op),
    ...(slug === undefined
      ? {}
      : { trashed_slug: slug, slug: slug === '' ? '' : `${slug.slice(0, 200 - SUFFIX.length)}${SUFFIX}` }),
    ...resets,
  };
  if ('modified_gmt' in row) Object.assign(changes, modifiedNow(op));
  await op.tx!.update(model.table!.name, { ...changes, row_version: { increment: 1 } }, equals('id', row['id']));
  op.notes['trashed'] = true;
  for (const hook of model.hooks.saved) await hook.run({ ...row, ...changes }, op, row);
}

function modifiedNow(op: Operation): Row {
  const draft = { values: {}, row: {} as Row, many: {}, meta: {} };
  const dated = op.model.hooks.input.find((hook) => hook.trait === 'dated');
  void dated?.run(draft, op, { date: '', date_gmt: '' });
  return { modified: draft.row['modified'], modified_gmt: draft.row['modified_gmt'] };
}

type Companion = NonNullable<Options['with']>[number];

function others(model: ResourceModel, { resource, field }: Companion) {
  const other = model.site.byName.get(resource);
  const column = other?.fields.get(field)?.column;
  return other?.table && column ? { table: other.table.name, column } : undefined;
}

/** Hides companions under a status that no list shows, remembering the old one. */
async function mark(model: ResourceModel, companion: Companion, id: number, op: Operation): Promise<void> {
  const other = others(model, companion);
  if (!other) return;
  const rows = await op.tx!.select({
    table: other.table,
    columns: ['id', 'status'],
    where: equals(other.column, id),
    order: [],
  });
  for (const status of new Set(rows.map((row) => row['status'] as string))) {
    const where = and(equals(other.column, id), equals('status', status));
    await op.tx!.update(other.table, { status: companion.mark, marked_status: status }, where);
  }
}

async function unmark(model: ResourceModel, companion: Companion, id: number, op: Operation): Promise<void> {
  const other = others(model, companion);
  if (!other) return;
  const marked = and(equals(other.column, id), equals('status', companion.mark));
  const rows = await op.tx!.select({ table: other.table, columns: ['id', 'marked_status'], where: marked, order: [] });
  for (const status of new Set(rows.map((row) => row['marked_status'] as string))) {
    await op.tx!.update(other.table, { status, marked_status: '' }, and(marked, equals('marked_status', status)));
  }
}
