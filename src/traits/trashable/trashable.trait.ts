// Trash: deletion without force moves an item to the trash, an update with another status restores it.
import { ResourceError } from '../../errors/resource-error.js';
import type { TrashFace } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, type Row } from '../../model/query.js';
import type { Trait } from '../../model/registry.js';
import { utcNow } from '../../values/date-time.js';
import { truncateSlug } from '../../text/slug.js';
import { isForced } from './forced.js';
import { purgeTask } from './purge.js';

interface Options {
  /** Other resources whose items are hidden along with this one: their reference field and the status they get. */
  with?: { resource: string; field: string; mark: string }[];
  /** Columns set when an item is moved to the trash. */
  resets?: Record<string, string | number | boolean>;
}

const TRASH = 'trash';
const IN_TRASH = equals('status', TRASH);
const SUFFIX = '__trashed';
const KEEP_TRASH = 'add "keeps": ["trash"] to that field';

export const trashableTrait: Trait<Options> = {
  name: 'trashable',
  description: 'DELETE without force sets status trash; a second one answers 410; another status restores.',
  options: {
    with: {
      type: 'array',
      description: 'Items of other resources that are put away and restored along with ours.',
      items: {
        type: 'object',
        properties: {
          resource: { type: 'string', required: true },
          field: { type: 'string', required: true },
          mark: { type: 'string', minLength: 1, maxLength: 40, required: true },
        },
        additionalProperties: false,
      },
    },
    resets: {
      type: 'object',
      description: 'Columns set when an item goes to the trash.',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
  },
  check(check, { with: companions = [], resets = {} }) {
    const status = check.own('status', ['string'], 'declare it, or add the trait "published"');
    if (status?.enum && ![...status.enum, ...(status.keeps ?? [])].includes(TRASH))
      check.fail([], 'items in the trash have the status "trash", which the field "status" does not know', KEEP_TRASH);
    for (const [index, { resource, field }] of companions.entries()) {
      const other = check.resource(['with', index, 'resource'], resource);
      if (!other) continue;
      check.referenceTo(['with', index, 'field'], field, check.schema, other);
      for (const name of ['status', 'marked_status']) check.column(['with', index, name], name, other);
    }
    for (const name of Object.keys(resets)) check.column(['resets', name], name);
  },
  extend(schema, _options, settled) {
    const status = schema.fields['status'];
    if (status?.enum && !settled.has('status')) status.keeps = [...new Set([...(status.keeps ?? []), TRASH])];
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
  faces: (model, options) => ({ trash: trashFace(model, options) }),
  tasks: (model) => ({ purge: purgeTask(model) }),
  hooks: (model, { with: companions = [] }) => ({
    scope(plan) {
      // Where clients can filter by status, that parameter decides.
      if (!model.listParams.has('status')) plan.where.push(not(IN_TRASH));
    },
    async remove(row, op) {
      if (isForced(op)) return false;
      if (!op.site.settings.trash) throw new ResourceError('rest_trash_not_supported');
      if (row['status'] === TRASH) throw new ResourceError('rest_already_trashed');
      await model.faces.trash!.move(row, op);
      return true;
    },
    input(draft, op, current) {
      if (!current || current['status'] !== TRASH || draft.row['status'] === undefined || draft.row['status'] === TRASH)
        return;
      op.state.trash = 'left';
      if (draft.values['slug'] === undefined && current['trashed_slug'] !== undefined && 'slug' in current) {
        draft.row['slug'] = op.state.restoredSlug = current['trashed_slug'];
      }
      Object.assign(draft.row, { trashed_status: '', trashed_slug: '', trashed_at: null });
    },
    async saved(row, op) {
      if (op.state.trash !== 'left') return;
      for (const companion of companions) await unmark(model, companion, row['id'], op);
    },
  }),
};

function trashFace(model: ResourceModel, { with: companions = [], resets = {} }: Options): TrashFace {
  return {
    status: TRASH,
    rows: IN_TRASH,
    async move(row, op) {
      await trashRow(model, row, op, resets);
      for (const companion of companions) await mark(model, companion, row['id'], op);
    },
    columns: ({ status, slug, at }) => ({
      status: TRASH,
      trashed_status: status,
      trashed_slug: slug,
      ...(at === undefined ? {} : { trashed_at: at }),
    }),
    hides(resource, status) {
      const companion = companions.find((each) => each.resource === resource);
      return companion && { status: companion.mark, marked_status: status };
    },
  };
}

async function trashRow(model: ResourceModel, row: Row, op: Operation, resets: object): Promise<void> {
  const slug = row['slug'] as string | undefined;
  const changes: Row = {
    status: TRASH,
    trashed_status: row['status'],
    trashed_at: utcNow(op),
    ...(slug === undefined ? {} : { trashed_slug: slug, slug: slugInTrash(model, slug) }),
    ...resets,
    ...model.faces.dates?.touched(op),
  };
  await op.tx!.update(model.table!.name, { ...changes, row_version: { increment: 1 } }, equals('id', row['id']));
  op.state.trash = 'entered';
  // One shared row: later hooks see what earlier ones computed.
  const saved = { ...row, ...changes };
  for (const hook of model.hooks.saved) await hook.run(saved, op, row);
}

/** A draft without a slug has none in the trash either. */
function slugInTrash(model: ResourceModel, slug: string): string {
  return slug === '' ? '' : truncateSlug(slug, SUFFIX, model.fields.get('slug')?.columns[0]?.length);
}

type Companion = NonNullable<Options['with']>[number];

function others(model: ResourceModel, { resource, field }: Companion) {
  const other = model.site.byName.get(resource);
  const column = other?.fields.get(field)?.column;
  return other?.table && column ? { table: other.table.name, column } : undefined;
}

/** Hides companions under a status that no list includes, and records the previous one. */
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
