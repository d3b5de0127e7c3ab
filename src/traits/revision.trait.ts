// A revision: a stored previous state of an item of another resource, which can be compared, restored and deleted.
import type { Operation, View } from '../model/operation.js';
import { and, equals, NEXT_VERSION, type Row } from '../model/query.js';
import type { ResourceSchema } from '../model/schema/schema.js';
import type { RuleSchema } from '../model/schema/permission-schema.js';
import { diffLines, type DiffStep } from '../text/diff-lines.js';
import type { FieldSchema } from '../model/schema/field-schema.js';
import type { Trait } from '../model/trait.js';

interface Options {
  /** Fields stored in a revision. */
  fields: string[];
}

/** Types that can be compared line by line and written back. */
const COMPARABLE_TYPES = ['string', 'text', 'rendered', 'slug', 'integer', 'number', 'boolean', 'date'];
/**
 * Maximum length of texts that are compared directly, in characters; lower than for other work, because comparing is
 * slow.
 */
const MAX_DIRECT_CHARACTERS = 2_000;

export const revisionTrait: Trait<Options> = {
  name: 'revision',
  description: 'Items are revisions of their parent: `diff` compares them with it, POST …/restore brings one back.',
  options: {
    fields: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'Fields that a revision stores.',
      required: true,
    },
  },
  check(check, { fields }) {
    const { schema, resources } = check;
    const parent = resources.get(schema.parent?.resource ?? '');
    if (!parent) return check.fail([], 'revisions belong to a parent', 'add "parent" to the resource');
    if (!check.sameTable(parent, schema) || !parent.traits?.['revisioned'])
      check.fail(
        [],
        `"${parent.name}", the parent, must share the table of this resource and have the trait "revisioned"`,
      );
    check.own('date', ['datetime']);
    for (const [index, name] of fields.entries()) {
      if (check.field(['fields', index], name)) check.own(name, COMPARABLE_TYPES);
      if (!parent.fields[name]) check.fail(['fields', index], `"${parent.name}" has no field "${name}" to restore`);
      else check.column(['fields', index], name, parent);
    }
  },
  extend(schema, { fields }) {
    for (const [name, field] of Object.entries(fieldsOf(schema, fields)))
      schema.fields[name] = { ...field, ...schema.fields[name] };
    schema.operations ??= ['list', 'retrieve', 'delete'];
    schema.permissions = { ...schema.permissions, rules: { ...rulesOf(schema), ...schema.permissions?.rules } };
    schema.itemParams = {
      ...schema.itemParams,
      diff: { type: 'boolean', description: 'Add the difference to the present text, line by line.', default: false },
    };
  },
  faces: (_model, { fields }) => ({ copies: { fields, shown: ['diff'] } }),
  actions: (model, { fields }) => ({
    restore: {
      description: 'Writes the text of the revision as an update of its parent.',
      changes: model.parent!.model,
      target: (row) => ({
        id: row[model.parent!.field.column!] as number,
        values: Object.fromEntries(fields.map((name) => [name, row[model.fields.get(name)!.column!]])),
      }),
    },
  }),
  sideBySide: true,
  hooks: (model, { fields }) => ({
    async present(views, rows, op) {
      if (op.kind === 'retrieve' && op.params['diff'] === true) await addDiff(views[0]!, rows[0]!['id'], op, fields);
    },
    async removed(row, op) {
      const table = model.table!.name;
      const column = model.parent!.field.column!;
      const left = await op.tx!.select({
        table,
        columns: ['id'],
        where: and(model.rowScope, equals(column, row[column])),
        order: [
          { column: 'date', direction: 'desc' },
          { column: 'id', direction: 'desc' },
        ],
      });
      const latest = (left[0]?.['id'] as number | undefined) ?? 0;
      const changes = { revision_count: left.length, latest_revision: latest, ...NEXT_VERSION };
      await op.tx!.update(table, changes, equals('id', row[column]));
    },
  }),
};

/** What every revision has: its dates, its parent and the texts as they were. */
function fieldsOf({ parent }: ResourceSchema, texts: readonly string[]): Record<string, FieldSchema> {
  const date = (what: string, gmt: boolean): FieldSchema => ({
    type: 'datetime',
    clock: gmt ? 'utc' : 'site',
    readOnly: true,
    description: `${what}, ${gmt ? 'as UTC' : "in the site's timezone"}.`,
  });
  const inner: Partial<FieldSchema> = { contexts: ['view', 'edit'] };
  return {
    date: date('When the revision was made', false),
    date_gmt: { ...date('When the revision was made', true), ...inner },
    modified: { ...date('Last change', false), ...inner },
    modified_gmt: { ...date('Last change', true), ...inner },
    ...(parent && {
      [parent.field]: {
        type: 'reference',
        to: parent.resource,
        readOnly: true,
        onDelete: 'cascade',
        description: 'Item the revision belongs to.',
      },
    }),
    slug: { type: 'slug', readOnly: true, description: 'Name of the revision.' },
    ...Object.fromEntries(
      texts.map((name) => [
        name,
        { type: 'text', readOnly: true, description: `${upperFirst(name)} as it was stored.` },
      ]),
    ),
  };
}

/** Revisions are for those who may write their parent. */
function rulesOf({ parent }: ResourceSchema): Record<string, RuleSchema> {
  if (!parent) return {};
  const edit: RuleSchema = { through: parent.field, rule: 'edit' };
  return { read: edit, edit, delete: { all: [edit, { through: parent.field, rule: 'delete' }] } };
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

async function addDiff(view: View, id: number, op: Operation, fields: string[]): Promise<void> {
  const { name: table, columns } = op.model.table!;
  const textsOf = async (item: number): Promise<Row> =>
    (await op.store.first(table, fields, equals('id', item), {}, op.budget)) ?? {};
  const [before, now] = [await textsOf(id), await textsOf(op.parentId)];
  const steps: Record<string, DiffStep[]> = {};
  for (const name of fields) {
    const isBoolean = columns.get(name)?.kind === 'boolean';
    const [old, present] = [textOf(before[name], isBoolean), textOf(now[name], isBoolean)];
    const pool = old.length + present.length > MAX_DIRECT_CHARACTERS ? op.site.textsOf?.(op.actor) : undefined;
    steps[name] = pool ? await pool(diffLines, old, present) : diffLines(old, present);
  }
  view['diff'] = steps;
}

/** A stored value as text; some databases keep booleans as numbers. */
function textOf(value: unknown, isBoolean: boolean): string {
  if (value === null || value === undefined) return '';
  return String(isBoolean ? Boolean(value) : value);
}
