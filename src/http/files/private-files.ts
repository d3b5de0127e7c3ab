// Serves files behind rules: to requests with a signed URL, and to callers who may read the item of the file.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientOf } from '../../auth/rate-limit/client-address.js';
import { predicateFor } from '../../engine/rights/predicate-for.js';
import type { ResourceService } from '../../engine/resource.service.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { SignedUrls } from '../../files/signed-urls.js';
import { isPrivate } from '../../files/file-store.js';
import { missingFile } from '../../files/serve.js';
import type { Actor } from '../../model/actor.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { newOperation } from '../../model/new-operation.js';
import { and, equals, type Row } from '../../model/query.js';
import type { Site } from '../../model/site/site.js';
import type { Reader, Store } from '../../model/store.js';
import {
  deliverFile,
  type FileMiddleware,
  type FileServing,
  isRead,
  keyOf,
  queryOf,
  servedError,
} from './requested-file.js';
import type { FieldModel } from '../../model/field.js';

/** What serving private files needs. */
export interface PrivateFilesOptions extends FileServing {
  signedUrls: SignedUrls;
  models: ModelSet;
  service: ResourceService;
  store: Store;
  site: Site;
  actorOf(request: IncomingMessage): Promise<Actor> | Actor;
}

/** A handler with the signature of Express; passes requests for other files to `next`. */
export function servePrivateFiles(options: PrivateFilesOptions): FileMiddleware {
  const files = new PrivateFiles(options);
  return (request, response, next) => {
    const key = keyOf(request);
    if (key === undefined || !isPrivate(key) || !isRead(request)) return next();
    files.serve(key, request, response).catch((error: unknown) => options.fail(servedError(error), request, response));
  };
}

class PrivateFiles {
  constructor(private readonly options: PrivateFilesOptions) {}

  async serve(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { signedUrls, site } = this.options;
    const verdict = signedUrls.check(key, queryOf(request), site.now());
    if (verdict === 'wrong') throw new ResourceError('rest_file_url_wrong');
    if (verdict === 'expired') throw new ResourceError('rest_file_url_expired');
    const deliver = (cacheControl: string) => deliverFile(key, request, response, { ...this.options, cacheControl });
    if (verdict !== 'unsigned') {
      const seconds = Math.max(0, verdict.expires - Math.ceil(site.now() / 1000));
      return deliver(`private, max-age=${seconds}`);
    }
    // Names cannot be guessed, so it is no secret whether a file exists.
    if (!(await site.files.exists!(key))) return missingFile(request, response);
    const actor = await this.options.actorOf(request);
    const mayFetch = (reader: Reader) => this.mayFetch(key, actor, reader);
    if (!(await this.options.store.readFor(actor, mayFetch, { client: clientOf(actor) })))
      return missingFile(request, response);
    response.setHeader('Vary', 'Authorization');
    await deliver('private, no-cache');
  }

  /** Whether a caller may read an item that names the file, and may see the URL of the file in it. */
  private async mayFetch(key: string, actor: Actor, reader: Reader): Promise<boolean> {
    for (const model of this.options.models.byName.values()) {
      if (!model.faces.upload) continue;
      for (const row of await rowsNaming(key, model, reader)) {
        if (await this.mayRead(model, row, actor, reader)) return true;
      }
    }
    return false;
  }

  private async mayRead(model: ResourceModel, row: Row, actor: Actor, store: Reader): Promise<boolean> {
    const { site, service } = this.options;
    const id = row[model.key.column!] as number | string;
    const parentId = model.parent ? (row[model.parent.field.column!] as number) : 0;
    const op = newOperation({ model, kind: 'retrieve', id, parentId, actor, site, store });
    try {
      const { body } = await service.retrieve(op);
      return showsFile(model, actor, body as Record<string, unknown>);
    } catch (error) {
      if (error instanceof ResourceError && error.statusFor(actor.id > 0) < 500) return false;
      throw error;
    }
  }
}

async function rowsNaming(key: string, model: ResourceModel, reader: Reader): Promise<Row[]> {
  const { candidates, columns, keysOf } = model.faces.upload!;
  const query = { table: model.table!.name, columns: model.lightColumns, order: [] };
  // First by the index; resized copies are named only in the details.
  const own = await reader.select({ ...query, where: and(model.rowScope, equals(columns.key, key)) });
  if (own.length > 0) return own;
  const rows = await reader.select({
    ...query,
    columns: model.allColumns,
    where: and(model.rowScope, candidates(key)),
  });
  return rows.filter((row) => keysOf(row).includes(key));
}

/** Where every field with the URL has rights of its own, the caller must see one of them. */
function showsFile(model: ResourceModel, actor: Actor, body: Record<string, unknown>): boolean {
  const column = model.faces.upload!.columns.key;
  const showing = [...model.fields.values()].filter((field) => !field.hidden && field.reads.includes(column));
  const isOpen = ({ readRules }: FieldModel) =>
    !readRules || readRules.every((rule) => predicateFor(rule, actor).op === 'true');
  return showing.length === 0 || showing.some((field) => isOpen(field) || field.name in body);
}
