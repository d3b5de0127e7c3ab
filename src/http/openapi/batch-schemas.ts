// The request and the response of a batch, for the OpenAPI document.
import { BATCH_ARGUMENTS } from '../batch/parse-batch.js';
import { openApiSchema } from './json-schema-31.js';
import { object, text, type Schema } from './schema-parts.js';

const { validation, requests } = BATCH_ARGUMENTS;
const { method, body, headers } = requests.items.properties;

/** The body of a batch. */
export const BATCH = object(
  {
    validation: openApiSchema(validation),
    requests: {
      type: 'array',
      description: requests.description,
      maxItems: requests.maxItems,
      items: object(
        {
          method: { ...method, enum: ['GET', ...method.enum], description: 'GET in atomic batches alone.' },
          path: text('Path from the namespace on, with its query.'),
          body: openApiSchema(body),
          headers: openApiSchema(headers),
        },
        ['path'],
      ),
    },
  },
  ['requests'],
);

/** Its response. */
export const BATCHED = object(
  {
    failed: {
      type: 'string',
      enum: ['validation', 'request'],
      description: 'Nothing was done: a request is invalid, or one of an atomic batch failed. Only errors are there.',
    },
    responses: {
      type: 'array',
      items: {
        type: ['object', 'null'],
        properties: { status: { type: 'integer' }, body: {}, headers: { type: 'object', additionalProperties: true } },
      },
    },
  },
  ['responses'],
);

/** The key of a batch. */
export const BATCH_KEY: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A key of the batch: each creation and update in it has one made of it and its position.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
