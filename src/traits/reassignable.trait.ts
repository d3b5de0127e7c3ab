// Deletion with reassignment: items that refer to the deleted one are reassigned to another item or moved to the trash.
import { setImmediate as turn } from 'node:timers/promises';
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { moveReferences } from '../model/functions/move-references.js';
import { followingOperation } from '../model/new-operation.js';
import { and, equals, not, type Row } from '../model/query.js';
import type { Trait } from '../model/trait.js';

interface Options {
  /** References that are reassigned. Rows of other resources in the same tables (revisions) are included. */
  references: { resource: string; field: string }[];
  /** Error code for a successor that does not exist. */
  error?: string;
}

/** A reference field with its table. */
interface Reference {
  model: ResourceModel;
  table: string;
  column: string;
}

/** Items moved to the trash before other work may run. */
const BATCH = 100;

/** Code for an item that cannot take over. */
const UNFIT = 'rest_user_invalid_reassign';

export const reassignableTrait: Trait<Options> = {
  name: 'reassignable',
  description:
    'DELETE needs `reassign`: the id of the item that takes over what refers to ours, or false to put that into the trash.',
  // Nothing is handed over where the item goes to the trash or the deletion is refused.
  after: ['account', 'trashable', 'force-delete'],
  options: {
    references: {
      type: 'array',
      description: 'Fields of other resources that refer to items of this one.',
      items: {
        type: 'object',
        properties: { resource: { type: 'string', required: true }, field: { type: 'string', required: true } },
        additionalProperties: false,
      },
      minItems: 1,
      required: true,
    },
    error: {
      type: 'string',
      format: 'code',
      description: 'Error code for a successor that does not exist (default rest_user_invalid_reassign).',
    },
  },
  check(check, { references }) {
    for (const [index, { resource, field }] of references.entries()) {
      const owner = check.resource(['references', index, 'resource'], resource);
      if (owner) check.referenceTo(['references', index, 'field'], field, check.schema, owner);
    }
  },
  extend(schema) {
    schema.deleteParams = {
      ...schema.deleteParams,
      reassign: {
        description: 'Id of the item that takes over everything that belongs to the deleted one; false for none.',
        required: true,
        anyOf: [{ type: 'integer' }, { type: 'string', enum: ['', 'false'] }, { type: 'boolean', enum: [false] }],
        ...schema.deleteParams?.['reassign'],
      },
    };
  },
  codes: (_model, { error = UNFIT }) => ({ delete: [{ code: error, status: 400 }] }),
  sideBySide: true,
  hooks: (model, { references, error = UNFIT }) => ({
    async remove(row, op) {
      const places = references.flatMap((reference) => placeOf(model, reference) ?? []);
      const successor = op.params['reassign'] as unknown;
      if (typeof successor !== 'number') {
        for (const place of places) await trashReferencing(place, row['id'], op);
        return;
      }
      // 0 leaves the items without an owner.
      if (successor !== 0 && !(await canTakeOver(model, successor, row['id'], op)))
        throw new ResourceError(error, {
          like: UNFIT,
          wording: `There is no item ${successor} that could take over. Send the id of another existing item, or false.`,
        });
      for (const { model: owner, column } of uniquePlaces(places)) {
        const reference = { table: owner.table!, column };
        await moveReferences(op.tx!, reference, successor, equals(column, row['id']));
      }
    },
  }),
};

function placeOf(model: ResourceModel, { resource, field }: Options['references'][number]): Reference | undefined {
  const other = model.site.byName.get(resource);
  const column = other?.fields.get(field)?.column;
  return other?.table && column ? { model: other, table: other.table.name, column } : undefined;
}

function uniquePlaces(places: Reference[]): Reference[] {
  return [...new Map(places.map((place) => [`${place.table} ${place.column}`, place])).values()];
}

async function canTakeOver(model: ResourceModel, id: number, leaving: number, op: Operation): Promise<boolean> {
  if (id < 0 || id === leaving) return false;
  return (await op.store.first(model.table!.name, ['id'], and(equals('id', id), model.rowScope))) !== undefined;
}

/**
 * Moves every item to the trash for which that is possible; the others follow the `onDelete` of their reference.
 * Independent of the site's trash setting, so that nothing is lost.
 */
async function trashReferencing({ model, table, column }: Reference, id: number, op: Operation): Promise<void> {
  const { trash } = model.faces;
  if (!trash) return;
  const left = and(model.rowScope, equals(column, id), not(trash.rows));
  for (let last = 0; ;) {
    const where = and(left, { op: 'gt', column: 'id', value: last });
    const rows = await op.tx!.select({
      table,
      columns: model.allColumns,
      where,
      order: [{ column: 'id', direction: 'asc' }],
      limit: BATCH,
    });
    for (const row of rows) await trash.move(row, deletionOf(model, row, op));
    if (rows.length < BATCH) return;
    last = rows.at(-1)!['id'] as number;
    // An embedded database responds synchronously; without yielding, thousands of items would block every other
    // request.
    await turn();
  }
}

/** The operation that deletes the item itself. */
function deletionOf(model: ResourceModel, row: Row, op: Operation): Operation {
  const id = row['id'] as number;
  return followingOperation(op, { model, kind: 'delete', id, parentId: 0, params: {}, values: {}, raw: {} });
}
