// Items are webhooks: URLs that receive events, with the signatures of Standard Webhooks (docs/events.md).
import { randomBytes } from 'node:crypto';
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import type { Actor } from '../../model/actor.js';
import { EVENT_ACTIONS } from '../../model/audit.js';
import type { WebhookFace } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { Row } from '../../model/query.js';
import type { Trait } from '../../model/trait.js';
import { nearest } from '../../text/nearest-name.js';

/** Milliseconds for which a replaced secret signs along with the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
const SECRET_BYTES = 32;
/** Bytes of a key, as Standard Webhooks allows them. */
const KEY_BYTES = { least: 24, most: 64 };
const PREFIX = 'whsec_';

export const webhookTrait: Trait = {
  name: 'webhook',
  description: 'Items are URLs that get events as signed requests.',
  options: {},
  check(check) {
    for (const [name, { type }] of Object.entries(FIELDS)) check.own(name, [type!]);
    const others = [...check.resources.values()].filter(
      (each) => each.name !== check.schema.name && each.traits?.['webhook'],
    );
    if (others.length > 0)
      check.fail([], `"${others[0]!.name}" has the webhooks already`, 'a site has one such resource');
  },
  extend(schema) {
    for (const [name, field] of Object.entries(FIELDS)) schema.fields[name] = { ...field, ...schema.fields[name] };
  },
  faces: (model) => ({ webhook: faceOf(model) }),
  sideBySide: true,
  hooks: (model) => {
    const { secret, former, formerUntil, resources } = faceOf(model).columns;
    return {
      input(draft, op, current) {
        if (!op.trusted) checkTarget(model, draft.values, current);
        refuseBeyondScope(model, draft.values['resources'] ?? JSON.parse(current?.[resources] || '[]'), op.actor);
        if (current && draft.values['secret'] === undefined) return;
        const sent = String(draft.row[secret] ?? '');
        draft.row[secret] = sent === '' ? newSecret() : checkSecret(sent);
        // Sent back as it is: a former one still signs beside it.
        if (!current || draft.row[secret] === current[secret]) return;
        draft.row[former] = current[secret];
        draft.row[formerUntil] = op.site.now() + OVERLAP_MS;
      },
    };
  },
};

const words = (description: string, items: FieldSchema['items']): FieldSchema => ({
  type: 'array',
  items: items!,
  maxItems: 100,
  uniqueItems: true,
  default: [],
  description,
});

const FIELDS: Readonly<Record<string, FieldSchema>> = {
  url: { type: 'uri', required: true, description: 'Address that gets the requests: https, or http.' },
  active: { type: 'boolean', default: true, description: 'Whether it is told.' },
  events: words('What it is told of; empty: everything.', { type: 'string', enum: [...EVENT_ACTIONS] }),
  resources: words('Resources by name; empty: all.', { type: 'string', maxLength: 100 }),
  fields: words('Updates are told only when one of these fields has changed; empty: whichever has.', {
    type: 'string',
    maxLength: 100,
  }),
  secret: {
    type: 'string',
    maxLength: 100,
    contexts: ['edit'],
    description:
      'Key of the signatures, whsec_ and base64; made by the server when empty. A new one signs beside the former one for 24 hours.',
  },
  former_secret: { type: 'string', hidden: true, maxLength: 100 },
  former_until: { type: 'integer', hidden: true, default: 0 },
};

function faceOf({ fields }: ResourceModel): WebhookFace {
  const column = (name: string) => fields.get(name)!.column!;
  return {
    columns: {
      url: column('url'),
      secret: column('secret'),
      former: column('former_secret'),
      formerUntil: column('former_until'),
      events: column('events'),
      resources: column('resources'),
      fields: column('fields'),
      active: column('active'),
    },
  };
}

/**
 * Refuses a URL to which nothing would ever be sent, and names about which there would never be an event. What is
 * stored may be sent back: a resource may have been removed since.
 * @throws ResourceError 400
 */
function checkTarget(model: ResourceModel, values: Readonly<Record<string, unknown>>, current?: Row): void {
  const columns = faceOf(model).columns;
  const { url } = values;
  const fault = typeof url === 'string' && url !== current?.[columns.url] ? faultOf(url) : undefined;
  if (fault !== undefined) throw invalidParams([{ param: 'url', code: 'rest_invalid_param', message: fault }]);
  const stored = [...model.site.byName.values()].filter(({ table }) => table);
  const known = {
    resources: stored.map(({ name }) => name),
    fields: stored.flatMap(({ fields }) => [...fields.keys()]),
  };
  for (const param of ['resources', 'fields'] as const) {
    const previous = namesIn(JSON.parse(current?.[columns[param]] || '[]'));
    const strange = namesIn(values[param]).find((name) => !known[param].includes(name) && !previous.includes(name));
    if (strange === undefined) continue;
    const near = nearest(strange, known[param]);
    const hint = near === undefined ? 'Leave it out.' : `Did you mean "${near}"?`;
    const what = param === 'fields' ? 'no resource has a field' : 'there is no resource';
    throw invalidParams([{ param, code: 'rest_invalid_param', message: `${param}: ${what} "${strange}". ${hint}` }]);
  }
}

/**
 * Refuses a webhook that would get events of items which the scope of its writer does not cover. Its URL may be anywhere, so
 * that any change of such a webhook would be a way to learn of them.
 * @throws ResourceError `rest_forbidden_scope`
 */
function refuseBeyondScope({ site }: ResourceModel, value: unknown, actor: Actor): void {
  const allowed = actor.scope?.resources;
  if (!allowed) return;
  const covered = [...site.byName.values()]
    .filter(({ path, table }) => table && allowed.includes(path))
    .map(({ name }) => name);
  const requested = namesIn(value);
  const beyond = requested.filter((name) => !covered.includes(name));
  if (requested.length > 0 && beyond.length === 0) return;
  const what =
    requested.length === 0 ? 'resources is empty, which stands for all' : `it does not cover ${beyond.join(', ')}`;
  const message = `The scope of this application password allows only webhooks for resources in it: ${what}. Name in resources only: ${covered.join(', ')}.`;
  throw new ResourceError('rest_forbidden_scope', { message });
}

/** Why nothing would ever be sent to a URL, as far as its text shows. */
function faultOf(url: string): string | undefined {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return 'url must be a URL that begins with https:// or http://.';
  const { username, password } = new URL(url);
  return username || password
    ? 'url must be without a name and password: requests are signed with the secret.'
    : undefined;
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

function checkSecret(text: string): string {
  const key = text.startsWith(PREFIX) ? Buffer.from(text.slice(PREFIX.length), 'base64') : Buffer.alloc(0);
  const exact = key.toString('base64').replace(/=+$/, '') === text.slice(PREFIX.length).replace(/=+$/, '');
  if (exact && key.length >= KEY_BYTES.least && key.length <= KEY_BYTES.most) return text;
  const { least, most } = KEY_BYTES;
  const message = `secret must be ${PREFIX} and ${least} to ${most} bytes in base64. Leave it empty, and the server makes one.`;
  throw invalidParams([{ param: 'secret', code: 'rest_invalid_param', message }]);
}
