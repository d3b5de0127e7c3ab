// Deletion that asks what becomes of the items that refer to ours: they move to another item, or into the trash (decisions 15.23-15.27).
import { setImmediate as turn } from 'node:timers/promises';
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { and, equals, not, type Predicate, type Row } from '../model/query.js';
import type { Trait } from '../model/registry.js';
import { putIntoTrash } from './trashable.trait.js';

interface Options {
  /** References that move along. Rows of other resources on the same tables (revisions) move too. */
  references: { resource: string; field: string }[];
  /** Error code for a successor that does not exist. */
  error?: string;
}

/** A reference field with its place. */
interface Reference {
  model: ResourceModel;
  table: string;
  column: string;
}

/** Items put away between two looks at other work. */
const BATCH = 100;

export const reassignableTrait: Trait<Options> = {
  name: 'reassignable',
  description:
    'DELETE needs `reassign`: the id of the item that takes over what refers to ours, or false to put that into the trash.',
  options: {
    references: {
      type: 'array',
      description: 'Reference fields of other resources that lead to ours.',
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
  hooks: (model, { references, error = 'rest_user_invalid_reassign' }) => ({
    async remove(row, op) {
      const places = references.flatMap((reference) => placeOf(model, reference) ?? []);
      const successor = op.params['reassign'] as unknown;
      if (typeof successor !== 'number') {
        for (const place of places) await putAllAway(place, row['id'], op);
        return;
      }
      // 0 leaves the items to nobody.
      if (successor !== 0 && !(await canTakeOver(model, successor, row['id'], op)))
        throw new ResourceError(error, {
          like: 'rest_user_invalid_reassign',
          wording: `There is no item ${successor} that could take over. Send the id of another existing item, or false.`,
        });
      for (const { table, column } of uniquePlaces(places)) {
        await op.tx!.update(table, { [column]: successor, row_version: { increment: 1 } }, equals(column, row['id']));
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
  return (await op.store.first(model.table!.name, ['id'], and(equals('id', id), own(model)))) !== undefined;
}

function own(model: ResourceModel): Predicate {
  return and(...Object.entries(model.discriminator).map(([name, value]) => equals(name, value)));
}

/** Puts every item away that can be; the rest follows the `onDelete` of its reference. The site's switch for the trash is not asked: nothing gets lost. */
async function putAllAway({ model, table, column }: Reference, id: number, op: Operation): Promise<void> {
  if (!model.traits.has('trashable')) return;
  const left = and(own(model), equals(column, id), not(equals('status', 'trash')));
  for (let last = 0; ;) {
    const where = and(left, { op: 'gt', column: 'id', value: last });
    const rows = await op.tx!.select({
      table,
      columns: model.allColumns,
      where,
      order: [{ column: 'id', direction: 'asc' }],
      limit: BATCH,
    });
    for (const row of rows) await putIntoTrash(model, row, deletionOf(model, row, op));
    if (rows.length < BATCH) return;
    last = rows.at(-1)!['id'] as number;
    // An embedded database answers at once; without a pause thousands of items would hold up every other request.
    await turn();
  }
}

/** The operation that a deletion of the item itself would have been. */
function deletionOf(model: ResourceModel, row: Row, op: Operation): Operation {
  return {
    ...op,
    model,
    kind: 'delete',
    id: row['id'] as number,
    parentId: 0,
    params: { force: false },
    values: {},
    raw: {},
    may: {},
    notes: {},
  };
}
