// The resource that shows the audit log: rows are written by the server alone, and deleted when they are old.
import type { AuditEntry } from '../model/audit.js';
import type { Actor } from '../model/actor.js';
import type { AuditFace, TaskModel } from '../model/faces.js';
import { withDerived } from '../model/functions/with-derived.js';
import type { ResourceModel } from '../model/model.js';
import type { Row } from '../model/query.js';
import { trimOld } from './logs/trim-old.js';
import type { FieldSchema } from '../model/schema/field-schema.js';
import type { Trait } from '../model/trait.js';

interface Options {
  /** Days after which entries are deleted; 0: never. */
  keepDays?: number;
}

const KEEP_DAYS = 365;
const MAX_AGENT = 200;
/** Maximum length of the JSON list of names, so that the statement can be sent together with others. */
const MAX_NAMES = 900;
/** Characters that may be special in a literal; without them an entry is sent with its transaction's other writes. */
const UNUSUAL = /[^\p{L}\p{N} _.,:;~#%@*/()[\]{}<>=+-]/gu;

export const auditLogTrait: Trait<Options> = {
  name: 'audit-log',
  description:
    'Items are entries about logins and about writes of resources with the trait `audited`; clients cannot write them.',
  options: {
    keepDays: {
      type: 'integer',
      minimum: 0,
      description: 'Days after which an entry is deleted; 0 keeps all (default 365).',
    },
  },
  check(check) {
    for (const [name, { type }] of Object.entries(FIELDS)) check.own(name, [type!]);
    const others = [...check.resources.values()].filter(
      (each) => each.name !== check.schema.name && each.traits?.['audit-log'],
    );
    if (others.length > 0) check.fail([], `"${others[0]!.name}" is an audit log already`, 'a site has one');
  },
  extend(schema) {
    for (const [name, field] of Object.entries(FIELDS)) schema.fields[name] = { ...field, ...schema.fields[name] };
    schema.operations ??= ['list', 'retrieve'];
    schema.batch ??= false;
  },
  faces: (model) => ({ audit: auditFace(model) }),
  tasks: (model, { keepDays = KEEP_DAYS }): Record<string, TaskModel> => ({
    trim: trimOld(model, keepDays, model.fields.get('date')!.column!),
  }),
  sideBySide: true,
};

const FIELDS: Readonly<Record<string, FieldSchema>> = {
  date: {
    type: 'datetime',
    clock: 'utc',
    readOnly: true,
    filterable: { after: 'Only entries after this moment.', before: 'Only entries before this moment.' },
    description: 'When it happened, as UTC.',
  },
  user: {
    type: 'integer',
    readOnly: true,
    filterable: { in: 'Only what these accounts did.' },
    description: 'Id of the account that did it; 0 for none. It stays when the account is deleted.',
  },
  action: {
    type: 'string',
    readOnly: true,
    columnLength: 40,
    filterable: { in: 'Only these actions.' },
    description: 'What was done.',
  },
  resource: {
    type: 'string',
    readOnly: true,
    columnLength: 100,
    filterable: { in: 'Only items of these resources.' },
    description: 'Resource of the item.',
  },
  item: {
    type: 'integer',
    readOnly: true,
    filterable: { in: 'Only items with these ids.' },
    description: 'Id of the item; 0 where there is none.',
  },
  fields: {
    type: 'array',
    readOnly: true,
    items: { type: 'string' },
    description: 'Names of the fields that were sent, of a creation, or changed, of an update. Never their values.',
  },
  via: {
    type: 'string',
    readOnly: true,
    columnLength: 20,
    description:
      'How the caller signed in: password, application, token or none; system or command for the server itself.',
  },
  credential: {
    type: 'string',
    readOnly: true,
    columnLength: 64,
    description: 'UUID of the application password that was used, made or revoked.',
  },
  ip: { type: 'string', readOnly: true, columnLength: 64, description: 'Address of the client.' },
  agent: { type: 'string', readOnly: true, columnLength: MAX_AGENT, description: 'User-Agent of the client.' },
  request: { type: 'string', readOnly: true, columnLength: 64, description: 'X-Request-Id of the response.' },
};

function auditFace(model: ResourceModel): AuditFace {
  return {
    row(entry, actor, site): Row {
      const values = Object.entries(valuesOf(entry, actor, site.now()));
      const row = Object.fromEntries(values.map(([name, value]) => [model.fields.get(name)!.column!, value]));
      return withDerived(model, row, { site });
    },
  };
}

function valuesOf({ action, resource, item, fields, credential }: AuditEntry, actor: Actor, now: number): Row {
  // The account of a trusted write is the author of the item, not who writes it.
  const server = actor.via === 'system' || actor.via === 'command';
  return {
    date: new Date(now).toISOString().slice(0, 19),
    user: server ? 0 : actor.id,
    action,
    resource,
    item,
    fields: JSON.stringify(shorten(fields)),
    via: actor.via ?? 'none',
    credential: credential ?? actor.applicationPassword ?? '',
    ip: server ? '' : plain(actor.address, 64),
    agent: plain(actor.agent, MAX_AGENT),
    request: actor.requestId ?? '',
  };
}

function plain(text: string, most: number): string {
  return text.replaceAll(UNUSUAL, '_').slice(0, most);
}

function shorten(names: readonly string[]): string[] {
  let left = MAX_NAMES;
  return names.filter((name) => (left -= name.length + 3) > 0);
}
