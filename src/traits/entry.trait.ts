// Arbitrary meta keys and values of an item, as a resource of their own.
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { and, equals, NEXT_VERSION, not, type Row } from '../model/query.js';
import type { Trait } from '../model/trait.js';

const PROTECTED = '_';
/** The character after `_`: keys from `_` up to it are protected. */
const AFTER = '`';

export const entryTrait: Trait = {
  name: 'entry',
  description: 'Items are keys and values of their parent; keys that begin with _ and structured values stay hidden.',
  // An unforced deletion is rejected with that trait's error, whatever the entry is.
  after: ['force-delete'],
  options: {},
  extend(schema) {
    schema.fields['structured'] = { type: 'boolean', hidden: true };
  },
  check(check) {
    check.own('key', ['string']);
    check.own('value', ['string', 'text']);
    if (!check.schema.parent) check.fail([], 'entries belong to a parent', 'add "parent" to the resource');
  },
  reads: () => ['key', 'structured'],
  sideBySide: true,
  codes: {
    retrieve: ['rest_meta_protected'],
    create: ['rest_meta_invalid_key', 'rest_meta_protected'],
    update: ['rest_meta_invalid_key', 'rest_meta_protected', 'rest_meta_data_invalid', 'rest_post_invalid_action'],
    delete: ['rest_meta_protected'],
  },
  hooks: (model) => ({
    scope(plan) {
      plan.where.push(
        not(and({ op: 'ge', column: 'key', value: PROTECTED }, { op: 'lt', column: 'key', value: AFTER })),
        equals('structured', 0),
      );
    },
    input(draft, op, current) {
      if (op.trusted) return;
      if (current) assertVisible(current, 'rest_post_invalid_action');
      const { key, value } = draft.values;
      if (current && key === undefined && value === undefined) throw new ResourceError('rest_meta_data_invalid');
      if (key !== undefined && String(draft.row['key']).trim() === '') throw new ResourceError('rest_meta_invalid_key');
      assertVisible({ key: draft.row['key'] ?? '', structured: 0 });
    },
    async saved(row, op, previous) {
      const isSame = previous?.['key'] === row['key'] && previous?.['value'] === row['value'];
      if (!isSame) await renewItem(model, previous ? [previous, row] : [row], op);
    },
    remove(row) {
      assertVisible(row);
    },
    removed: (row, op) => renewItem(model, [row], op),
    present(_views, rows, op) {
      if (op.kind === 'retrieve' && rows[0]) assertVisible(rows[0]);
    },
  }),
};

/** An item that shows one of these entries in a field is another version of itself. */
async function renewItem({ parent, table }: ResourceModel, entries: readonly Row[], { tx }: Operation): Promise<void> {
  const { model, field } = parent!;
  const shown = [...model.fields.values()]
    .filter(({ meta }) => meta?.table === table!.name)
    .flatMap(({ meta }) => meta!.keys.filter(({ hidden }) => !hidden));
  if (!entries.some((entry) => shown.some(({ key }) => key === entry['key']))) return;
  await tx!.update(model.table!.name, NEXT_VERSION, equals('id', entries[0]![field.column!]));
}

function assertVisible(row: Row, structured = 'rest_meta_protected'): void {
  if (String(row['key']).startsWith(PROTECTED)) throw new ResourceError('rest_meta_protected');
  if (row['structured']) throw new ResourceError(structured);
}
