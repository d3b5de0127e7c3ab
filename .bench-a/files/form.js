// Takes a multipart/form-data body apart: one file into a spool, the fields into an object. Used by receive.ts only.
// Every limit is checked here, for parsers of such bodies have brought down whole processes (reliability T10).
import busboy from 'busboy';
import { finished } from 'node:stream/promises';
import { unreadable } from './pump.js';
import { Spool } from './spool.js';
import { UploadProblem } from './upload-problem.js';
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_NAME_BYTES = 100;
const MAX_BOUNDARY = 70;
const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);
/** Bytes a form may hold besides its file: every field at its limit, part headers and boundaries. */
export const FORM_ALLOWANCE = MAX_FIELDS * MAX_FIELD_BYTES + 64 * 1024;
/** A form being read: feed `parser`, then ask for the rest. */
export class Form {
    parser;
    #fields = new Map();
    #openSpool;
    #spool;
    #filename = '';
    /** Throws `rest_upload_no_data` when the request is no well-formed multipart/form-data; `openSpool` is called for a file. */
    constructor(request, openSpool) {
        this.#openSpool = openSpool;
        this.parser = openParser(request);
        this.parser
            .on('field', (name, value, info) => this.#take(name, value, info.nameTruncated, info.valueTruncated))
            .on('file', (name, content, info) => this.#takeFile(name, content, info.filename))
            .on('filesLimit', () => this.#refuse('Send one file at a time.'))
            .on('fieldsLimit', () => this.#refuse(`A form may have ${MAX_FIELDS} fields.`))
            .on('partsLimit', () => this.#refuse('The form has too many parts.'));
    }
    /** The fields as sent, without the names JavaScript gives a meaning to; `name[]` collects a list, else the last one wins. */
    fields() {
        return Object.fromEntries(this.#fields);
    }
    /** The file of the part named `file`, once it is written out; undefined when there was none. */
    async file() {
        if (!this.#spool)
            return undefined;
        await finished(this.#spool);
        return { spool: this.#spool, filename: this.#filename };
    }
    /** Removes the temporary file, if one was begun. */
    async discard() {
        await this.#spool?.discard();
    }
    #take(name, value, nameTruncated, valueTruncated) {
        if (!name)
            return this.#refuse('Every part of a form needs a name.');
        if (nameTruncated || Buffer.byteLength(name) > MAX_NAME_BYTES) {
            return this.#refuse(`A field name may have ${MAX_NAME_BYTES} bytes.`);
        }
        if (valueTruncated) {
            this.parser.destroy(new UploadProblem('rest_request_too_large', `A field may have ${MAX_FIELD_BYTES} bytes.`));
            return;
        }
        if (name.split(/[[\].]/).some((segment) => DANGEROUS.has(segment)))
            return;
        const before = this.#fields.get(name);
        if (!name.endsWith('[]'))
            this.#fields.set(name, value);
        else if (Array.isArray(before))
            before.push(value);
        else
            this.#fields.set(name, [value]);
    }
    #takeFile(name, content, filename) {
        // the parser passes its own end on to the open part, where nobody else may be listening
        content.on('error', () => undefined);
        // a browser sends an empty file input as a part without a file name
        if (name !== 'file' || filename === undefined) {
            content.resume();
            return;
        }
        this.#filename = filename.replace(/%22/g, '"');
        this.#spool = this.#openSpool();
        this.#spool.on('error', (error) => this.parser.destroy(error));
        content.pipe(this.#spool);
    }
    #refuse(message) {
        this.parser.destroy(new UploadProblem('rest_invalid_param', message));
    }
}
function openParser(request) {
    const limits = { files: 1, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES + 1, parts: MAX_FIELDS + 2 };
    try {
        refuseOddHeader(request.headers['content-type'] ?? '');
        return busboy({ headers: request.headers, limits, defParamCharset: 'utf8' });
    }
    catch (error) {
        request.resume();
        throw unreadable('The body is not multipart/form-data with a boundary.', error);
    }
}
// the parser searches for the boundary in time that grows with its length, and takes urlencoded bodies as well
function refuseOddHeader(contentType) {
    if (!/^\s*multipart\/form-data\s*;/i.test(contentType))
        throw new TypeError('not multipart/form-data');
    const boundary = /boundary\s*=\s*("[^"]*"|[^\s;]*)/i.exec(contentType)?.[1] ?? '';
    if (boundary.length > MAX_BOUNDARY + 2)
        throw new RangeError(`boundary longer than ${MAX_BOUNDARY} characters`);
}
