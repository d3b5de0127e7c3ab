// Schemas of the parameters of the query language.
import { AGGREGATE_FUNCTIONS } from '../../model/query-language.js';
import type { Schema } from './schema-parts.js';

/** Name of the schema of a group of a summary. */
export const SUMMARY = 'Summary';

/** Schemas that the language adds to those of resources. */
export const QUERY_SCHEMAS: Record<string, Schema> = {
  [SUMMARY]: {
    type: 'object',
    description: 'A group of a summary: what `aggregate` returns in place of items.',
    properties: {
      group: { type: 'object', description: 'Values of the fields that it is grouped by.' },
      count: { type: 'integer', description: 'Items of the group.' },
      ...Object.fromEntries(
        AGGREGATE_FUNCTIONS.filter((name) => name !== 'count').map((name) => [
          name,
          { type: 'object', description: `By field.` },
        ]),
      ),
    },
    minProperties: 1,
    additionalProperties: false,
  },
};
