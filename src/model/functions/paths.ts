// Paths of items and collections below the namespace.
import type { ResourceModel } from '../model.js';
import type { Row } from '../query.js';

/** Path of an item; nested resources take the parent's id from the row. */
export function itemPath(model: ResourceModel, row: Row): string {
  if (model.singleton) return collectionPath(model, row);
  const { listOf: own = model } = model.view ? model : {};
  return `${collectionPath(own, row)}/${segmentOf(row[model.key.column ?? model.key.name], model)}`;
}

/** A key as a part of a URL. A slug is one already: letters beyond ASCII are stored as they stand in URLs. */
function segmentOf(key: unknown, { integerKey, key: { type } }: ResourceModel): string {
  return integerKey || type === 'slug' ? String(key) : encodeURIComponent(String(key));
}

/** Path of the collection an item belongs to. */
export function collectionPath(model: ResourceModel, row: Row): string {
  if (!model.parent) return `/${listPath(model)}`;
  return `/${model.parent.model.path}/${row[model.parent.field.column!]}/${listPath(model)}`;
}

/** Path of a list below its parent: a saved query follows its resource. */
export function listPath({ path, view }: ResourceModel): string {
  return view ? `${path}/views/${view.name}` : path;
}

/** Whether a list has the items of a nested resource below all parents. */
export function isAcross({ parent, listOf }: ResourceModel): boolean {
  return parent === undefined && listOf?.parent !== undefined;
}

/** Name of the path segment that names an item. */
export function keyParamOf({ integerKey, name }: Pick<ResourceModel, 'integerKey' | 'name'>): string {
  return integerKey ? 'id' : name.replaceAll(/\W/g, '_');
}

/** Names and paths that a schema may not use. */
export const RESERVED: readonly string[] = ['batch', 'auth', 'docs', 'uploads', 'livez', 'readyz', 'metrics', 'mcp'];

/** First segments that neither `API_ROOT` nor `API_NAMESPACE` may have: the engine handles requests there itself. */
export const ENGINE_PATHS: readonly string[] = [...RESERVED, 'docs-json'];

/** First segments that `API_NAMESPACE` may not have besides: what the engine serves below the API root. */
export const ROOT_PATHS: readonly string[] = ['events'];

/** Folder of the files of the pages for browsers, below the API root. No schema can use the name: it begins with `_`. */
export const PAGES_FOLDER = '_page';
