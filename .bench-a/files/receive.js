import { dispositionFilename } from './disposition.js';
import { Form, FORM_ALLOWANCE } from './form.js';
import { pump, refuseAnnounced, unreadable } from './pump.js';
import { Spool } from './spool.js';
import { UploadProblem } from './upload-problem.js';
/**
 * The whole body as one file; `filename` comes from Content-Disposition. Rejects with UploadProblem:
 * `rest_upload_no_data` (empty or cut short), `rest_upload_file_too_big`, `rest_upload_hash_mismatch`,
 * `rest_upload_file_error` (our disk). Decisions 13.10, 13.13, 13.14, 13.31.
 */
export async function receiveRaw(request, options) {
    refuseAnnounced(request, options.limit);
    const spool = openSpool(options);
    try {
        await pump(request, spool, options.limit);
        if (spool.size === 0)
            throw unreadable('The request has no body; send the file as the body.');
        return received(spool, dispositionFilename(request.headers['content-disposition']), options.md5);
    }
    catch (error) {
        await spool.discard();
        throw error;
    }
}
/**
 * A multipart/form-data body: the part named `file`, when there is one with a file name, and the fields, flat as sent.
 * Limits: 1 file, 20 fields of 64 KB, names of 100 bytes. Rejects with UploadProblem as receiveRaw does, and with
 * `rest_invalid_param` (too many or wrongly named parts) or `rest_request_too_large` (a field over its limit).
 * Decisions 2.15, 13.11, 13.13, 13.31; reliability T10.
 */
export async function receiveMultipart(request, options) {
    refuseAnnounced(request, options.limit + FORM_ALLOWANCE);
    const form = new Form(request, () => openSpool(options));
    try {
        await pump(request, form.parser, options.limit + FORM_ALLOWANCE);
        const file = await form.file();
        const fields = form.fields();
        return file ? { file: received(file.spool, file.filename, options.md5), fields } : { fields };
    }
    catch (error) {
        await form.discard();
        throw error;
    }
}
function openSpool(options) {
    return new Spool(options.directory, options.limit);
}
function received(spool, filename, wanted) {
    const md5 = spool.md5();
    if (wanted !== undefined && wanted.trim().toLowerCase() !== md5) {
        throw new UploadProblem('rest_upload_hash_mismatch', 'The Content-MD5 sent does not match the bytes that arrived.');
    }
    const remove = () => spool.discard();
    return { path: spool.path, size: spool.size, md5, remove, ...(filename === undefined ? {} : { filename }) };
}
