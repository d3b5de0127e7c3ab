// Assembles the storage of uploaded files and the handlers that serve them.
import type { ActorSource } from '../auth/actor-source.js';
import type { Secret } from '../auth/secret.js';
import { resolve } from 'node:path';
import { notUploads } from '../config/check-folders.js';
import { incomingFolder, mediaFolders, nearestExisting } from '../config/folders.js';
import { s3Location } from '../config/s3-location.js';
import { StartupError } from '../errors/problem.js';
import { ResourceService } from '../engine/resource.service.js';
import { SignedUrls } from '../files/signed-urls.js';
import type { FileStore } from '../files/file-store.js';
import { SizesOnDemand } from '../files/images/sizes-on-demand.js';
import { LocalFileStore } from '../files/local-store.js';
import { servePrivateFiles } from '../http/files/private-files.js';
import { servePublicFiles } from '../http/files/public-files.js';
import type { FileMiddleware, FileServing } from '../http/files/requested-file.js';
import type { ApiRequest } from '../http/request/request-context.js';
import type { ApiResponse } from '../http/response/write-response.js';
import type { ApiAdapter } from '../http/transport/api-adapter.js';
import type { RunningSite } from './start-site.js';
import type { Config } from '../config/settings.js';

/** The URL at which this server serves files. */
function uploadsUrl({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${publicUrl}/uploads`;
}

/**
 * The storage of a configuration, and the base URL of public files.
 * @throws StartupError where a path that must be a folder is something else
 */
export async function openFiles(config: Config): Promise<{ files: FileStore; publicBase: string }> {
  const folders = mediaFolders(config);
  const own = uploadsUrl(config);
  if (folders) {
    requireFolder('MEDIA_DIR', folders.open);
    requireFolder('PRIVATE_MEDIA_DIR', folders.closed);
    return { files: new LocalFileStore(folders.open, own, folders.closed, notUploads(config)), publicBase: own };
  }
  const location = s3Location(config.mediaUrl)!;
  const publicBase = location.publicUrl ?? own;
  const [{ ObjectStore }, { S3FileStore }] = await Promise.all([
    import('../files/s3/object-store.js'),
    import('../files/s3/s3-store.js'),
  ]);
  const options = { prefix: location.prefix, publicBase, incoming: incomingFolder(config) };
  return { files: new S3FileStore(await ObjectStore.open(location), options), publicBase };
}

function requireFolder(variable: string, folder: string): void {
  const { path, isFolder } = nearestExisting(resolve(folder));
  if (!isFolder) throw new StartupError([{ file: 'environment', path: variable, message: `${path} is not a folder` }]);
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
    fail: (error, request, response) => adapter.replyError(request as ApiRequest, response as ApiResponse, error),
  };
  const behindRules = servePrivateFiles({
    ...serving,
    signedUrls: signedUrls(config, secret),
    models,
    service: app.get(ResourceService),
    store,
    site,
    actorOf: (request) => actors.actorOf(request),
  });
  return [behindRules, servePublicFiles(serving)];
}

/** Signs and checks the URLs of private files, which only readers of their items may fetch. */
export function signedUrls(config: Config, secret: Secret): SignedUrls {
  return new SignedUrls(secret.key('file addresses'), uploadsUrl(config), config.fileAddressLifetime);
}
