// Request and response classes that already have Express's prototypes, so that Express need not change each object's (stack.md).
import { IncomingMessage, ServerResponse } from 'node:http';
import { contextOf } from './request-context.js';
/** Makes the two classes of one application and installs them as its prototypes. */
export function installMessageClasses(app, standing, isLast) {
    class ApiIncomingMessage extends IncomingMessage {
        context = undefined;
        // Express parses again at each access.
        get query() {
            return contextOf(this).query;
        }
    }
    class ApiServerResponse extends ServerResponse {
        /** The constant headers are in what is written. */
        complete = false;
        // Every way to answer ends here, a file or another library's page too: none leaves without the constant headers.
        writeHead(...args) {
            if (!this.complete) {
                this.complete = true;
                addConstantHeaders(this, standing, args[0]);
                if (isLast(this))
                    this.setHeader('Connection', 'close');
            }
            return Reflect.apply(super.writeHead, this, args);
        }
    }
    Object.setPrototypeOf(ApiIncomingMessage.prototype, app.request);
    Object.setPrototypeOf(ApiServerResponse.prototype, app.response);
    app.request = ApiIncomingMessage.prototype;
    app.response = ApiServerResponse.prototype;
    return { IncomingMessage: ApiIncomingMessage, ServerResponse: ApiServerResponse };
}
function addConstantHeaders(response, standing, status) {
    const link = response.getHeader('Link');
    const own = typeof link === 'string' ? { Link: link } : {};
    const flat = standing.assemble(contextOf(response.req), own, status, false);
    for (let at = 0; at < flat.length; at += 2) {
        const name = String(flat[at]);
        if (name === 'Vary')
            response.appendHeader(name, String(flat[at + 1]));
        else if (name === 'Link' || !response.hasHeader(name))
            response.setHeader(name, flat[at + 1]);
    }
}
