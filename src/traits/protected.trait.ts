// Items whose text is protected by a password of the item.
import { ResourceError } from '../errors/resource-error.js';
import type { FieldModel } from '../model/field.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation, View } from '../model/operation.js';
import { equals, or, type Row } from '../model/query.js';
import { opensItem, samePassword } from './guarded/item-password.js';
import type { Trait } from '../model/trait.js';

interface Options {
  /** Rendered fields that are blanked. */
  fields: string[];
  /** Boolean field that cannot be true together with a password. */
  excludes?: string;
}

export const protectedTrait: Trait<Options> = {
  name: 'protected',
  description: 'Adds password; without it the `fields` are shown empty. Adds the rule open: no password, or may edit.',
  // The password of an item depends on its status.
  after: ['published'],
  options: {
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Rendered fields that the password protects.',
      required: true,
    },
    excludes: { type: 'string', description: 'Boolean field that cannot be true on an item with a password.' },
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
  // A condition that matched protected text would reveal it.
  link(model, { fields }) {
    for (const name of fields) {
      const field = model.fields.get(name);
      if (field) field.opened = (actor) => or(equals('password', ''), model.rules.get('edit')!(actor));
    }
  },
  opens: ['password'],
  faces: () => ({ password: { column: 'password' } }),
  reads: () => ['password'],
  sideBySide: true,
  codes: {
    retrieve: ['rest_post_incorrect_password'],
    create: ['rest_invalid_field'],
    update: ['rest_invalid_field'],
  },
  hooks: (model, { fields, excludes }) => {
    const dependents = dependentsOf(model, fields);
    const guardAll = (views: View[], rows: Row[], open: boolean): void =>
      rows.forEach((row, index) => {
        if (row['password']) guard(views[index]!, row, fields, dependents, open);
      });
    return {
      scope(plan, op) {
        // A search that matched protected text would reveal it.
        if (op.params['search']) plan.where.push(or(equals('password', ''), model.rules.get('edit')!(op.actor)));
      },
      input(draft, op, current) {
        // Where the field is nullable, null is no password; the rules compare with the empty text.
        if (draft.row['password'] === null) draft.row['password'] = '';
        const row = { ...current, ...draft.row };
        const closed = Boolean(row['password']);
        const cleared = row['status'] === 'private' && closed;
        // Judged before a private status clears it; an import replaces everything at once.
        const judged = closed && !(op.trusted && cleared);
        // A new password is refused for what is stored too.
        const stored = Boolean(excludes && current?.[excludes] && draft.row['password'] && !op.trusted);
        if (excludes && judged && (row[excludes] || stored))
          throw new ResourceError('rest_invalid_field', {
            message: `password and ${excludes} exclude each other. Send only one of the two.`,
          });
        if (cleared) draft.row['password'] = '';
      },
      present(views, rows, op) {
        const given = op.params['password'];
        // Lists, and most items, need no asynchronous work.
        if (op.kind !== 'retrieve' || typeof given !== 'string' || given === '')
          return guardAll(views, rows, op.context === 'edit');
        return open(op, rows[0]!, given).then(() => guardAll(views, rows, true));
      },
    };
  },
};

/** Throws unless the password of the request is that of the item. */
async function open(op: Operation, row: Row, given: string): Promise<void> {
  if (!(await isRight(op, row, given))) throw new ResourceError('rest_post_incorrect_password', { denied: true });
  op.state.confidential = true;
}

// Callers who may edit the item may read its password, so their attempts are not counted.
async function isRight(op: Operation, row: Row, given: string): Promise<boolean> {
  const stored = String(row['password'] ?? '');
  if (op.ruleResults['edit']) return samePassword(given, stored);
  return opensItem(op, { table: op.model.table!.name, id: row['id'] }, given, stored);
}

/** Other fields that show the protected texts: computed ones, and those for which one of the texts stands in. */
function dependentsOf(model: ResourceModel, fields: readonly string[]): FieldModel[] {
  const texts = new Set(fields.flatMap((name) => model.fields.get(name)?.columns.map((column) => column.name) ?? []));
  return [...model.fields.values()].filter(
    (field) => !fields.includes(field.name) && field.reads.some((column) => texts.has(column)),
  );
}

function guard(view: View, row: Row, fields: string[], dependents: readonly FieldModel[], open: boolean): void {
  for (const name of fields) {
    const text = view[name];
    if (!text) continue;
    text.protected = true;
    if (!open) text.rendered = '';
  }
  for (const { name, column } of open ? [] : dependents) {
    if (view[name] === undefined) continue;
    // Its own text is not protected.
    if (column === undefined) view[name] = typeof view[name] === 'string' ? '' : null;
    else if (!row[column]) view[name].rendered = '';
  }
}
