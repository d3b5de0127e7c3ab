// Items are the deliveries of events to webhooks: what is still to be sent, what was, and what was given up.
import type { Actor } from '../../model/actor.js';
import type { DeliveryFace, TaskModel } from '../../model/faces.js';
import { updateDerived } from '../../model/functions/update-derived.js';
import type { ResourceModel } from '../../model/model.js';
import type { OwnActionModel } from '../../model/hooks.js';
import { equals, FALSE, NEXT_VERSION, not, TRUE } from '../../model/query.js';
import { trimOld } from '../logs/trim-old.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { Trait } from '../../model/trait.js';

interface Options {
  /** Resource with the trait `webhook`. */
  of: string;
  /** Days after which finished deliveries are deleted; 0: never. */
  keepDays?: number;
  /** Capability to send a delivery again. */
  replay?: string;
}

const KEEP_DAYS = 30;

export const webhookDeliveryTrait: Trait<Options> = {
  name: 'webhook-delivery',
  description: 'Items are the deliveries to the webhooks of the resource `of`; the server writes them.',
  options: {
    of: { type: 'string', required: true, description: 'Resource with the trait `webhook`.' },
    keepDays: {
      type: 'integer',
      minimum: 0,
      description: 'Days after which a finished delivery is deleted; 0 keeps all (default 30).',
    },
    replay: { type: 'string', format: 'capability', description: 'Capability to send again (default manage_options).' },
  },
  check(check, { of }) {
    const webhooks = check.resource(['of'], of);
    if (webhooks && !webhooks.traits?.['webhook']) check.fail(['of'], `"${of}" must have the trait "webhook"`);
    for (const [name, { type }] of Object.entries(fieldsOf(of))) check.own(name, [type!]);
  },
  extend(schema, { of }) {
    for (const [name, field] of Object.entries(fieldsOf(of)))
      schema.fields[name] = { ...field, ...schema.fields[name] };
    schema.operations ??= ['list', 'retrieve', 'delete'];
    schema.batch ??= false;
  },
  faces: (model, { of }) => ({ delivery: { columns: columnsOf(model), of } }),
  tasks: (model, { keepDays = KEEP_DAYS }): Record<string, TaskModel> => {
    const { state, date } = columnsOf(model);
    return { trim: trimOld(model, keepDays, date, not(equals(state, 'pending'))) };
  },
  link(model, { replay = 'manage_options' }) {
    (model as { ownActions: ResourceModel['ownActions'] }).ownActions = new Map([
      ...model.ownActions,
      ['replay', replayAction(model, replay)],
    ]);
  },
  sideBySide: true,
};

/** The fields of a delivery; `webhooks`: the resource of its webhook. */
function fieldsOf(webhooks: string): Record<string, FieldSchema> {
  return {
    webhook: {
      type: 'reference',
      to: webhooks,
      readOnly: true,
      onDelete: 'cascade',
      filterable: true,
      description: 'Webhook that is told.',
    } as FieldSchema,
    date: moment('When the event happened, as UTC.'),
    type: text('Type of the event: resource and action.', 140, { filterable: 'in' } as Partial<FieldSchema>),
    resource: text('Resource of the item.', 100),
    item: integerField('Id of the item.', { filterable: true } as Partial<FieldSchema>),
    event: integerField('Number of the event; the request carries it as msg_<number>.'),
    state: text('pending, delivered, or failed when it was given up.', 20, {
      enum: ['pending', 'delivered', 'failed'],
      default: 'pending',
      index: true,
      filterable: 'in',
    } as Partial<FieldSchema>),
    attempts: integerField('Requests that were made.'),
    due: { type: 'integer', hidden: true, default: 0 },
    status: integerField('Status of the last response; 0 without one.'),
    error: text('Why the last request failed.', 300),
    took: integerField('Milliseconds of the last request.'),
    done: moment('When it was delivered or given up.', { nullable: true }),
    payload: { type: 'text', readOnly: true, contexts: ['edit'], description: 'Body of the request.' },
  };
}

function text(description: string, columnLength: number, more: Partial<FieldSchema> = {}): FieldSchema {
  return { type: 'string', readOnly: true, columnLength, description, ...more };
}

function integerField(description: string, more: Partial<FieldSchema> = {}): FieldSchema {
  return { type: 'integer', readOnly: true, default: 0, description, ...more };
}

function moment(description: string, more: Partial<FieldSchema> = {}): FieldSchema {
  return { type: 'datetime', clock: 'utc', ...more, readOnly: true, description } as FieldSchema;
}

function columnsOf({ fields }: ResourceModel): DeliveryFace['columns'] {
  const others = { target: 'webhook', kind: 'type', responseStatus: 'status' };
  const own = 'event resource item payload state attempts due error took date done'.split(' ');
  const names = { ...others, ...Object.fromEntries(own.map((name) => [name, name])) };
  return Object.fromEntries(
    Object.entries(names).map(([name, field]) => [name, fields.get(field)!.column!]),
  ) as unknown as DeliveryFace['columns'];
}

/** Sends a delivery once more, with as many attempts as a new one. */
function replayAction(model: ResourceModel, capability: string): OwnActionModel {
  return {
    name: 'replay',
    description: 'Sends it again.',
    on: 'item',
    params: new Map(),
    needs: (actor: Actor) => (actor.capabilities.has(capability) ? TRUE : FALSE),
    error: 'rest_forbidden',
    async run({ row, tx, op }) {
      const { state, attempts, due, error, done } = columnsOf(model);
      const reset = { [state]: 'pending', [attempts]: 0, [due]: 0, [error]: '', [done]: null };
      await updateDerived(model, reset, equals('id', row!['id']), tx, NEXT_VERSION, op);
    },
  };
}
