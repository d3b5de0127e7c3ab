// Request and response classes with Express's prototypes, so that Express need not change the prototype of each
// object.
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderValues } from '../response/response.js';
import type { RequestContext } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';
import type { DefaultHeaders } from '../response/response-headers.js';

/** The part of an Express application that is replaced. */
export interface PrototypeHolder {
  request: object;
  response: object;
}

/** The classes of the requests and responses of one application. */
export interface MessageClasses {
  IncomingMessage: { new (socket: Socket): IncomingMessage; readonly prototype: IncomingMessage };
  ServerResponse: { new (...given: never[]): ServerResponse<IncomingMessage>; readonly prototype: object };
}

/** Creates the two classes of one application and installs them as its prototypes. */
export function installMessageClasses(
  app: PrototypeHolder,
  defaults: DefaultHeaders,
  isLast: (response: ServerResponse<IncomingMessage>) => boolean,
): MessageClasses {
  class ApiIncomingMessage extends IncomingMessage {
    context: RequestContext | undefined = undefined;

    // Express parses the query again at each access.
    get query() {
      return contextOf(this).query;
    }
  }

  class ApiServerResponse extends ServerResponse<ApiIncomingMessage> {
    /** Whether the headers being written already contain the default ones. */
    complete = false;

    // All ways to respond end here, also static files and pages of libraries: none lacks the default headers.
    override writeHead(...args: unknown[]): this {
      if (!this.complete) {
        this.complete = true;
        addDefaultHeaders(this, defaults, args[0] as number);
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

function addDefaultHeaders(response: ServerResponse, defaults: DefaultHeaders, status: number): void {
  const link = response.getHeader('Link');
  const own: HeaderValues = typeof link === 'string' ? { Link: link } : {};
  const flat = defaults.assemble(contextOf(response.req), own, status, false);
  // The newer header decides; some browsers follow the older one when both are there.
  const framed = String(response.getHeader('Content-Security-Policy') ?? '').includes('frame-ancestors *');
  for (let at = 0; at < flat.length; at += 2) {
    const name = String(flat[at]);
    if (name === 'Vary') response.appendHeader(name, String(flat[at + 1]));
    else if (name === 'X-Frame-Options' && framed) continue;
    else if (name === 'Link' || !response.hasHeader(name)) response.setHeader(name, flat[at + 1]!);
  }
}
