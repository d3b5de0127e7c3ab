// Stores a revision with every update. The rows belong to another resource of the same table.
import type { ResourceModel } from '../../model/model.js';
import type { LinkModel } from '../../model/shown.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, type Row } from '../../model/query.js';
import { withDerived } from '../../model/functions/with-derived.js';
import { runText } from '../../model/runtime/texts.js';
import { sameWords } from '../../text/same-words.js';
import { itemPath } from '../../model/functions/paths.js';
import type { Trait } from '../../model/trait.js';
import { wrongHistories } from './revision-counts.js';

interface Options {
  /** Resource that exposes the revisions. */
  into: string;
  /** Columns that are stored and compared. */
  fields: string[];
}

/** Columns set on every revision. */
const WRITTEN = ['parent', 'author', 'slug', 'status', 'date', 'date_gmt', 'modified', 'modified_gmt'];

/** Status of every revision. */
const STATUS = 'inherit';

export const revisionedTrait: Trait<Options> = {
  name: 'revisioned',
  description: 'Every update that changes one of the `fields` stores a revision, shown by the resource `into`.',
  // A revision includes what these traits write after the row.
  after: ['sluggable', 'nested'],
  options: {
    into: { type: 'string', description: 'Resource that shows the revisions.', required: true },
    fields: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'Columns that are kept.',
      required: true,
    },
  },
  check(check, { into, fields }) {
    const { schema } = check;
    for (const [index, name] of fields.entries()) check.column(['fields', index], name);
    for (const name of WRITTEN) check.column([name], name);
    const target = check.resource(['into'], into);
    if (!target) return;
    if (!check.sameTable(target, schema)) check.fail(['into'], `"${into}" must have the table of this resource`);
    else if (target.parent?.resource !== schema.name)
      check.fail(['into'], `"${into}" must live below "${schema.name}"`, 'see "parent" of that resource');
    else if (!target.traits?.['revision']) check.fail(['into'], `"${into}" must have the trait "revision"`);
  },
  extend(schema) {
    schema.fields['revision_count'] = { type: 'integer', hidden: true, derived: true };
    schema.fields['latest_revision'] = { type: 'integer', hidden: true, derived: true };
  },
  link(model, { into }) {
    const target = model.site.byName.get(into);
    if (target) model.links = [...model.links, ...historyLinks(target)];
  },
  audit:
    (model, { into }) =>
    async (reader) => {
      const target = model.site.byName.get(into);
      return target ? wrongHistories(model, target, reader) : [];
    },
  faces: (model, options) => ({
    ahead(op) {
      op.state.latestRevision = newestRevision(model, options, op);
      op.state.latestRevision.catch(() => undefined);
    },
  }),
  sideBySide: true,
  hooks: (model, options) => ({
    async saved(row, op, previous) {
      if (!previous || op.state.trash !== undefined || op.trusted) return;
      const latest = await latestRevision(row, model, options, op);
      if (latest && !differs(latest, row, options.fields, op)) return;
      await storeRevision(model, options, row, op);
    },
  }),
};

/** The revision of an item with the latest date, found without its row. */
async function newestRevision(
  model: ResourceModel,
  { into, fields }: Options,
  { id, store }: Operation,
): Promise<Row | undefined> {
  const target = model.site.byName.get(into)!;
  const [newest] = await store.select({
    table: model.table!.name,
    columns: ['id', ...fields],
    where: and(target.rowScope, equals('parent', id), equals('status', STATUS)),
    order: [
      { column: 'date', direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ],
    limit: 1,
  });
  return newest;
}

async function latestRevision(
  row: Row,
  model: ResourceModel,
  { fields }: Options,
  { state, store }: Operation,
): Promise<Row | undefined> {
  const id = row['latest_revision'];
  // Awaited in any case: a transaction in which a statement has failed is not to be committed.
  const newest = await state.latestRevision;
  if (!id) return undefined;
  // Where the clock was set back, another one has the latest date.
  return newest?.['id'] === id ? newest : store.first(model.table!.name, fields, equals('id', id));
}

function differs(before: Row, after: Row, fields: string[], op: Operation): boolean {
  return fields.some((name) => {
    const [old, present] = [String(before[name] ?? ''), String(after[name] ?? '')];
    return old !== present && !runText(op, sameWords, old, present);
  });
}

async function storeRevision(model: ResourceModel, { into, fields }: Options, row: Row, op: Operation): Promise<void> {
  const target = model.site.byName.get(into);
  if (!target) return;
  const copy = {
    ...target.discriminator,
    ...copyColumns(target, fields, row),
    parent: row['id'],
    author: op.actor.id,
    slug: `${row['id']}-revision-v1`,
    status: STATUS,
    date: row['modified'],
    date_gmt: row['modified_gmt'],
    modified: row['modified'],
    modified_gmt: row['modified_gmt'],
  };
  // Rendered texts are copied from the item.
  const id = await op.tx!.insert(model.table!.name, { ...withDerived(target, copy, op), ...copy });
  const changes = { revision_count: { increment: 1 }, latest_revision: id };
  await op.tx!.update(model.table!.name, changes, equals('id', row['id']));
}

/** The values of the fields with all their columns, so that texts are not rendered a second time. */
function copyColumns(target: ResourceModel, fields: readonly string[], row: Row): Row {
  const renderedColumns = fields.flatMap((name) => target.fields.get(name)?.columns.map((column) => column.name) ?? []);
  const known = renderedColumns.filter((column) => row[column] !== undefined);
  return Object.fromEntries([...fields, ...known].map((column) => [column, row[column]]));
}

function historyLinks(target: ResourceModel): LinkModel[] {
  const collection: LinkModel['href'] = (_view, row, { site, op }) =>
    `${site.base}${itemPath(op.model, row)}/${target.path}`;
  return [
    {
      rel: 'version-history',
      schema: {},
      reads: ['revision_count'],
      readers: 'everyone',
      href: collection,
      attributes: (row) => ({ count: row['revision_count'] ?? 0 }),
    },
    {
      rel: 'predecessor-version',
      schema: { when: 'latest_revision' },
      reads: ['latest_revision'],
      readers: 'everyone',
      href: (view, row, scope) => `${collection(view, row, scope)}/${row['latest_revision']}`,
      attributes: (row) => ({ id: row['latest_revision'] }),
    },
  ];
}
