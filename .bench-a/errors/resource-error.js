// The only error meant for a client. Thrown anywhere below http/, written by its error filter.
import { catalogue } from './catalogue.js';
/**
 * A refusal in the shape of decisions 3.1. Code and wording come from the catalogue; a schema's own codes
 * (`errors` in a schema file) take status and wording from `like`.
 */
export class ResourceError extends Error {
    code;
    details;
    status;
    /** Sent with the answer: `Retry-After` and the like. */
    headers;
    additional = [];
    constructor(code, details = {}) {
        const entry = catalogue[code] ?? (details.like ? catalogue[details.like] : undefined);
        super(details.message ?? entry?.message ?? code);
        this.code = code;
        this.details = details;
        this.status = details.status ?? entry?.status ?? 400;
        this.headers = details.headers ?? {};
    }
    /** HTTP status for a caller. */
    statusFor(known) {
        return this.status === 'auth' ? (known ? 403 : 401) : this.status;
    }
    /** The JSON body (decisions 3.1, 3.2). */
    body(known) {
        const data = { ...this.details.data, status: this.statusFor(known) };
        const body = { code: this.code, message: this.message, data };
        if (this.additional.length > 0)
            body['additional_errors'] = this.additional.map((error) => error.body(known));
        return body;
    }
}
/** `rest_invalid_param` for several parameters at once (decisions 3.4). */
export function invalidParams(issues) {
    const params = {};
    const details = {};
    for (const issue of issues) {
        params[issue.param] = issue.message;
        details[issue.param] = { code: issue.code, message: issue.message, data: issue.data ?? null };
    }
    return new ResourceError('rest_invalid_param', {
        message: `Invalid parameter(s): ${Object.keys(params).join(', ')}. See data.params for what each one allows.`,
        data: { status: 400, params, details },
    });
}
