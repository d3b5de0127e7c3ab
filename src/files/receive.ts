// Receives an upload into a temporary file, as a raw body or as a form. A failed upload leaves no temporary file.
import type { IncomingMessage } from 'node:http';
import { dispositionFilename } from './content-disposition.js';
import { Form, FORM_ALLOWANCE } from './multipart.js';
import { pump, assertAnnouncedLength, unreadable } from './pump.js';
import { Spool } from './spool.js';
import { UploadProblem } from './upload-problem.js';

/**
 * `limit` in bytes of the file; `directory` for temporary files; `md5` the hex Content-MD5 that the client sent, to be
 * verified;
 * `signal` aborts with its reason.
 */
export interface ReceiveOptions {
  limit: number;
  directory: string;
  md5?: string;
  signal?: AbortSignal;
}

/** A received file: `size` in bytes, `md5` in lower-case hex, `filename` as sent by the client (not sanitized). */
export interface ReceivedFile {
  path: string;
  size: number;
  md5: string;
  filename?: string;
  /** Removes the temporary file; call it when the upload is stored or rejected. */
  remove(): Promise<void>;
}

/**
 * The whole body as one file; `filename` comes from Content-Disposition. Rejects with UploadProblem:
 * `rest_upload_no_data` (empty or incomplete), `rest_upload_file_too_big`, `rest_upload_hash_mismatch`,
 * `rest_upload_file_error` (the server's disk).
 */
export async function receiveRaw(request: IncomingMessage, options: ReceiveOptions): Promise<ReceivedFile> {
  assertAnnouncedLength(request, options.limit, tooBig(options.limit));
  const spool = openSpool(options);
  try {
    await pump(request, spool, tooBig(options.limit), options);
    if (spool.size === 0) throw unreadable('The request has no body; send the file as the body.');
    return received(spool, dispositionFilename(request.headers['content-disposition']), options.md5);
  } catch (error) {
    await spool.discard();
    throw error;
  }
}

/**
 * A multipart/form-data body: the part named `file`, when there is one with a file name, and the fields, flat as sent.
 * Limits: 1 file, 20 fields of 64 KB, names of 100 bytes. Rejects with UploadProblem as receiveRaw does, and with
 * `rest_invalid_param` (too many or wrongly named parts) or `rest_request_too_large` (a field over its limit).
 */
export async function receiveMultipart(
  request: IncomingMessage,
  options: ReceiveOptions,
): Promise<{ file?: ReceivedFile; fields: Record<string, unknown> }> {
  const limit = options.limit + FORM_ALLOWANCE;
  assertAnnouncedLength(request, limit, tooBig(limit));
  const form = new Form(request, () => openSpool(options));
  try {
    await pump(request, form.parser, tooBig(limit), { ...options, limit });
    const file = await form.file();
    const fields = form.fields();
    return file ? { file: received(file.spool, file.filename, options.md5), fields } : { fields };
  } catch (error) {
    await form.discard();
    throw error;
  }
}

/**
 * The fields of a multipart/form-data body of at most `limit` bytes; files in it are ignored and not stored.
 * Rejects as receiveMultipart does, with `rest_request_too_large` for too many bytes, or with the reason of `signal`.
 */
export async function receiveFields(
  request: IncomingMessage,
  options: Pick<ReceiveOptions, 'limit' | 'signal'>,
): Promise<Record<string, unknown>> {
  const { limit } = options;
  const tooLarge = new UploadProblem('rest_request_too_large', `A form may have ${limit} bytes here. Send less.`);
  assertAnnouncedLength(request, limit, tooLarge);
  const form = new Form(request);
  await pump(request, form.parser, tooLarge, options);
  return form.fields();
}

function tooBig(limit: number): UploadProblem {
  return new UploadProblem('rest_upload_file_too_big', `The upload is larger than the limit of ${limit} bytes.`);
}

function openSpool(options: ReceiveOptions): Spool {
  return new Spool(options.directory, options.limit);
}

function received(spool: Spool, filename: string | undefined, wanted: string | undefined): ReceivedFile {
  const md5 = spool.md5();
  if (wanted !== undefined && wanted.trim().toLowerCase() !== md5) {
    throw new UploadProblem('rest_upload_hash_mismatch', 'The Content-MD5 sent does not match the bytes that arrived.');
  }
  const remove = () => spool.discard();
  return { path: spool.path, size: spool.size, md5, remove, ...(filename === undefined ? {} : { filename }) };
}
