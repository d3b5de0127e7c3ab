// Parses a multipart/form-data body: one file into a spool, the fields into an object. Every limit is enforced here,
// because parsers of such bodies have been used for denial of service.
import busboy from 'busboy';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { unreadable } from './pump.js';
import { Spool } from './spool.js';
import { UploadProblem } from './upload-problem.js';

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_NAME_BYTES = 100;
const MAX_BOUNDARY = 70;
/**
 * The character that the parser substitutes for bytes that are invalid in the charset of their part, by default UTF-8.
 */
const REPLACED = '\ufffd';

/** Maximum bytes of a form besides its file: every field at its limit, part headers and boundaries. */
export const FORM_ALLOWANCE = MAX_FIELDS * MAX_FIELD_BYTES + 64 * 1024;

/** The parser of one form: write to `parser`, then read the results. */
export class Form {
  readonly parser: busboy.Busboy;
  readonly #fields = new Map<string, string | string[]>();
  readonly #openSpool: (() => Spool) | undefined;
  #spool: Spool | undefined;
  #filename = '';

  /**
   * Throws `rest_upload_no_data` when the request is not well-formed multipart/form-data; `openSpool` is called for a
   * file, without it files are ignored.
   */
  constructor(request: IncomingMessage, openSpool?: () => Spool) {
    this.#openSpool = openSpool;
    this.parser = openParser(request);
    this.parser
      .on('field', (name, value, info) => this.#take(name, value, info.nameTruncated, info.valueTruncated))
      .on('file', (name, content, info) => this.#takeFile(name, content, info.filename))
      .on('filesLimit', () => this.#refuse('Send one file at a time.'))
      .on('fieldsLimit', () => this.#refuse(`A form may have ${MAX_FIELDS} fields.`))
      .on('partsLimit', () => this.#refuse('The form has too many parts.'));
  }

  /** The fields as sent, whatever their names; `name[]` collects a list, otherwise the last one wins. */
  fields(): Record<string, unknown> {
    return Object.fromEntries(this.#fields);
  }

  /** The file of the part named `file`, once it is written; undefined when there was none. */
  async file(): Promise<{ spool: Spool; filename: string } | undefined> {
    if (!this.#spool) return undefined;
    await finished(this.#spool);
    return { spool: this.#spool, filename: this.#filename };
  }

  /** Removes the temporary file, if there is one. */
  async discard(): Promise<void> {
    await this.#spool?.discard();
  }

  #take(name: string | undefined, value: string, nameTruncated: boolean, valueTruncated: boolean): void {
    if (!name) return this.#refuse('Every part of a form needs a name.');
    if (nameTruncated || Buffer.byteLength(name) > MAX_NAME_BYTES) {
      return this.#refuse(`A field name may have ${MAX_NAME_BYTES} bytes.`);
    }
    if (valueTruncated) {
      this.parser.destroy(new UploadProblem('rest_request_too_large', `A field may have ${MAX_FIELD_BYTES} bytes.`));
      return;
    }
    if (name.includes(REPLACED)) return this.#refuse('The name of a field is not valid UTF-8.');
    if (value.includes(REPLACED)) return this.#refuse(`The field ${JSON.stringify(name)} is not valid UTF-8.`);
    const before = this.#fields.get(name);
    if (!name.endsWith('[]')) this.#fields.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else this.#fields.set(name, [value]);
  }

  #takeFile(name: string | undefined, content: Readable, filename: string | undefined): void {
    // The parser passes its own error on to the open part, which may have no listener.
    content.on('error', () => undefined);
    // A browser sends an empty file input as a part without a file name.
    if (name !== 'file' || filename === undefined || !this.#openSpool) {
      content.resume();
      return;
    }
    this.#filename = filename.replace(/%22/g, '"');
    this.#spool = this.#openSpool();
    this.#spool.on('error', (error) => this.parser.destroy(error));
    content.pipe(this.#spool);
  }

  #refuse(message: string): void {
    this.parser.destroy(new UploadProblem('rest_invalid_param', message));
  }
}

function openParser(request: IncomingMessage): busboy.Busboy {
  const limits = { files: 1, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES + 1, parts: MAX_FIELDS + 2 };
  try {
    assertFormHeader(request.headers['content-type'] ?? '');
    return busboy({ headers: request.headers, limits, defParamCharset: 'utf8' });
  } catch (error) {
    request.resume();
    throw unreadable('The body is not multipart/form-data with a boundary.', error);
  }
}

// The parser searches for the boundary in time that grows with its length, and accepts urlencoded bodies as well.
function assertFormHeader(contentType: string): void {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType)) throw new TypeError('not multipart/form-data');
  const boundary = /boundary\s*=\s*("[^"]*"|[^\s;]*)/i.exec(contentType)?.[1] ?? '';
  if (boundary.length > MAX_BOUNDARY + 2) throw new RangeError(`boundary longer than ${MAX_BOUNDARY} characters`);
}
