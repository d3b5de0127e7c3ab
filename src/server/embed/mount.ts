// Answers the requests of one path of the host's HTTP server.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ApiAdapter } from '../../http/transport/api-adapter.js';
import type { ApiRequest } from '../../http/request/request-context.js';
import type { ApiResponse } from '../../http/response/write-response.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Intercepts the requests at and below `path` (`/content`), before middleware of the host reads their bodies. All
 * others reach the host as before. `onRequest` runs before each intercepted request.
 */
export function mount(server: Server, path: string, adapter: ApiAdapter, onRequest: () => void): void {
  const others = server.listeners('request') as Listener[];
  server.removeAllListeners('request');
  server.on('request', (request: ApiRequest, response: ApiResponse) => {
    const inside = pathBelow(request.url ?? '/', path);
    if (inside === undefined) {
      for (const other of others) other.call(server, request, response);
      return;
    }
    onRequest();
    request.url = inside;
    adapter.adopt(request, response);
  });
}

/** The path of a request below a mounted path; undefined when it is elsewhere. */
function pathBelow(url: string, path: string): string | undefined {
  if (!url.startsWith(path)) return undefined;
  const rest = url.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}
