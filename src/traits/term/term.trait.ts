// Terms: a name that is unique among siblings, a count of published items, and a replacement on deletion.
import { ResourceError } from '../../errors/resource-error.js';
import type { Derive } from '../../model/field.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation, Draft } from '../../model/operation.js';
import { and, equals, not, TRUE, type Row } from '../../model/query.js';
import { normalize } from '../../text/normalize.js';
import { settingsOf, type SiteSettings } from '../../model/site/site-settings.js';
import type { Trait } from '../../model/trait.js';
import { defaultTermNow, referring, handOver } from './default-term.js';
import { keyOfName, MAX_NAME_BYTES, NAME_KEY, nameKey } from './name-key.js';

interface Options {
  /** Reference to the parent; without it a `parent` that is sent is rejected. */
  parent?: string;
  /** Setting with the id of the term that cannot be deleted and that replaces the last term of items. */
  fallback?: keyof SiteSettings;
}

export const termTrait: Trait<Options> = {
  name: 'term',
  description: 'Items are terms: unique names among siblings, count of published items, a default term that stays.',
  // No term is replaced where the item goes to the trash or the deletion is refused.
  after: ['trashable', 'force-delete'],
  options: {
    parent: { type: 'string', description: 'Reference to the parent term; without it terms are flat.' },
    fallback: {
      type: 'string',
      enum: settingsOf('number'),
      description: 'Site setting with the id of the default term.',
    },
  },
  check(check, { parent }) {
    check.own('name', ['string', 'text']);
    check.own('count', ['integer']);
    check.own('slug', ['slug', 'string'], 'add the trait "sluggable"');
    if (parent !== undefined) check.referenceTo(['parent'], parent, check.schema);
  },
  extend(schema) {
    schema.fields['count'] = {
      type: 'integer',
      description: 'Number of published items with the term.',
      readOnly: true,
      contexts: ['view', 'edit'],
      ...schema.fields['count'],
      derived: true,
    };
    schema.fields[NAME_KEY] = { type: 'string', hidden: true, columnLength: 400, index: true };
  },
  link: (model) => void (model.derive as Derive[]).push(keyOfName(model)),
  faces: (_model, { fallback }) => ({
    counter: { column: 'count' },
    ...(fallback && { stays: (row, { settings }) => row['id'] === settings[fallback] }),
  }),
  adopt: (model) => ({
    row: (row) => ({ [NAME_KEY]: nameKey(row['name']) }),
    async finish(reader) {
      const counting = [...model.site.byName.values()].filter((other) => other.faces.counted);
      return (await Promise.all(counting.flatMap((other) => other.audits.map((audit) => audit(reader))))).flat();
    },
  }),
  sideBySide: true,
  authorizes: ['create', 'update'],
  codes: {
    create: ['empty_term_name', 'invalid_term_name', 'term_exists', 'rest_taxonomy_not_hierarchical'],
    update: ['empty_term_name', 'invalid_term_name', 'term_exists', 'rest_taxonomy_not_hierarchical'],
    delete: ['rest_cannot_delete'],
  },
  hooks: (model, { parent, fallback }) => ({
    authorize(op) {
      if (
        !parent &&
        (op.kind === 'create' || op.kind === 'update') &&
        op.raw['parent'] !== undefined &&
        op.raw['parent'] !== null
      ) {
        throw new ResourceError('rest_taxonomy_not_hierarchical');
      }
    },
    async input(draft, op, current) {
      if (draft.row['name'] !== undefined) checkName(String(draft.row['name'] ?? ''), op);
      if (!op.trusted) await rejectDuplicate(model, parent, draft, op, current);
    },
    async remove(row, op) {
      if (!fallback) return;
      const standIn = await defaultTermNow(fallback, model, op);
      // Always rejected, whatever the permissions.
      if (row['id'] === standIn) throw new ResourceError('rest_cannot_delete', { status: 403, denied: true });
      // The setting may name a term that does not exist, or one of another kind.
      const exists = and(equals('id', standIn), model.rowScope);
      if (!(await op.store.first(model.table!.name, ['id'], exists))) return;
      for (const reference of referring(model)) await handOver(reference, row['id'], standIn, model, op);
    },
  }),
};

/** Rejects an empty name and one that is too long. */
function checkName(name: string, op: Operation): void {
  if (name === '') throw new ResourceError('empty_term_name', { status: 400 });
  if (Buffer.byteLength(name) > MAX_NAME_BYTES && !op.trusted) {
    throw new ResourceError('invalid_term_name', {
      status: 400,
      message: `name must be at most ${MAX_NAME_BYTES} bytes long.`,
    });
  }
}

/** Rejects a name that a sibling has, unless an explicit slug distinguishes them. */
async function rejectDuplicate(
  model: ResourceModel,
  parent: string | undefined,
  { row: changes, values }: Draft,
  op: Operation,
  current?: Row,
): Promise<void> {
  const row: Row = { ...current, ...changes };
  const name = model.fields.get('name')!.column!;
  const sameName = (other: Row | undefined) => other !== undefined && isSame(String(row[name]), String(other[name]));
  const column = parent === undefined ? undefined : model.fields.get(parent)?.column;
  const stays = !column || row[column] === current?.[column];
  if (sameName(current) && stays) return;
  const key = nameKey(row[name]);
  // Sent together; the query runs once the lock is held.
  const locked = op.tx!.lock([`name ${model.table!.name} ${key}`]);
  const siblings = column ? [equals(column, row[column] ?? 0)] : [];
  const others = current ? [not(equals('id', current['id']))] : [];
  // The key ignores accents too, so the names of the few terms that have it are compared.
  const selected = op.store.select({
    table: model.table!.name,
    columns: ['id', 'slug', name],
    where: and(model.rowScope, ...siblings, ...others, equals(NAME_KEY, key)),
    order: [{ column: 'id', direction: 'asc' }],
  });
  const [alike] = await Promise.all([selected, locked]);
  const existing = alike.find(sameName);
  if (!existing) return;
  const slug = values['slug'];
  const own = typeof slug === 'string' && slug !== '' ? row['slug'] : undefined;
  // On update, a slug of any other term is rejected by what makes slugs unique.
  if (own !== undefined && (current ? own !== existing['slug'] : !(await isUsed(model, String(own), op)))) return;
  throw await nameTaken(model, existing['id'], op);
}

/** The error names the other term to callers who may read it. */
async function nameTaken(model: ResourceModel, id: number, op: Operation): Promise<ResourceError> {
  const read = model.rules.get('read')?.(op.actor) ?? TRUE;
  const seen = await op.store.first(model.table!.name, ['id'], and(equals('id', id), read));
  const message = 'A term with this name exists. Send another name or slug.';
  return new ResourceError('term_exists', seen ? { data: { term_id: id } } : { message });
}

/** Whether a term has this slug: a slug that has to be changed does not tell two terms of one name apart. */
async function isUsed(model: ResourceModel, slug: string, op: Operation): Promise<boolean> {
  return (await op.store.first(model.table!.name, ['id'], and(model.rowScope, equals('slug', slug)))) !== undefined;
}

/** Compares names without regard to case. */
function isSame(one: string, other: string): boolean {
  return normalize(one, 'NFC').toLowerCase() === normalize(other, 'NFC').toLowerCase();
}
