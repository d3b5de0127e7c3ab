// Assembles what serves the files that only readers of their items may fetch.
import type { ActorSource } from '../auth/actor-source.js';
import type { Secret } from '../auth/secret.js';
import type { Config } from '../config/config.js';
import { ResourceService } from '../engine/resource.service.js';
import { FileAddresses } from '../files/file-addresses.js';
import { contextOf, type ApiRequest } from '../http/request/request-context.js';
import { servePrivateFiles } from '../http/resource/private-files.js';
import { toErrorResponse } from '../http/response/error-response.js';
import type { ApiResponse } from '../http/response/write-response.js';
import type { ApiAdapter } from '../http/transport/api-adapter.js';
import type { RunningSite } from './start-site.js';

/** The handler of such files, for the path where files are served. */
export function privateFilesOf({ app, models, store, site, secret }: RunningSite, config: Config, actors: ActorSource) {
  const adapter = app.getHttpAdapter() as unknown as ApiAdapter;
  return servePrivateFiles({
    directory: config.privateMediaDir,
    addresses: fileAddresses(config, secret),
    models,
    service: app.get(ResourceService),
    store,
    site,
    actorOf: (request) => actors.actorOf(request),
    fail: (error, request, response) => {
      const answer = toErrorResponse(error, contextOf(request as ApiRequest), adapter.transport.log);
      adapter.reply(response as ApiResponse, answer);
    },
  });
}

/** Signs and checks the addresses of such files. */
export function fileAddresses(config: Config, secret: Secret): FileAddresses {
  return new FileAddresses(secret.key('file addresses'), `${config.publicUrl}/uploads`, config.fileAddressLifetime);
}
