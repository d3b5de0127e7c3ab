// Text behind a password of its own (decisions 11.25-11.30).
import { timingSafeEqual } from 'node:crypto';
import { ResourceError } from '../errors/resource-error.js';
import type { Operation, View } from '../model/operation.js';
import { equals, or, type Row } from '../model/query.js';
import type { Trait } from '../model/registry.js';

interface Options {
  /** Rendered fields that are blanked. */
  fields: string[];
  /** Boolean field that cannot be set together with a password. */
  excludes?: string;
}

/** Whether a password given by a client is the stored one; takes the same time wherever they differ. */
export function samePassword(given: string, stored: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(stored)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export const protectedTrait: Trait<Options> = {
  name: 'protected',
  description: 'Adds password; without it the `fields` are shown empty. Adds the rule open: no password, or may edit.',
  options: {
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Rendered fields that the password guards.',
      required: true,
    },
    excludes: { type: 'string', description: 'Boolean field that cannot be true on a guarded item.' },
  },
  extend(schema, { fields }) {
    schema.fields['password'] = {
      type: 'string',
      description: 'Password that opens the content and the excerpt.',
      contexts: ['edit'],
      ...schema.fields['password'],
    };
    for (const name of fields) {
      const field = schema.fields[name];
      if (field) field.options = { ...field.options, protected: true };
    }
    schema.itemParams = {
      ...schema.itemParams,
      password: { type: 'string', description: 'Password of the item, if it is protected.' },
    };
    schema.permissions = { ...schema.permissions };
    schema.permissions.rules = {
      open: { any: [{ is: { password: '' } }, { rule: 'edit' }] },
      ...schema.permissions.rules,
    };
  },
  check(check, { fields, excludes }) {
    check.own('password', ['string']);
    for (const [index, name] of fields.entries()) check.field(['fields', index], name, ['rendered']);
    if (excludes !== undefined && check.field(['excludes'], excludes, ['boolean'])) check.own(excludes, ['boolean']);
  },
  reads: () => ['password'],
  hooks: (model, { fields, excludes }) => ({
    scope(plan, op) {
      // A search that finds guarded text would answer questions about it.
      if (op.params['search']) plan.where.push(or(equals('password', ''), model.rules.get('edit')!(op.actor)));
    },
    input(draft, _op, current) {
      const row = { ...current, ...draft.row };
      if (row['status'] === 'private' && row['password'] !== '') draft.row['password'] = row['password'] = '';
      if (excludes && row['password'] !== '' && row[excludes])
        throw new ResourceError('rest_invalid_field', {
          message: `password and ${excludes} exclude each other. Send only one of the two.`,
        });
    },
    present(views, rows, op) {
      const opened = openedBy(op, rows);
      rows.forEach((row, index) => {
        if (row['password'] !== '' && row['password'] !== undefined)
          guard(views[index]!, fields, op.context === 'edit' || opened);
      });
    },
  }),
};

/** Whether the request carries the item's password; a wrong one refuses (27.16). */
function openedBy(op: Operation, rows: Row[]): boolean {
  const given = op.params['password'];
  if (op.kind !== 'retrieve' || typeof given !== 'string' || given === '') return false;
  if (!samePassword(given, String(rows[0]?.['password'] ?? '')))
    throw new ResourceError('rest_post_incorrect_password', { denied: true });
  op.notes['confidential'] = true;
  return true;
}

function guard(view: View, fields: string[], open: boolean): void {
  for (const name of fields) {
    const text = view[name];
    if (!text) continue;
    text.protected = true;
    if (!open) text.rendered = '';
  }
}
