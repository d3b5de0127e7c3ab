// The standard parameters of every collection, except those in `list.without`.
import type { Context, ParamSchema, ResourceSchema } from '../../model/schema/schema.js';
import type { ListSchema } from '../../model/schema/list-schema.js';
import { labelsOf } from './labels.js';

/** Names of the standard list parameters. */
export const STANDARD_PARAMS: readonly string[] = [
  'context',
  'page',
  'per_page',
  'search',
  'exclude',
  'include',
  'offset',
  'order',
  'orderby',
];

/** The `context` parameter: contexts used by a resource, sorted as in OPTIONS. */
export function contextParam(contexts: readonly Context[], fallback: Context): ParamSchema {
  return {
    type: 'string',
    description: 'Scope of the response: decides which fields are shown.',
    enum: [...contexts].sort().reverse(),
    default: fallback,
  };
}

/** Standard parameters of a paginated or plain list, by name. */
export function standardListParams(
  schema: ResourceSchema,
  contexts: readonly Context[],
  list: {
    paginated: boolean;
    orderings: string[];
    defaultOrderby: string;
    defaultOrder: string;
    perPage: number;
    maxPerPage: number;
  },
): Record<string, ParamSchema> {
  const plural = labelsOf(schema).plural.toLowerCase();
  const options: ListSchema = schema.list ?? {};
  const params: Record<string, ParamSchema> = { context: contextParam(contexts, schema.defaultContext ?? 'view') };
  if (list.paginated) {
    params['page'] = { type: 'integer', description: 'Page of the list, from 1.', default: 1, minimum: 1 };
    params['per_page'] = {
      type: 'integer',
      description: `Most ${plural} on one page.`,
      ...(list.perPage > 0 ? { default: list.perPage } : {}),
      minimum: 1,
      maximum: list.maxPerPage,
    };
    params['search'] = {
      type: 'string',
      description: `Only ${plural} that match this text.`,
    };
    params['exclude'] = ids(`All ${plural} but those with these ids.`);
    params['include'] = ids(`Only the ${plural} with these ids.`);
    params['offset'] = { type: 'integer', description: `Skip this many ${plural}.`, minimum: 0 };
    params['order'] = {
      type: 'string',
      description: 'Direction of the order.',
      enum: ['asc', 'desc'],
      default: list.defaultOrder,
    };
    params['orderby'] = {
      type: 'string',
      description: 'What the list is ordered by.',
      enum: list.orderings,
      default: list.defaultOrderby,
    };
    const finds = schema.storage !== undefined && 'found' in schema.storage;
    if (!schema.search && !finds) delete params['search'];
    // Each group has an order of its own, and ids of several resources.
    if (finds) for (const name of ['exclude', 'include', 'offset', 'order', 'orderby']) delete params[name];
  }
  for (const name of options.without ?? []) delete params[name];
  return params;
}

/** Maximum number of ids in a list. */
const MAX_IDS = 500;

function ids(description: string): ParamSchema {
  return { type: 'array', description, items: { type: 'integer' }, default: [], maxItems: MAX_IDS };
}
