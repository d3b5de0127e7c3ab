// Trash: deletion without force moves an item to the trash, an update with another status restores it.
import { stringLength } from '../../fields/string.field.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { ActionModel } from '../../model/hooks.js';
import { not } from '../../model/query.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import { isForced } from './forced.js';
import { purgeTask } from './purge.js';
import type { Trait } from '../../model/trait.js';
import type { TrashableOptions } from './options.js';
import { unmark } from './companions.js';
import { TRASH, OWN_PARAM, slugOf, trashFace, IN_TRASH } from './trash-face.js';

/** Characters of the statuses and slugs of traits. */
const STATUS_LENGTH = 40;
const SLUG_LENGTH = 200;
const KEEP_TRASH = 'add "allowStored": ["trash"] to that field';

export const trashableTrait: Trait<TrashableOptions> = {
  name: 'trashable',
  description: 'DELETE without force sets status trash; a second one is 410; another status restores.',
  options: {
    with: {
      type: 'array',
      description: 'Items of other resources that are hidden and restored along with an item.',
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
    if (status && stringLength(status) < TRASH.length)
      check.fail(
        [],
        `items in the trash have the status "trash", and the field "status" takes at most ${stringLength(status)} characters`,
        'let it take more',
      );
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
    schema.fields['trashed_status'] = {
      type: 'string',
      hidden: true,
      columnLength: lengthOf('status', schema, STATUS_LENGTH),
    };
    schema.fields['trashed_slug'] = {
      type: 'string',
      hidden: true,
      columnLength: lengthOf('slug', schema, SLUG_LENGTH),
    };
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
      // Items of other resources, which are not locked, are restored with it.
      if (companions.length > 0) op.tx!.alone();
      op.state.trash = 'left';
      if (
        draft.values['slug'] === undefined &&
        current['trashed_slug'] !== undefined &&
        slugOf(model, current) !== undefined
      ) {
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

/** Characters that the schema allows in a column, at least those of the values that traits put there. */
function lengthOf(column: string, { fields }: ResourceSchema, least: number): number {
  const own = Object.entries(fields).find(([name, field]) => (field.column ?? name) === column)?.[1];
  const listed = own?.enum?.map((value) => String(value).length);
  const most = own?.type === 'string' ? stringLength(own) : (own?.columnLength ?? own?.maxLength ?? least);
  return Math.max(least, ...(listed ?? [most]));
}

/** The hidden status, and a parameter that lists the trash to those who may edit what is in it. */
function keepOwnStatus(schema: ResourceSchema): void {
  schema.fields['status'] ??= { type: 'string', hidden: true, columnLength: STATUS_LENGTH, index: true };
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
    changes: model,
    target: (row) => ({ id: row[model.key.column!], values: { status: row['trashed_status'] ?? '' } }),
  };
}
