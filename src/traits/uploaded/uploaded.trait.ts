// Items with a file: received with the create request, inspected, stored, and deleted with the item.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, or } from '../../model/query.js';
import { closed, columnsOf, filesOf, rowsWithFile, PROPERTIES, showUrls } from './media-details.js';
import { FULL, OPTIONS, type Options } from './options.js';
import { storeFile, storeUpload } from './store-upload.js';
import type { StoredUpload } from '../../model/site/file-storage.js';
import type { OptionCheck } from '../../model/option-check.js';
import type { Trait } from '../../model/trait.js';

/** Types that can receive texts found in a file. */
const TEXTS = ['string', 'text', 'rendered'];

export const uploadedTrait: Trait<Options> = {
  name: 'uploaded',
  description: 'Creating an item takes a file: adds mime_type, media_details and the storage key.',
  options: OPTIONS,
  check(check, { parent, title, caption, sizes = {} }) {
    check.own('mime_type', ['string']);
    check.own('media_details', ['object']);
    if (parent !== undefined) check.field(['parent'], parent, ['reference']);
    if (title !== undefined) check.field(['title'], title, TEXTS);
    if (caption !== undefined) check.field(['caption'], caption, TEXTS);
    checkSizes(check, sizes);
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
      properties: PROPERTIES,
      additionalProperties: true,
      ...shown,
      ...schema.fields['media_details'],
    };
  },
  adopt: (model) => ({
    async obstacle(reader, had) {
      const without = had('file') ? and(model.rowScope, equals('file', '')) : model.rowScope;
      const rows = await reader.select({
        table: model.table!.name,
        columns: ['id'],
        where: without,
        order: [],
        limit: 10,
      });
      if (rows.length === 0) return undefined;
      const message = `items have no file: ids ${rows.map(({ id }) => id).join(', ')}`;
      return {
        message,
        hint: 'Every item of this trait has one: give files a resource of their own, and refer to it.',
      };
    },
  }),
  faces: (_model, options) => ({
    upload: {
      private: options.access === 'read',
      columns: { key: 'file', mime: 'mime_type', details: 'media_details' },
      closed: (row) => (options.access === 'read' ? closed(row) : undefined),
      keysOf: filesOf,
      candidates: rowsWithFile,
      store: async (file, site, keys) => columnsOf(await storeFile(file, options, site, keys)),
    },
  }),
  link: (model, { access }) => showUrls(model, access === 'read'),
  authorizes: ['create', 'update'],
  sideBySide: true,
  codes: {
    create: [
      'rest_upload_no_data',
      'rest_upload_no_content_type',
      'rest_upload_no_content_disposition',
      'rest_upload_invalid_disposition',
      'rest_upload_hash_mismatch',
      'rest_upload_sideload_error',
      'rest_upload_unknown_error',
      'rest_upload_file_too_big',
      { code: 'rest_upload_file_error', status: 503 },
      { code: 'rest_upload_file_error', status: 507 },
    ],
  },
  hooks: (model, options) => ({
    async authorize(op) {
      if (options.parent && op.values[options.parent]) await assertParent(model, options.parent, op);
    },
    async prepare(op) {
      if (op.kind === 'create') await storeUpload(model, options, op);
    },
    input(draft, op, current) {
      const upload = op.state.upload;
      if (current || !upload) return;
      Object.assign(draft.row, columnsOf(upload));
      takeTexts(options, upload.inspection, upload.name, draft.values, (field, text) =>
        model.fields.get(field)?.toStore?.(text, draft, op),
      );
    },
    saved(row, op, previous) {
      // Clients that request the resized copies separately read this header.
      if (!previous) op.state.headers = { 'X-WP-Upload-Attachment-ID': String(row['id']) };
      const upload = op.state.upload;
      if (!previous && upload) op.tx!.after(() => op.site.files.commit([...upload.keys]));
    },
  }),
};

function checkSizes(check: OptionCheck, sizes: NonNullable<Options['sizes']>): void {
  for (const [name, { width, height, crop }] of Object.entries(sizes)) {
    if (name === FULL) check.fail(['sizes', name], `"${FULL}" is the name of the image itself`, 'choose another name');
    else if (width === undefined && height === undefined)
      check.fail(['sizes', name], 'a size needs a width or a height', 'write { "width": 600 }');
    else if (crop && (width === undefined || height === undefined))
      check.fail(['sizes', name], 'a size with "crop" needs a width and a height', 'leave out "crop"');
  }
}

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
