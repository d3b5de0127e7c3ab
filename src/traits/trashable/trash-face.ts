// What the trash of a resource offers to other traits and to the importer.
import type { TrashFace } from '../../model/faces.js';
import type { FieldModel } from '../../model/field.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { equals, NEXT_VERSION, type Row } from '../../model/query.js';
import { utcNow } from '../../values/date-time.js';
import { truncateSlug } from '../../text/slug.js';
import type { TrashableOptions } from './options.js';
import { mark } from './companions.js';

/** The status of items in the trash. */
export const TRASH = 'trash';
/** The rows of items in the trash. */
export const IN_TRASH = equals('status', TRASH);
/** Lists the trash of resources without a field `status`. */
export const OWN_PARAM = 'trash';
const SUFFIX = '__trashed';

/** The face `trash` of a resource. */
export function trashFace(
  model: ResourceModel,
  { with: companions = [], resets = {}, hidden }: TrashableOptions,
): TrashFace {
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
  const slug = slugOf(model, row);
  const changes: Row = {
    status: TRASH,
    trashed_status: row['status'] ?? '',
    trashed_at: utcNow(op),
    trashed_slug: slug ?? '',
    ...(slug === undefined ? {} : { slug: slugInTrash(model, slug) }),
    ...resets,
    ...model.faces.dates?.touched(op),
  };
  await op.tx!.update(model.table!.name, { ...changes, ...NEXT_VERSION }, equals('id', row['id']));
  op.state.trash = 'entered';
  // One shared row: later hooks see what earlier ones computed.
  const saved = { ...row, ...changes };
  for (const hook of model.hooks.saved) await hook.run(saved, op, row);
}

/** The slug of an item, which makes way for others in the trash; undefined where it has none, or its `slug` is no text. */
export function slugOf(model: ResourceModel, row: Row): string | undefined {
  const isText = ['slug', 'string'].includes(fieldOfSlug(model)?.type ?? '');
  return isText ? ((row['slug'] as string | null | undefined) ?? undefined) : undefined;
}

/** A draft without a slug has none in the trash either. */
function slugInTrash(model: ResourceModel, slug: string): string {
  return slug === '' ? '' : truncateSlug(slug, SUFFIX, fieldOfSlug(model)?.columns[0]?.length);
}

function fieldOfSlug(model: ResourceModel): FieldModel | undefined {
  return [...model.fields.values()].find(({ column }) => column === 'slug');
}
