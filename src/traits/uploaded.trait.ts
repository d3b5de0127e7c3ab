// Items with a file: received with the create request, inspected, stored, and deleted with the item.
import { ResourceError } from '../errors/resource-error.js';
import { randomBytes } from 'node:crypto';
import { isPrivate, PRIVATE } from '../files/file-store.js';
import { inspectFile } from '../files/inspect.js';
import type { UploadFace } from '../model/faces.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation, StoredUpload } from '../model/operation.js';
import { and, equals, or, type Predicate } from '../model/query.js';
import type { Trait } from '../model/registry.js';
import { toWall, utcNow } from '../values/date-time.js';

interface Options {
  /** Reference to the item that a file is attached to. */
  parent?: string;
  /** Field that receives the file's name when no title is sent. */
  title?: string;
  /** Field that receives the caption found in an image. */
  caption?: string;
  /** Who may fetch the files: everybody, or those who may read the item. */
  access?: 'public' | 'read';
}

/** What makes the name of a file behind rules unguessable. */
const RANDOM_BYTES = 16;

/** Types that can receive texts found in a file. */
const TEXTS = ['string', 'text', 'rendered'];

export const uploadedTrait: Trait<Options> = {
  name: 'uploaded',
  description: 'Creating an item takes a file: adds mime_type, media_details and the storage key.',
  options: {
    parent: { type: 'string', description: 'Reference to the item the file belongs to.' },
    title: { type: 'string', description: "Field that takes the file's name when none is given." },
    caption: { type: 'string', description: 'Field that takes the caption found in a picture.' },
    access: {
      type: 'string',
      enum: ['public', 'read'],
      description: 'Who may fetch the file: everybody (default), or whoever may read the item.',
    },
  },
  check(check, { parent, title, caption }) {
    check.own('mime_type', ['string']);
    check.own('media_details', ['object']);
    if (parent !== undefined) check.field(['parent'], parent, ['reference']);
    if (title !== undefined) check.field(['title'], title, TEXTS);
    if (caption !== undefined) check.field(['caption'], caption, TEXTS);
  },
  extend(schema, { access }) {
    const shown = { readOnly: true };
    const indexed = access === 'read' ? { index: true } : {};
    schema.fields['file'] = { type: 'string', hidden: true, columnLength: 400, ...indexed };
    schema.fields['mime_type'] = {
      type: 'string',
      description: 'MIME type of the file.',
      columnLength: 100,
      ...shown,
      ...schema.fields['mime_type'],
    };
    schema.fields['media_details'] = {
      type: 'object',
      description: 'What is known about the file: size, dimensions, camera data.',
      additionalProperties: true,
      ...shown,
      ...schema.fields['media_details'],
    };
  },
  adopt: (model) => ({
    async obstacle(reader) {
      const without = and(model.rowScope, equals('file', ''));
      const rows = await reader.select({
        table: model.table!.name,
        columns: ['id'],
        where: without,
        order: [],
        limit: 10,
      });
      if (rows.length === 0) return undefined;
      const message = `items have no file, of the ids ${rows.map(({ id }) => id).join(', ')}`;
      return {
        message,
        hint: 'Every item of this trait has one: give files a resource of their own, and refer to it.',
      };
    },
  }),
  faces: (_model, { access }) => ({
    upload: {
      private: access === 'read',
      columns: { key: 'file', mime: 'mime_type', details: 'media_details' },
      closed: (row) => (access === 'read' ? closed(row) : undefined),
      keysOf: filesOf,
      candidates: naming,
    },
  }),
  authorizes: ['create', 'update'],
  sideBySide: true,
  hooks: (model, options) => ({
    async authorize(op) {
      if (options.parent && op.values[options.parent]) await assertParent(model, options.parent, op);
    },
    async prepare(op) {
      if (op.kind === 'create') await keepFile(model, options, op);
    },
    input(draft, op, current) {
      const kept = op.state.upload;
      if (current || !kept) return;
      const { inspection, key } = kept;
      Object.assign(draft.row, {
        file: key,
        mime_type: inspection.mime,
        media_details: JSON.stringify(detailsOf(inspection, key)),
      });
      takeTexts(options, inspection, kept.name, draft.values, (field, text) =>
        model.fields.get(field)?.toStore?.(text, draft, op),
      );
    },
    saved(row, op, previous) {
      // Clients that request the resized copies separately read this header.
      if (!previous) op.state.headers = { 'X-WP-Upload-Attachment-ID': String(row['id']) };
      const kept = op.state.upload;
      if (!previous && kept) op.tx!.after(() => op.site.files.commit([kept.key]));
    },
  }),
};

/**
 * Rejects an item that cannot have attachments. One that the caller may not read is left to the rules, which do not
 * reveal it.
 */
async function assertParent(model: ResourceModel, name: string, op: Operation): Promise<void> {
  const targets = model.fields.get(name)?.targets ?? [];
  const others = [...model.site.byName.values()].filter(
    (other) => other.table?.name === model.table!.name && !targets.includes(other),
  );
  // Items of another table cannot be confused with attachments.
  if (targets.some((target) => target.table !== model.table)) return;
  const readable = others.map((other) => and(other.rowScope, other.rules.get('read')!(op.actor)));
  const wrong = and(equals('id', op.values[name] as number), or(...readable));
  if (await op.store.first(model.table!.name, ['id'], wrong)) {
    throw new ResourceError('rest_invalid_param', {
      status: 400,
      message: `${name} must be the id of an item that can have files.`,
    });
  }
}

async function keepFile(model: ResourceModel, options: Options, op: Operation): Promise<void> {
  const { file } = op;
  if (!file) throw new ResourceError('rest_upload_no_data');
  const unfiltered = op.actor.capabilities.has('unfiltered_html');
  const inspection = await inspectFile(file.path, file.filename ?? '', { unfiltered, form: file.form });
  const folder = await folderOf(model, options, op);
  const key = await (options.access === 'read'
    ? op.site.files.reserve(PRIVATE + folder, `${randomBytes(RANDOM_BYTES).toString('hex')}-${inspection.filename}`)
    : op.site.files.reserve(folder, inspection.filename));
  op.compensations.push(() => op.site.files.remove([key]));
  await op.site.files.put(key, file.path);
  op.state.upload = { key, inspection, name: file.filename ?? inspection.filename };
}

/** Year and month of the dated item a file is attached to, else of now. */
async function folderOf(model: ResourceModel, options: Options, op: Operation): Promise<string> {
  const id = options.parent ? (op.values[options.parent] as number | undefined) : undefined;
  const field = options.parent ? model.fields.get(options.parent) : undefined;
  const dated = field?.targets?.find(({ faces }) => faces.dates && !faces.tree);
  const kinds = Object.entries(dated?.discriminator ?? {});
  const row =
    id && dated
      ? await op.store.first(dated.table!.name, ['date', ...kinds.map(([column]) => column)], equals('id', id))
      : undefined;
  const own = row && kinds.every(([column, value]) => row[column] === value);
  const date = own ? String(row['date']) : toWall(utcNow(op), op.site.settings.timezone);
  return `${date.slice(0, 4)}/${date.slice(5, 7)}`;
}

function detailsOf(
  { width, height, size, mime, imageMeta }: StoredUpload['inspection'],
  key: string,
): Record<string, unknown> {
  if (!mime.startsWith('image/')) return { filesize: size, sizes: {} };
  return { ...(width ? { width, height } : {}), file: key, filesize: size, sizes: {}, image_meta: imageMeta };
}

/** Texts found in the file replace those that were not sent. */
function takeTexts(
  options: Options,
  { imageMeta }: StoredUpload['inspection'],
  filename: string,
  values: Record<string, unknown>,
  set: (field: string, text: string) => void,
): void {
  const embedded = (name: string) => String(imageMeta?.[name] ?? '').trim();
  if (options.title && !values[options.title])
    set(options.title, embedded('title') || filename.replace(/\.[^.]*$/, ''));
  if (options.caption && values[options.caption] === undefined && embedded('caption'))
    set(options.caption, embedded('caption'));
}

/** Storage keys of an item's file and of its resized copies. */
function filesOf(row: Record<string, unknown>): string[] {
  return row['file'] ? [String(row['file']), ...copiesOf(row)] : [];
}

/** Rows that have the file as their own, or that may list it as a resized copy. */
function naming(key: string): Predicate {
  const name = JSON.stringify(key.slice(key.lastIndexOf('/') + 1));
  return or(equals('file', key), { op: 'contains', column: 'media_details', value: `"file":${name}` });
}

/** Storage keys of the resized copies listed in an item's details. */
function copiesOf(row: Record<string, unknown>): string[] {
  const details =
    typeof row['media_details'] === 'string' && row['media_details'] !== '' ? JSON.parse(row['media_details']) : {};
  const folder = String(row['file']).slice(0, String(row['file']).lastIndexOf('/') + 1);
  return Object.values((details.sizes ?? {}) as Record<string, { file?: string }>).flatMap((size) =>
    size.file ? [folder + size.file] : [],
  );
}

function closed(row: Record<string, unknown>): ReturnType<UploadFace['closed']> {
  const key = String(row['file'] ?? '');
  if (key === '' || isPrivate(key)) return undefined;
  const details = row['media_details'] ? JSON.parse(String(row['media_details'])) : {};
  const moved = details.file === key ? { ...details, file: PRIVATE + key } : details;
  return {
    keys: filesOf(row).map((each) => [each, PRIVATE + each]),
    columns: { file: PRIVATE + key, media_details: JSON.stringify(moved) },
  };
}
