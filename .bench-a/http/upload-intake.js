import { parse } from 'qs';
import { dispositionFilename } from '../files/disposition.js';
import { receiveMultipart, receiveRaw } from '../files/receive.js';
import { ResourceError } from '../errors/resource-error.js';
import { askedOf } from './asked.js';
import { limits } from './limits.js';
import { hasBody } from './media-type.js';
import { contextOf } from './request-context.js';
/** Whether creating an item of this resource takes a file. */
export function takesFiles(route) {
    return route.model.traits.has('uploaded');
}
/** Receives uploads; callers who may not create anything do not get to send a file. */
export class UploadIntake {
    options;
    allowance;
    constructor(options, allowance) {
        this.options = options;
        this.allowance = allowance;
    }
    /** Fields of a multipart body, with its file where the route takes one. */
    async form(route, request, wantsFile) {
        if (wantsFile && !(await this.mayCreate(route, request)))
            return { fields: {} };
        const limit = wantsFile ? this.options.limit : this.options.formLimit;
        const md5 = wantsFile ? headerOf(request, 'content-md5') : undefined;
        const { file, fields } = await receiveMultipart(request, {
            directory: this.options.directory,
            limit,
            ...given(md5),
        });
        if (file && !wantsFile)
            await file.remove();
        const named = withoutBrackets(fields);
        return file && wantsFile ? { fields: named, file: uploaded(file, 'multipart') } : { fields: named };
    }
    /** The whole body as a file; undefined when the service will refuse anyway, or when there is no body. */
    async raw(route, request) {
        if (!hasBody(request) || !(await this.mayCreate(route, request)))
            return undefined;
        requireHeaders(request);
        const md5 = headerOf(request, 'content-md5');
        const file = await receiveRaw(request, {
            directory: this.options.directory,
            limit: this.options.limit,
            ...given(md5),
        });
        return uploaded(file, 'raw');
    }
    async mayCreate(route, request) {
        return (await this.allowance.of(route, 'collection', askedOf(request))).includes('POST');
    }
}
function requireHeaders(request) {
    if (contextOf(request).mediaType === '')
        throw new ResourceError('rest_upload_no_content_type');
    const disposition = headerOf(request, 'content-disposition');
    if (disposition === undefined)
        throw new ResourceError('rest_upload_no_content_disposition');
    if (dispositionFilename(disposition) === undefined)
        throw new ResourceError('rest_upload_invalid_disposition');
}
function uploaded(file, form) {
    return { ...file, form };
}
function headerOf(request, name) {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
}
function given(md5) {
    return md5 === undefined ? {} : { md5 };
}
/** `meta[colour]` becomes a member, as in urlencoded forms. */
function withoutBrackets(fields) {
    return parse(fields, {
        depth: limits.queryDepth,
        arrayLimit: limits.arrayItems,
        plainObjects: true,
    });
}
