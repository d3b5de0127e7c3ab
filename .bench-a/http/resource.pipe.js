import { createParamDecorator } from '@nestjs/common';
import { sentFields } from './asked.js';
import { checkBody } from './dto.factory.js';
import { contextOf } from './request-context.js';
import { takesFiles } from './upload-intake.js';
/** Parameter decorator of bound methods: the request, on its way through the pipes given. */
export const Sent = createParamDecorator((_, context) => context.switchToHttp().getRequest());
/** Its `metatype` is the class the bound method declares. */
export class ResourcePipe {
    route;
    uploads;
    wantsFile;
    constructor(route, uploads, kind) {
        this.route = route;
        this.uploads = uploads;
        this.wantsFile = kind === 'create' && takesFiles(route);
    }
    /** Known fields of body and query, body first (decisions 2.2), and the file that came along. */
    async transform(request, { metatype }) {
        const context = contextOf(request);
        const form = context.bodyKind === 'multipart' ? await this.form(request) : undefined;
        try {
            const raw = sentFields(context.query, form?.fields ?? context.body);
            const values = checkBody(metatype, raw);
            const file = form ? form.file : await this.rawFile(request);
            return { values, raw, ...(file ? { file } : {}) };
        }
        catch (error) {
            await form?.file?.remove();
            throw error;
        }
    }
    form(request) {
        return this.uploads.form(this.route, request, this.wantsFile);
    }
    async rawFile(request) {
        const { bodyKind, mediaType } = contextOf(request);
        const isRaw = bodyKind === 'raw' || (bodyKind === 'form' && mediaType === '');
        return this.wantsFile && isRaw ? this.uploads.raw(this.route, request) : undefined;
    }
}
