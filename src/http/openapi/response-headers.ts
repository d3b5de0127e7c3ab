// Headers that all responses have, defined once in the document.
import type { Schema } from './schema-parts.js';
import type { Paths } from './other-paths.js';

const header = (description: string, type = 'string'): Schema => ({ description, schema: { type } });

/** Named headers of the document. */
export const COMPONENT_HEADERS = {
  Link: header('The root of the API; pages before and after of a list; the address of an item on the site.'),
  Allow: header('Methods that the caller may use here.'),
};

/** Adds them to every response; headers that an operation describes itself take precedence. */
export function addCommonHeaders(paths: Paths): void {
  for (const item of Object.values(paths))
    for (const { responses = {} } of Object.values(item))
      for (const response of Object.values(responses as Record<string, { headers?: Schema }>))
        response.headers = { ...COMMON, ...response.headers };
}

const COMMON = Object.fromEntries(
  Object.keys(COMPONENT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
