// A finished answer: what the controllers hand to the adapter's reply(), which writes it in one piece.
import { ResourceError } from '../errors/resource-error.js';
/** Status, headers and body text of one answer. Recognised by class. */
export class Answer {
    status;
    headers;
    body;
    constructor(status, headers, body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }
}
/** A result as text, with totals as headers, `_envelope` (decisions 5.9) and `_pretty` (1.11) applied. */
export function toAnswer(result, context) {
    const headers = { ...result.headers };
    if (result.total !== undefined)
        headers['X-WP-Total'] = result.total;
    if (result.totalPages !== undefined)
        headers['X-WP-TotalPages'] = result.totalPages;
    if (!context.envelope)
        return new Answer(result.status, headers, stringify(result.body, context.pretty));
    const enveloped = { body: result.body, status: result.status, headers };
    return new Answer(200, headers, stringify(enveloped, context.pretty));
}
function stringify(body, pretty) {
    try {
        return pretty ? JSON.stringify(body, null, 4) : JSON.stringify(body);
    }
    catch (cause) {
        const error = new ResourceError('rest_encode_error', {
            status: 500,
            message: 'The answer cannot be put into JSON.',
        });
        error.cause = cause;
        throw error;
    }
}
