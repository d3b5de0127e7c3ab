// Takes the requests below one path from the host's HTTP server.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { StartupError } from '../../errors/problem.js';
import type { ApiAdapter } from '../../http/transport/api-adapter.js';
import type { ApiRequest } from '../../http/request/request-context.js';
import type { ApiResponse } from '../../http/response/write-response.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Mounted {
  path: string;
  adapter: ApiAdapter;
  onRequest: () => void;
}

/**
 * The sites of each server; longer paths first, so that a site below another one is matched whatever the order of their
 * starts.
 */
const sitesOf = new WeakMap<Server, Mounted[]>();

/**
 * Intercepts the requests at and below `path` (`/content`), before middleware of the host reads their bodies. All
 * others reach the host as before. `onRequest` runs before each intercepted request.
 * @throws StartupError when another site of the server has the path
 */
export function mount(server: Server, path: string, adapter: ApiAdapter, onRequest: () => void): void {
  const sites = sitesOf.get(server) ?? intercept(server);
  if (sites.some((other) => other.path === path))
    throw new StartupError([
      { file: 'options', path: 'mount', message: `another site is served at "${path}" already` },
    ]);
  sites.push({ path, adapter, onRequest });
  sites.sort((one, other) => other.path.length - one.path.length);
}

function intercept(server: Server): Mounted[] {
  const sites: Mounted[] = [];
  sitesOf.set(server, sites);
  const others = server.listeners('request') as Listener[];
  server.removeAllListeners('request');
  server.on('request', (request: ApiRequest, response: ApiResponse) => {
    for (const { path, adapter, onRequest } of sites) {
      const inside = pathBelow(request.url ?? '/', path);
      if (inside === undefined) continue;
      onRequest();
      request.url = inside;
      return adapter.adopt(request, response);
    }
    for (const other of others) other.call(server, request, response);
  });
  return sites;
}

/** The path of a request below a mounted path; undefined when it is elsewhere. */
function pathBelow(url: string, path: string): string | undefined {
  if (!url.startsWith(path)) return undefined;
  const rest = url.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}
