// Items with a file: it comes with the create request, is looked into, kept, and goes with the item (decisions 13).
import { ResourceError } from '../errors/resource-error.js';
import { inspectFile } from '../files/inspect.js';
import { UploadProblem } from '../files/upload-problem.js';
import { equals } from '../model/query.js';
import { toWall } from '../fields/date-time.js';
import { utcNow } from './dated.trait.js';
export const uploadedTrait = {
    name: 'uploaded',
    description: 'Creating an item takes a file: adds mime_type, media_details and the storage key.',
    options: {
        parent: { type: 'string', description: 'Reference to the item the file belongs to.' },
        title: { type: 'string', description: "Field that takes the file's name when none is given." },
        caption: { type: 'string', description: 'Field that takes the caption found in a picture.' },
    },
    extend(schema) {
        const shown = { readOnly: true };
        schema.fields['file'] = { type: 'string', internal: true, maxLength: 400 };
        schema.fields['mime_type'] = { type: 'string', description: 'MIME type of the file.', maxLength: 100, ...shown, ...schema.fields['mime_type'] };
        schema.fields['media_details'] = {
            type: 'object',
            description: 'What is known about the file: size, dimensions, camera data.',
            additionalProperties: true,
            ...shown,
            ...schema.fields['media_details'],
        };
    },
    hooks: (model, options) => ({
        async authorize(op) {
            if (options.parent && op.values[options.parent])
                await refuseWrongParent(model, options.parent, op);
        },
        async prepare(op) {
            if (op.kind === 'create')
                await keepFile(model, options, op);
        },
        input(draft, op, current) {
            const kept = op.notes['upload'];
            if (current || !kept)
                return;
            const { inspection, key } = kept;
            Object.assign(draft.row, {
                file: key,
                mime_type: inspection.mime,
                media_details: JSON.stringify(detailsOf(inspection, key)),
            });
            takeTexts(options, inspection, kept.name, draft.values, (field, text) => model.fields.get(field)?.toStore?.(text, draft, op));
        },
        removed(row, op) {
            if (row['file'])
                op.tx.after(() => op.site.files.remove([row['file'], ...copiesOf(row)]));
        },
    }),
};
async function refuseWrongParent(model, name, op) {
    const field = model.fields.get(name);
    const kinds = field?.targets?.flatMap((target) => Object.entries(target.discriminator)) ?? [];
    const columns = [...new Set(kinds.map(([column]) => column))];
    const row = await op.store.first(model.table.name, ['id', ...columns], equals('id', op.values[name]));
    if (row && !kinds.some(([column, value]) => row[column] === value)) {
        throw new ResourceError('rest_invalid_param', { status: 400, message: `${name} must be the id of an item that can have files.` });
    }
}
async function keepFile(model, options, op) {
    const { file } = op;
    if (!file)
        throw new ResourceError('rest_upload_no_data');
    try {
        const unfiltered = op.actor.capabilities.has('unfiltered_html');
        const inspection = await inspectFile(file.path, file.filename ?? '', { unfiltered, form: file.form });
        const key = await op.site.files.reserve(await folderOf(model, options, op), inspection.filename);
        op.undo.push(() => op.site.files.remove([key]));
        await op.site.files.put(key, file.path);
        op.notes['upload'] = { key, inspection, name: file.filename ?? inspection.filename };
    }
    catch (error) {
        throw error instanceof UploadProblem ? uploadError(error) : error;
    }
}
/** The error of a refused or failed upload (decisions 13.15). */
export function uploadError(problem) {
    const fixed = problem.code === 'rest_upload_file_too_big' || problem.code === 'rest_upload_hash_mismatch' || problem.code === 'rest_request_too_large';
    const status = fixed ? {} : { status: problem.fault === 'server' ? 500 : 400 };
    return new ResourceError(problem.code, { message: problem.message, ...status });
}
/** Year and month of the dated item a file belongs to, else of now (13.19). */
async function folderOf(model, options, op) {
    const id = options.parent ? op.values[options.parent] : undefined;
    const field = options.parent ? model.fields.get(options.parent) : undefined;
    const dated = field?.targets?.find((target) => !target.traits.has('nested'));
    const kinds = Object.entries(dated?.discriminator ?? {});
    const row = id ? await op.store.first(model.table.name, ['date', ...kinds.map(([column]) => column)], equals('id', id)) : undefined;
    const own = row && kinds.every(([column, value]) => row[column] === value);
    const date = own ? String(row['date']) : toWall(utcNow(op), op.site.settings.timezone);
    return `${date.slice(0, 4)}/${date.slice(5, 7)}`;
}
function detailsOf({ width, height, size, mime, imageMeta }, key) {
    if (!mime.startsWith('image/'))
        return { filesize: size, sizes: {} };
    return { ...(width ? { width, height } : {}), file: key, filesize: size, sizes: {}, image_meta: imageMeta };
}
/** Texts found in the file stand in for those that were not sent (13.20). */
function takeTexts(options, { imageMeta }, filename, values, set) {
    const embedded = (name) => String(imageMeta?.[name] ?? '').trim();
    if (options.title && !values[options.title])
        set(options.title, embedded('title') || filename.replace(/\.[^.]*$/, ''));
    if (options.caption && values[options.caption] === undefined && embedded('caption'))
        set(options.caption, embedded('caption'));
}
/** Keys of the resized copies listed in an item's details. */
function copiesOf(row) {
    const details = typeof row['media_details'] === 'string' && row['media_details'] !== '' ? JSON.parse(row['media_details']) : {};
    const folder = String(row['file']).slice(0, String(row['file']).lastIndexOf('/') + 1);
    return Object.values((details.sizes ?? {})).flatMap((size) => (size.file ? [folder + size.file] : []));
}
