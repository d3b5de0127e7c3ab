// Comments under moderation: permissions, initial status, duplicates, replies.
import { ResourceError } from '../../errors/resource-error.js';
import type { ListPlan } from '../../model/list.js';
import type { Operation, Draft } from '../../model/operation.js';
import { and, equals, FALSE, oneOf, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { requireAuthor, changeAuthor, setAuthor } from './author.js';
import {
  assertNotEmpty,
  assertNewOfKind,
  assertSameParent,
  assertSameTarget,
  assertFieldLengths,
  assertSameKind,
} from './body.js';
import { checkModerated } from './check.js';
import { DEFAULT_MODERATORS, partsOf, type ModeratedOptions, type Parts } from './parts.js';
import { rejectNew, rejectOtherAuthor } from './rejections.js';
import { setFingerprint, lockRepeats, rejectFlood, rejectDuplicate, senderOf } from './repeats.js';
import { keyOf, LISTED_STATES, STATE_CHOICES, STORED_STATES, importedState, statesFor, transition } from './status.js';
import { emptyToo, replaceRule, stateRule } from './rules.js';
import { firstState } from './verdict.js';
import { adoptStates } from '../trashable/old-states.js';
import { purgeTask } from '../trashable/purge.js';
import { utcNow } from '../../values/date-time.js';
import type { Trait } from '../../model/trait.js';

/** Member of a row with the number of its replies. */
const REPLIES = '#children';
const name = { type: 'string' } as const;

/** Codes of bodies that cannot be stored. */
const TEXT_CODES = [
  'rest_comment_content_invalid',
  'rest_comment_author_invalid',
  'rest_comment_author_data_required',
  'rest_comment_invalid_parent',
  'comment_author_column_length',
  'comment_author_email_column_length',
  'comment_author_url_column_length',
  'comment_content_column_length',
];

export const moderatedTrait: Trait<ModeratedOptions> = {
  name: 'moderated',
  description: 'Comments on the items of `on`: moderation, authors, duplicates, flood control, replies.',
  // Trash, dates and owner are decided first.
  after: ['trashable', 'dated', 'authored'],
  options: {
    on: { ...name, description: 'Reference to the item commented on.', required: true },
    kind: { ...name, description: 'Read-only field with the kind; its default is what clients write.', required: true },
    account: {
      type: 'object',
      additionalProperties: name,
      description: "Fields filled from the author's account: field of the comment to field of the account.",
      required: true,
    },
    accepts: {
      type: 'object',
      additionalProperties: name,
      description: 'Field of the target with its value while it accepts comments.',
    },
    owner: { ...name, description: 'Field of the target with the account that owns it (default author).' },
    expiring: {
      type: 'array',
      items: name,
      description: 'Resources whose old items accept no more comments, if the site is configured so.',
    },
    moderators: {
      ...name,
      format: 'capability',
      description: `Capability of moderators (default ${DEFAULT_MODERATORS}).`,
    },
    parent: { ...name, description: 'Reference to the comment it replies to.' },
    author: { ...name, description: "Reference to the author's account." },
    content: { ...name, description: 'Rendered field with the text.' },
    name: { ...name, description: "Field with the author's name." },
    email: { ...name, description: "Field with the author's e-mail address." },
    url: { ...name, description: "Field with the author's URL." },
    address: { ...name, description: 'Field with the IP address.' },
    agent: { ...name, description: 'Field with the user agent.' },
  },
  check: checkModerated,
  rowMembers: [REPLIES],
  adopt: (model) => adoptStates(model, STORED_STATES),
  params: ({ kind }) => ['status', kind],
  values: () => ({ fields: { status: STORED_STATES }, params: { status: LISTED_STATES } }),
  extend(schema) {
    schema.fields['trashed_status'] = { type: 'string', hidden: true, columnLength: 40 };
    schema.fields['trashed_at'] = { type: 'datetime', hidden: true, nullable: true };
    schema.fields['marked_status'] = { type: 'string', hidden: true, columnLength: 40 };
    schema.fields['received_at'] = { type: 'datetime', hidden: true, nullable: true, index: true };
    schema.fields['fingerprint'] = { type: 'string', hidden: true, columnLength: 64, index: true };
    schema.fields['received_from'] = { type: 'string', hidden: true, columnLength: 100 };
  },
  link(model, options) {
    const { field } = partsOf(model, options);
    replaceRule(model.fields.get(field.status), stateRule);
    for (const part of [field.email, field.address]) replaceRule(model.fields.get(part), emptyToo);
  },
  faces: () => ({ states: { field: 'status', param: 'status', values: STATE_CHOICES } }),
  tasks: (model) => ({ purge: purgeTask(model) }),
  codes: {
    create: [
      'rest_comment_login_required',
      'rest_comment_invalid_author',
      'rest_comment_invalid_author_ip',
      'rest_comment_invalid_status',
      'rest_comment_invalid_post_id',
      'rest_comment_draft_post',
      'rest_comment_trash_post',
      'rest_comment_closed',
      'rest_cannot_read_post',
      'rest_invalid_comment_type',
      'comment_duplicate',
      'comment_flood',
      ...TEXT_CODES,
    ],
    update: [
      'rest_comment_invalid_author',
      'rest_comment_invalid_post_id',
      'rest_comment_invalid_type',
      'rest_cannot_read_post',
      'rest_trash_not_supported',
      ...TEXT_CODES,
    ],
  },
  authorizes: ['create'],
  sideBySide: true,
  hooks(model, options) {
    const parts = partsOf(model, options);
    return {
      async authorize(op) {
        if (op.kind === 'create') await rejectNew(parts, op);
      },
      scope: (plan, op) => scopeStates(parts, plan, op),
      async input(draft, op, current) {
        if (op.trusted) takeAsGiven(parts, draft, op, current);
        else if (current) await change(parts, draft, op, current);
        else await compose(parts, draft, op);
      },
      present: (_views, rows, op) => countReplies(parts, rows, op),
    };
  },
};

/** Validates a new comment, in the documented order, and sets its initial status. */
async function compose(parts: Parts, draft: Draft, op: Operation): Promise<void> {
  assertNewOfKind(parts, op);
  await setAuthor(parts, draft, op);
  assertNotEmpty(parts, draft);
  requireAuthor(parts, draft, op);
  assertFieldLengths(parts, draft);
  await assertSameParent(parts, draft, op);
  setFingerprint(parts, draft);
  // Sent together; the queries run once the locks are held.
  const checks = [lockRepeats, rejectDuplicate, rejectFlood].map((check) => check(parts, draft, op));
  for (const outcome of await Promise.allSettled(checks)) if (outcome.status === 'rejected') throw outcome.reason;
  draft.row[parts.column.status] = '';
  moveTo(await firstState(parts, draft, op), draft, draft.row, op);
  const word = draft.values[parts.field.status] as string | undefined;
  if (word !== undefined) moveTo(word, draft, draft.row, op);
  Object.assign(draft.row, { received_at: utcNow(op), received_from: senderOf(op) });
}

/** Validates a changed comment: only the values sent are checked. */
async function change(parts: Parts, draft: Draft, op: Operation, current: Row): Promise<void> {
  assertSameKind(parts, op, current);
  rejectOtherAuthor(parts, op, current);
  await changeAuthor(parts, draft, op, current);
  await assertSameTarget(parts, draft, op, current);
  assertNotEmpty(parts, draft);
  assertFieldLengths(parts, draft);
  await assertSameParent(parts, draft, op, current);
  setFingerprint(parts, draft, current);
  const word = draft.values[parts.field.status] as string | undefined;
  delete draft.row[parts.column.status];
  if (word !== undefined) moveTo(word, draft, current, op);
}

function moveTo(word: string, draft: Draft, from: Row, op: Operation): void {
  if (word === from['status']) return;
  const changes = transition(word, from, utcNow(op));
  if (changes['status'] === 'trash' && !op.site.settings.trash) throw new ResourceError('rest_trash_not_supported');
  Object.assign(draft.row, changes);
}

/** Imported comments are stored as given. */
function takeAsGiven(parts: Parts, draft: Draft, op: Operation, current?: Row): void {
  const { status } = parts.column;
  const state = draft.row[status] as string | undefined;
  if (op.kind === 'create') draft.row[status] = importedState(state || 'hold');
  else if (state !== undefined) draft.row[status] = importedState(state);
  setFingerprint(parts, draft, current);
}

function scopeStates({ column, field, kind }: Parts, plan: ListPlan, op: Operation): void {
  narrow(plan, column.status, statesFor(keyOf(String(op.params[field.status] ?? 'approve'))));
  const requested = keyOf(String(op.params[field.kind] ?? kind));
  if (requested !== 'all' && requested !== '') narrow(plan, column.kind, [requested]);
}

function narrow(plan: ListPlan, column: string, values: readonly Scalar[]): void {
  if (values.length === 0) return void plan.where.push(FALSE);
  plan.where.push(oneOf(column, values));
  plan.known.set(column, [...values]);
}

/** Number of approved replies of each row, for the link to them: one statement for the whole page. */
async function countReplies({ model, table, column }: Parts, rows: Row[], op: Operation): Promise<void> {
  if (rows.length === 0 || (op.fields && !op.fields.has('_links') && !op.fields.has('_embedded'))) return;
  const parents = oneOf(
    column.parent,
    rows.map((row) => row['id'] as number),
  );
  const counts = await op.store.countBy(
    table,
    column.parent,
    and(parents, equals(column.status, 'approved'), model.rowScope),
  );
  for (const row of rows) row[REPLIES] = counts.get(row['id']) ?? 0;
}
