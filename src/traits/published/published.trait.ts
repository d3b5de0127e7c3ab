// Publication: status, permissions per status, and the transition between published and scheduled.
import type { State, TaskModel } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import type { ListPlan } from '../../model/list.js';
import type { Operation } from '../../model/operation.js';
import { oneOf } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { tableStorage } from '../../model/schema/storage-schema.js';
import { utcNow } from '../../values/date-time.js';
import { adoptStates } from '../trashable/old-states.js';
import { publishTask } from './due.js';
import type { Trait } from '../../model/trait.js';
import { type PublishedOptions, withDefaults, PUBLIC } from './status-rules.js';

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];
const LISTABLE = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit', 'any'];
const ANY = ['publish', 'future', 'draft', 'pending', 'private', 'inherit'];
/** Statuses of items that wait to be finished, to be published, or for their date. */
const WAITING = ['future', 'draft', 'pending'];
/** Seconds before its date from which an item counts as published. */
const LEAD_SECONDS = 60;

export const publishedTrait: Trait<PublishedOptions> = {
  name: 'published',
  description: 'Adds status, its list parameter and the rules read, edit and delete by status and owner.',
  // The date decides whether an item is public or waits; what is restored from the trash is published then.
  after: ['trashable', 'dated'],
  options: {
    capabilities: {
      type: 'string',
      format: 'ending',
      description: 'Ending of the capabilities: posts gives edit_posts, edit_others_posts and so on.',
      required: true,
    },
    create: { type: 'string', format: 'capability', description: 'Capability to create items.' },
    author: { type: 'string', description: 'Field with the owner (default author).' },
    inherit: {
      type: 'string',
      description: 'Reference to the item that decides who may read items in the status inherit.',
    },
    schedule: { type: 'boolean', description: 'Items with a future date are published at that date (default true).' },
    listed: { type: 'string', description: 'Status a list shows when none is requested (default publish).' },
  },
  extend(schema, options) {
    const { listed = 'publish', inherit } = options;
    schema.fields['status'] = {
      type: 'string',
      description: 'State of publication.',
      enum: STATUSES,
      default: inherit ? 'inherit' : 'draft',
      contexts: ['edit'],
      allowStored: ['trash', 'inherit', 'auto-draft'],
      ...schema.fields['status'],
    };
    schema.storage ??= {};
    const storage = tableStorage(schema);
    if (storage) storage.partition ??= ['status'];
    schema.params = {
      ...schema.params,
      status: {
        type: 'array',
        description: 'Only items in one of these states; other than the default need the right to edit.',
        items: { type: 'string', enum: inherit ? LISTABLE.filter((status) => status !== 'auto-draft') : LISTABLE },
        default: listed,
        ...schema.params?.['status'],
      },
    };
    schema.permissions = withDefaults(schema.permissions ?? {}, options, listed);
  },
  check(check, { author = 'author', inherit, schedule = true, listed = 'publish' }) {
    check.own('status', ['string']);
    check.referenceToAccounts(['author'], author);
    if (inherit !== undefined) check.field(['inherit'], inherit, ['reference']);
    if (!LISTABLE.includes(listed)) check.fail(['listed'], `"${listed}" is not one of ${LISTABLE.join(', ')}`);
    check.needs('trashable', 'who may see what is in the trash depends on the status before');
    if (!schedule) return;
    check.needs('dated', 'items with a future date wait for it; without dates write "schedule": false');
  },
  adopt: (model) => adoptStates(model, STATUSES),
  settles: ['status'],
  params: () => ['status'],
  faces: (model, { capabilities }) => ({
    states: { field: 'status', param: 'status', values: statesOf(model) },
    publication: {
      isUndecided: (status, actor) => status === 'pending' && !actor.capabilities.has(`publish_${capabilities}`),
      isPublished: ({ status }) => status === 'publish',
    },
  }),
  tasks: (model, { schedule = true }): Record<string, TaskModel> => (schedule ? { publish: publishTask(model) } : {}),
  sideBySide: true,
  hooks: (_model, { schedule = true, listed = 'publish', inherit }) => ({
    scope(plan, op) {
      const requested = [(op.params['status'] as string | string[] | undefined) ?? listed].flat();
      scopeStatus(plan, requested.length > 0 ? requested : [listed], inherit !== undefined);
    },
    input(draft, op, current) {
      if (!schedule) return;
      const status = draft.row['status'] ?? current?.['status'];
      if (!PUBLIC.includes(status)) return;
      const date = String(draft.row['date_gmt'] ?? current?.['date_gmt'] ?? '');
      draft.row['status'] = date >= soon(op) ? 'future' : 'publish';
    },
  }),
};

/** The earliest date that counts as future. */
function soon(op: Operation): string {
  return new Date(Date.parse(`${utcNow(op)}Z`) + LEAD_SECONDS * 1000).toISOString().slice(0, 19);
}

function scopeStatus(plan: ListPlan, requested: string[], inherits: boolean): void {
  const wanted = new Set<Scalar>(requested.flatMap((status) => (status === 'any' ? ANY : status)));
  // Media with status `inherit` are as visible as published ones.
  if (inherits && wanted.has('inherit')) wanted.add('publish');
  const statuses = [...wanted];
  plan.where.push(oneOf('status', statuses));
  plan.known.set('status', statuses);
}

/** The states that the resource itself allows. */
function statesOf({ fields }: ResourceModel): State[] {
  const allowed = (fields.get('status')?.schema.enum ?? STATUSES) as string[];
  return allowed.map((value) => ({ value, listed: value, ...(WAITING.includes(value) ? { waits: true } : {}) }));
}
