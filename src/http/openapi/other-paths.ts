// OpenAPI path items that belong to no bound resource, and `me`.
import { PAGES_FOLDER } from '../../model/functions/paths.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { bodyExample } from './request-examples.js';
import { otherOperations, type Place } from './other-operations.js';

type Operation = Record<string, unknown> & {
  operationId?: string;
  summary?: string;
  tags?: string[];
  parameters?: { name?: string }[];
};

/** Path items of the document, by path. */
export type Paths = Record<string, Record<string, Operation>>;

/** Completes the paths found by Nest's scan; `root` is the path of the API root. */
export function completePaths(paths: Paths, routes: readonly ResourceRoute[], root: string): void {
  const namespace = routes[0]?.namespace ?? '';
  const accounts = routes.find(({ model }) => model.faces.accounts)?.model;
  const noAccount = accounts?.errors.notFound ?? '';
  const place = { root, namespace, write: typicalWrite(routes, namespace), noAccount };
  for (const path of Object.keys(paths)) {
    const known = otherOperations(path, place);
    // Pages for people are not part of the API.
    if (/^\/docs(?:\/|-|$)/.test(path) || path.startsWith(`${root}/${PAGES_FOLDER}/`)) delete paths[path];
    // A copy: what is known is shared by all documents, and completed in each.
    else if (known) paths[path] = structuredClone(known);
  }
}

// Paths in a batch are relative to the API root.
function typicalWrite(routes: readonly ResourceRoute[], namespace: string): Place['write'] {
  const model = routes.find(({ model: each }) => each.batch && !each.parent && each.operations.has('create'))?.model;
  return { path: `/${namespace}${model?.route ?? ''}`, body: model ? bodyExample(model, 'create') : {} };
}

/** The bodies of a resource of files: nothing can be created without a file, so JSON and plain forms are left out. */
export function offerFiles(paths: Paths, route: ResourceRoute, fields: string): void {
  const { post: create } = paths[`${route.base}${route.model.route}`.replaceAll(/:(\w+)/g, '{$1}')] ?? {};
  if (!create) return;
  // Generators recognize files by the format.
  const bytes = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
  const file = { type: 'object', properties: { file: { ...bytes, description: 'The file.' } }, required: ['file'] };
  create['requestBody'] = {
    required: true,
    content: {
      'multipart/form-data': { schema: { allOf: [{ $ref: fields }, file] } },
      'application/octet-stream': { schema: bytes },
    },
  };
}

/** Adds the path of the caller's own account: the pattern of ids does not show that `me` is valid too. */
export function addAlias(paths: Paths, route: ResourceRoute): void {
  const alias = route.model.schema.selfAlias;
  const collection = `${route.base}${route.model.route}`.replaceAll(/:(\w+)/g, '{$1}');
  const item = paths[`${collection}/{${route.keyParam}}`];
  if (alias === undefined || !item) return;
  paths[`${collection}/${alias}`] = Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, withAlias(operation, route.keyParam)]),
  );
}

function withAlias(operation: Operation, keyParam: string): Operation {
  return {
    ...operation,
    operationId: `${operation.operationId}Self`,
    summary: `${operation.summary} The caller's own.`,
    parameters: (operation.parameters ?? []).filter(({ name }) => name !== keyParam),
  };
}
