// The requests to webhooks, for the member `webhooks` of the OpenAPI document.
import { EVENT_ACTIONS, type EventAction } from '../../model/audit.js';
import type { ResourceModel } from '../../model/model.js';
import { tagOf } from './components.js';
import type { Schema } from './schema-parts.js';

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });

/** A path item per type of event; empty for a site without webhooks. */
export function webhookOperations(models: readonly ResourceModel[]): Record<string, object> {
  if (!models.some(({ faces }) => faces.webhook)) return {};
  const announced = models.filter(({ table, listOf, faces }) => table && !listOf && !faces.audit && !faces.delivery);
  return Object.fromEntries(
    announced.flatMap((model) =>
      actionsOf(model).map((action) => [`${model.name}.${action}`, pathItem(model, action)]),
    ),
  );
}

function actionsOf({ faces, singleton }: ResourceModel): EventAction[] {
  const leftOut = new Set<EventAction>([
    ...(faces.publication ? [] : (['published'] as const)),
    ...(faces.trash ? [] : (['trashed', 'restored'] as const)),
    ...(faces.accounts ? [] : (['login'] as const)),
    ...(singleton ? (['created', 'deleted'] as const) : []),
  ]);
  return EVENT_ACTIONS.filter((action) => !leftOut.has(action));
}

function pathItem(model: ResourceModel, action: EventAction): object {
  const type = `${model.name}.${action}`;
  const headers = [
    ['webhook-id', 'Number of the event, the same for every attempt: msg_ and digits.'],
    ['webhook-timestamp', 'Seconds since 1970 of the attempt.'],
    ['webhook-signature', 'Signatures with spaces between them: v1, a comma, and HMAC-SHA256 in base64.'],
  ].map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }));
  return {
    post: {
      operationId: `on${model.typeName}${action[0]!.toUpperCase()}${action.slice(1)}`,
      summary: `${model.labels.singular}: ${action}.`,
      tags: [tagOf(model)],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema: payloadSchema(model, action, type) } } },
      responses: {
        '2XX': { description: 'Received. Any other status, a redirect included, is repeated later.' },
        '410': { description: 'The webhook is switched off.' },
      },
      security: [],
    },
  };
}

function payloadSchema(model: ResourceModel, action: EventAction, type: string): Schema {
  const hasUrl = action !== 'deleted' && !model.parent && model.integerKey;
  const data: Record<string, Schema> = {
    event: { type: 'integer', description: 'Number of the event; later ones have greater numbers.' },
    resource: { type: 'string', const: model.name },
    id: { type: 'integer', description: 'Id of the item.' },
    action: { type: 'string', const: action },
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Names of the fields that were sent, of a creation, or changed.',
    },
    user: { type: 'integer', description: 'Account that did it; 0 for anonymous callers and for the server itself.' },
    ...(hasUrl ? { url: text('URL of the item.', { format: 'uri' }) } : {}),
  };
  const required = Object.keys(data);
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type },
      timestamp: text('When it happened.', { format: 'date-time' }),
      data: { type: 'object', required, properties: data },
    },
  };
}
