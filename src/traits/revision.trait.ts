// A stored former state of an item of another resource: compared with the present one, restored, deleted (decisions 18.6, 18.18).
import { diffArrays } from 'diff';
import type { Operation, View } from '../model/operation.js';
import { and, equals, oneOf, type Row } from '../model/query.js';
import type { Trait } from '../model/registry.js';

interface Options {
  /** Fields that a revision keeps. */
  fields: string[];
}

/** Types of what can be compared line by line and written back. */
const KEPT = ['string', 'text', 'rendered', 'slug', 'integer', 'number', 'boolean', 'date'];
/** Longest search for a small difference, in milliseconds; beyond it texts count as wholly different. */
const DIFF_TIME = 200;

export const revisionTrait: Trait<Options> = {
  name: 'revision',
  description: 'Items are revisions of their parent: `diff` compares them with it, POST …/restore brings one back.',
  options: {
    fields: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'Fields that a revision keeps.',
      required: true,
    },
  },
  check(check, { fields }) {
    const { schema, resources } = check;
    const parent = resources.get(schema.parent?.resource ?? '');
    if (!parent) return check.fail([], 'revisions belong to a parent', 'add "parent" to the resource');
    if (!check.sameTable(parent, schema) || !parent.traits?.['revisioned'])
      check.fail([], `"${parent.name}", the parent, must share our table and have the trait "revisioned"`);
    check.own('date', ['datetime']);
    for (const [index, name] of fields.entries()) {
      if (check.field(['fields', index], name)) check.own(name, KEPT);
      if (!parent.fields[name]) check.fail(['fields', index], `"${parent.name}" has no field "${name}" to restore`);
      else check.column(['fields', index], name, parent);
    }
  },
  extend(schema) {
    schema.itemParams = {
      ...schema.itemParams,
      diff: { type: 'boolean', description: 'Add the difference to the present text, line by line.', default: false },
    };
  },
  actions: (model, { fields }) => ({
    restore: {
      description: 'Writes the text of the revision as an update of its parent.',
      target: (row) => ({
        model: model.parent!.model,
        id: row[model.parent!.field.column!] as number,
        values: Object.fromEntries(fields.map((name) => [name, row[model.fields.get(name)!.column!]])),
      }),
    },
  }),
  hooks: (model, { fields }) => ({
    present(views, rows, op) {
      if (op.kind === 'retrieve' && op.params['diff'] === true) addDiff(views[0]!, rows[0]!, op, fields);
    },
    async removed(row, op) {
      const table = model.table!.name;
      const column = model.parent!.field.column!;
      const kinds = Object.entries(model.discriminator).map(([name, value]) => oneOf(name, [value]));
      const left = await op.tx!.select({
        table,
        columns: ['id'],
        where: and(...kinds, equals(column, row[column])),
        order: [
          { column: 'date', direction: 'desc' },
          { column: 'id', direction: 'desc' },
        ],
      });
      const latest = (left[0]?.['id'] as number | undefined) ?? 0;
      const changes = { revision_count: left.length, latest_revision: latest, row_version: { increment: 1 } };
      await op.tx!.update(table, changes, equals('id', row[column]));
    },
  }),
  reads: (_model, { fields }) => fields,
};

function addDiff(view: View, row: Row, op: Operation, fields: string[]): void {
  view['diff'] = Object.fromEntries(
    fields.map((name) => [name, lines(String(row[name] ?? ''), String(op.parent?.[name] ?? ''))]),
  );
}

/** Steps from the old text to the present one, a line each. */
function lines(old: string, present: string): { op: 'equal' | 'insert' | 'delete'; text: string }[] {
  const [before, after] = [splitLines(old), splitLines(present)];
  const whole = [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const parts = diffArrays(before, after, { timeout: DIFF_TIME }) ?? whole;
  return parts.flatMap(({ value, added, removed }) =>
    value.map((text) => ({ op: added ? 'insert' : removed ? 'delete' : 'equal', text })),
  );
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  return text.split('\n');
}
