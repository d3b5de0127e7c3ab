// Request and response classes that already have Express's prototypes, so that Express need not change each object's (stack.md).
import { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerHeaders } from './answer.js';
import type { RequestContext } from './request-context.js';
import { contextOf } from './request-context.js';
import type { ResponseHeaders } from './response-headers.js';

/** The part of an Express application that is replaced. */
export interface PrototypeHolder {
  request: object;
  response: object;
}

/** Makes the two classes of one application and installs them as its prototypes. */
export function installMessageClasses(
  app: PrototypeHolder,
  standing: ResponseHeaders,
  isLast: (response: ServerResponse<IncomingMessage>) => boolean,
) {
  class ApiIncomingMessage extends IncomingMessage {
    context: RequestContext | undefined = undefined;

    // Express parses again at each access.
    get query() {
      return contextOf(this).query;
    }
  }

  class ApiServerResponse extends ServerResponse<ApiIncomingMessage> {
    /** The constant headers are in what is written. */
    complete = false;

    // Every way to answer ends here, a file or another library's page too: none leaves without the constant headers.
    override writeHead(...args: unknown[]): this {
      if (!this.complete) {
        this.complete = true;
        addConstantHeaders(this, standing, args[0] as number);
        if (isLast(this)) this.setHeader('Connection', 'close');
      }
      return Reflect.apply(super.writeHead, this, args) as this;
    }
  }

  Object.setPrototypeOf(ApiIncomingMessage.prototype, app.request);
  Object.setPrototypeOf(ApiServerResponse.prototype, app.response);
  app.request = ApiIncomingMessage.prototype;
  app.response = ApiServerResponse.prototype;
  return { IncomingMessage: ApiIncomingMessage, ServerResponse: ApiServerResponse };
}

function addConstantHeaders(response: ServerResponse, standing: ResponseHeaders, status: number): void {
  const link = response.getHeader('Link');
  const own: AnswerHeaders = typeof link === 'string' ? { Link: link } : {};
  const flat = standing.assemble(contextOf(response.req), own, status, false);
  for (let at = 0; at < flat.length; at += 2) {
    const name = String(flat[at]);
    if (name === 'Vary') response.appendHeader(name, String(flat[at + 1]));
    else if (name === 'Link' || !response.hasHeader(name)) response.setHeader(name, flat[at + 1]!);
  }
}
