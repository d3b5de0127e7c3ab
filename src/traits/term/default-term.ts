// Items whose only term is deleted get the default term.
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, oneOf } from '../../model/query.js';
import type { SiteSettings } from '../../model/site/site-settings.js';
import type { FieldModel } from '../../model/field.js';

/** A field whose values are terms, and the resource that has it. */
interface Reference {
  owner: ResourceModel;
  field: FieldModel;
}

/** The fields whose values are terms of a resource. */
export function referring(model: ResourceModel): Reference[] {
  return [...model.site.byName.values()].flatMap((owner) =>
    [...owner.fields.values()].filter((field) => field.many?.target === model).map((field) => ({ owner, field })),
  );
}

/** Id of the default term as the transaction sees it: this process may not know yet that another has changed the setting. */
export async function defaultTermNow(
  name: keyof SiteSettings,
  { site }: ResourceModel,
  op: Operation,
): Promise<number> {
  for (const { table, fields, rowScope } of site.byName.values()) {
    const field = [...fields.values()].find(({ setting }) => setting?.name === name);
    const row = field && table && (await op.store.first(table.name, [field.column!], rowScope));
    const value = row && field.setting!.stored(row);
    if (value !== undefined) return value as number;
  }
  return op.site.settings[name] as number;
}

/** Assigns the default term to items that have only the deleted one. */
export async function handOver(
  { owner, field }: Reference,
  id: number,
  standIn: number,
  model: ResourceModel,
  op: Operation,
): Promise<void> {
  const { table, value } = field.many!;
  const alone = and(
    equals(value, id),
    not({ op: 'exists', table, outer: 'owner_id', inner: 'owner_id', where: not(equals(value, id)) }),
  );
  const rows = await op.tx!.select({ table, columns: ['owner_id'], where: alone, order: [] });
  const ids = rows.map((row) => row['owner_id'] as number);
  if (ids.length === 0) return;
  await op.tx!.insertMany(
    table,
    ids.map((item) => ({ owner_id: item, [value]: standIn })),
  );
  const { counted } = owner.faces;
  if (!counted?.fields.includes(field.name)) return;
  const published = await op.tx!.count(owner.table!.name, and(oneOf('id', ids), counted.rows));
  if (published > 0) op.tx!.add(model.table!.name, standIn, 'count', published);
}
