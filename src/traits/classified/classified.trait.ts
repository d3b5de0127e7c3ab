// Terms of an item: a default term when none is sent, and exact counts of published items per term.
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, type Row } from '../../model/query.js';
import { settingsOf, type SiteSettings } from '../../model/site/site-settings.js';
import type { Trait } from '../../model/trait.js';
import { countedTarget, countField, isFirstOf, storedCounts, wrongCounts } from './term-counts.js';

interface Options {
  /** `references` fields that lead to terms. */
  fields: string[];
  /** Settings with the id of the default term of new items, by field. */
  defaults?: Record<string, keyof SiteSettings>;
  /** Status in which an item is counted. */
  counted?: string;
}

export const classifiedTrait: Trait<Options> = {
  name: 'classified',
  description:
    'The references `fields` classify items; terms with the trait `term` know how many published items they have.',
  options: {
    fields: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'References fields that classify items.',
      required: true,
    },
    defaults: {
      type: 'object',
      description: 'Field to the site setting with the default term of new items.',
      additionalProperties: { type: 'string', enum: settingsOf('number') },
    },
    counted: { type: 'string', description: 'Status in which an item counts (default publish).' },
  },
  check(check, { fields, defaults = {}, counted = 'publish' }) {
    for (const [index, name] of fields.entries()) {
      const [target] = check.targets(check.field(['fields', index], name, ['references']));
      if (target && !target.traits?.['term'])
        check.fail(
          ['fields', index],
          `"${name}" leads to "${target.name}", which has no trait "term": there is no count to keep`,
        );
    }
    for (const name of Object.keys(defaults)) check.field(['defaults', name], name, ['references']);
    if (check.own('status', ['string'], 'items count by their status')) check.words(['counted'], [counted], 'status');
  },
  link(model, { fields, counted = 'publish' }) {
    const { table } = model;
    if (!table) return;
    const where = and(model.rowScope, equals('status', counted));
    table.countedBy = [...(table.countedBy ?? []), ...fields.flatMap((name) => storedCounts(model, name, where))];
  },
  audit:
    (model, { fields }) =>
    async (reader) => {
      const findings = [];
      for (const name of fields) {
        const target = countedTarget(model, name);
        if (target && isFirstOf(target, model, name)) findings.push(...(await wrongCounts(target, reader)));
      }
      return findings;
    },
  adopt: (model, { fields }) => ({
    async finish(reader) {
      const targets = new Set(fields.flatMap((name) => countedTarget(model, name) ?? []));
      return (await Promise.all([...targets].map((target) => wrongCounts(target, reader)))).flat();
    },
  }),
  faces: (_model, { fields, counted = 'publish' }) => ({ counted: { fields, rows: equals('status', counted) } }),
  authorizes: ['create'],
  sideBySide: true,
  hooks: (model, { fields, defaults = {}, counted = 'publish' }) => ({
    authorize(op) {
      if (op.kind !== 'create' || !op.tx || op.trusted) return;
      // Sent together with what the transaction reads first.
      const sent = Object.keys(defaults).filter((name) => op.values[name] === undefined);
      op.state.defaultTerms = new Map(sent.map((name) => [name, defaultTerm(model, name, defaults[name]!, op)]));
      for (const pending of op.state.defaultTerms.values()) pending.catch(() => undefined);
    },
    async input(draft, op, current) {
      if (current) return;
      for (const [name, setting] of Object.entries(defaults)) {
        if (draft.values[name] !== undefined || op.trusted) continue;
        const found = await (op.state.defaultTerms?.get(name) ?? defaultTerm(model, name, setting, op));
        if (found) draft.many[name] = [found['id']];
      }
    },
    async saved(row, op, previous) {
      const [was, is] = [previous?.['status'] === counted, row['status'] === counted];
      if (!was && !is) return;
      for (const name of fields) await countField(model, name, was, is, row, op);
    },
  }),
};

/** The default term of a field, if there is one. */
async function defaultTerm(
  model: ResourceModel,
  name: string,
  setting: keyof SiteSettings,
  { site, store }: Operation,
): Promise<Row | undefined> {
  const target = model.fields.get(name)?.many?.target;
  const found = target && and(equals('id', site.settings[setting] as number), target.rowScope);
  return found && target.table ? store.first(target.table.name, ['id'], found) : undefined;
}
