// Assembles the storage of uploaded files and what serves them.
import type { ActorSource } from '../auth/actor-source.js';
import type { Secret } from '../auth/secret.js';
import type { Config } from '../config/config.js';
import { mediaFolder } from '../config/folders.js';
import { ResourceService } from '../engine/resource.service.js';
import { FileAddresses } from '../files/file-addresses.js';
import type { FileStore } from '../files/file-store.js';
import { SizesOnDemand } from '../files/images/sizes-on-demand.js';
import { LocalFileStore } from '../files/local-store.js';
import { servePrivateFiles } from '../http/files/private-files.js';
import { servePublicFiles } from '../http/files/public-files.js';
import type { FileMiddleware, FileServing } from '../http/files/requested-file.js';
import { contextOf, type ApiRequest } from '../http/request/request-context.js';
import { toErrorResponse } from '../http/response/error-response.js';
import type { ApiResponse } from '../http/response/write-response.js';
import type { ApiAdapter } from '../http/transport/api-adapter.js';
import type { RunningSite } from './start-site.js';

/** The storage of a configuration; `uploads`: where this server serves files. */
export async function openFiles(config: Config, uploads: string): Promise<FileStore> {
  return new LocalFileStore(mediaFolder(config), uploads, config.privateMediaDir);
}

/** The handlers of uploaded files, for the path where they are served; `incoming`: folder for temporary files. */
export function fileHandlers(
  running: RunningSite,
  config: Config,
  actors: ActorSource,
  incoming: string,
): FileMiddleware[] {
  const { app, models, store, site, secret, files } = running;
  const adapter = app.getHttpAdapter() as unknown as ApiAdapter;
  const serving: FileServing = {
    files,
    sizes: new SizesOnDemand(files, config.imagesOnDemand, incoming),
    fail: (error, request, response) => {
      const answer = toErrorResponse(error, contextOf(request as ApiRequest), adapter.transport.log);
      adapter.reply(response as ApiResponse, answer);
    },
  };
  const behindRules = servePrivateFiles({
    ...serving,
    addresses: fileAddresses(config, secret),
    models,
    service: app.get(ResourceService),
    store,
    site,
    actorOf: (request) => actors.actorOf(request),
  });
  return [behindRules, servePublicFiles(serving)];
}

/** Signs and checks the addresses of files that only readers of their items may fetch. */
export function fileAddresses(config: Config, secret: Secret): FileAddresses {
  return new FileAddresses(secret.key('file addresses'), `${config.publicUrl}/uploads`, config.fileAddressLifetime);
}
