// What the trash of a resource offers to other traits and to the importer.
import type { TrashFace } from '../../model/faces.js';
import type { FieldModel, UniqueModel } from '../../model/field.js';
import { withDerived } from '../../model/functions/with-derived.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { equals, NEXT_VERSION, type Row } from '../../model/query.js';
import { utcNow } from '../../values/date-time.js';
import { MAX_SLUG_LENGTH, truncateSlug } from '../../text/slug.js';
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
    column: 'status',
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
  const written: Row = {
    status: TRASH,
    trashed_status: row['status'] ?? '',
    trashed_at: utcNow(op),
    trashed_slug: slug ?? '',
    ...(slug === undefined ? {} : { slug: slugInTrash(model, slug, row['id']) }),
    ...resets,
    ...model.faces.dates?.touched(op),
  };
  const changes = withDerived(model, written, op, row);
  await op.tx!.update(model.table!.name, { ...changes, ...NEXT_VERSION }, equals('id', row['id']), row);
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

/** A draft without a slug has none in the trash either. Slugs that must be unique end with the id of their item. */
function slugInTrash(model: ResourceModel, slug: string, id: number): string {
  if (slug === '') return '';
  const suffix = uniqueSlugs(model).length > 0 ? `${SUFFIX}-${id}` : SUFFIX;
  const length = fieldOfSlug(model)?.columns[0]?.length ?? MAX_SLUG_LENGTH;
  return truncateSlug(slug, suffix.slice(-length), length);
}

/** The unique values that the slug is, or is part of. */
function uniqueSlugs(model: ResourceModel): UniqueModel[] {
  return model.uniques.filter(({ fields }) => fields.some(({ column }) => column === 'slug'));
}

function fieldOfSlug(model: ResourceModel): FieldModel | undefined {
  return [...model.fields.values()].find(({ column }) => column === 'slug');
}
