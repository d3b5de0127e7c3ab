// Trash: deletion without force moves an item to the trash, an update with another status restores it.
import { ResourceError } from '../../errors/resource-error.js';
import type { TrashFace } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import type { ActionModel } from '../../model/hooks.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, type Row } from '../../model/query.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import { utcNow } from '../../values/date-time.js';
import { truncateSlug } from '../../text/slug.js';
import { isForced } from './forced.js';
import { purgeTask } from './purge.js';
import type { Trait } from '../../model/trait.js';

interface Options {
  /** Other resources whose items are hidden along with this one: their reference field and the status they get. */
  with?: { resource: string; field: string; mark: string }[];
  /** The trait keeps a status of its own, for resources without one. */
  hidden?: boolean;
  /** Columns set when an item is moved to the trash. */
  resets?: Record<string, string | number | boolean>;
}

const TRASH = 'trash';
const IN_TRASH = equals('status', TRASH);
/** Lists the trash of resources without a field `status`. */
const OWN_PARAM = 'trash';
const SUFFIX = '__trashed';
const KEEP_TRASH = 'add "allowStored": ["trash"] to that field';

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
    hidden: {
      type: 'boolean',
      description: 'The trash is marked by a hidden column, for resources without a field status.',
    },
    resets: {
      type: 'object',
      description: 'Columns set when an item goes to the trash.',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
  },
  check(check, { with: companions = [], resets = {}, hidden }) {
    if (hidden && !check.schema.fields['status']?.hidden)
      check.fail(['hidden'], 'the resource has a field "status", which marks the trash', 'leave out "hidden"');
    const status = check.own('status', ['string'], 'declare it, or add the trait "published"');
    if (status?.enum && ![...status.enum, ...(status.allowStored ?? [])].includes(TRASH))
      check.fail([], 'items in the trash have the status "trash", which the field "status" does not know', KEEP_TRASH);
    for (const [index, { resource, field, mark }] of companions.entries()) {
      const other = check.resource(['with', index, 'resource'], resource);
      if (!other) continue;
      check.referenceTo(['with', index, 'field'], field, check.schema, other);
      for (const name of ['status', 'marked_status']) check.column(['with', index, name], name, other);
      const kept = other.fields['status']?.allowStored ?? [];
      if (kept.length > 0 && !kept.includes(mark))
        check.fail(
          ['with', index, 'mark'],
          `the field "status" of "${resource}" does not keep "${mark}"`,
          `it keeps: ${kept.join(', ')}`,
        );
    }
    for (const [name, value] of Object.entries(resets)) {
      check.column(['resets', name], name);
      check.compared(['resets', name], name, value);
    }
  },
  params: ({ hidden }) => (hidden ? [OWN_PARAM] : []),
  extend(schema, { hidden }, settled) {
    if (hidden) keepOwnStatus(schema);
    const status = schema.fields['status'];
    if (status?.enum && !settled.has('status'))
      status.allowStored = [...new Set([...(status.allowStored ?? []), TRASH])];
    schema.fields['trashed_status'] = { type: 'string', hidden: true, columnLength: 40 };
    schema.fields['trashed_slug'] = { type: 'string', hidden: true, columnLength: 200 };
    schema.fields['trashed_at'] = { type: 'datetime', hidden: true, nullable: true };
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
  actions: (model, { hidden }): Record<string, ActionModel> => (hidden ? { restore: restoreAction(model) } : {}),
  sideBySide: true,
  hooks: (model, { with: companions = [], hidden }) => ({
    scope(plan, op) {
      if (hidden && op.params[OWN_PARAM] === true) {
        plan.where.push(IN_TRASH, model.rules.get('edit')!(op.actor));
        return;
      }
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
      // Items of other resources come back with it.
      if (companions.length > 0) op.tx!.alone();
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

/** The hidden status, and a parameter that lists the trash to those who may edit what is in it. */
function keepOwnStatus(schema: ResourceSchema): void {
  schema.fields['status'] ??= { type: 'string', hidden: true, columnLength: 40, index: true };
  schema.params = {
    [OWN_PARAM]: {
      type: 'boolean',
      description: 'The items in the trash that the caller may edit, instead of the others.',
    },
    ...schema.params,
  };
}

function restoreAction(model: ResourceModel): ActionModel {
  return {
    description: 'Takes the item out of the trash.',
    target: (row) => ({ model, id: row['id'], values: { status: '' } }),
  };
}

function trashFace(model: ResourceModel, { with: companions = [], resets = {}, hidden }: Options): TrashFace {
  return {
    status: TRASH,
    param: hidden ? { name: OWN_PARAM, value: 'true' } : { name: 'status', value: TRASH },
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
