// Invariants of the data after any history of writes.
import { auditData } from '../../../src/maintenance/check-data.js';
import type { Row } from '../../../src/model/query.js';
import type { World } from './world.js';

/** Violated invariants of the contents and terms, including the findings of the audit. */
export async function contradictions(world: World): Promise<string[]> {
  const contents = await world.rowsOf('contents', ['id', 'type', 'status', 'slug', 'parent']);
  const terms = await world.rowsOf('terms', ['id', 'taxonomy', 'parent', 'name_key']);
  // In the trash the slug has a suffix, and several items may have had it.
  const slugs = contents
    .filter(({ type, status, slug }) => (type === 'page' || type === 'post') && status !== 'trash' && slug !== '')
    .map(({ type, slug, parent }) => `${type} ${type === 'page' ? parent : ''} ${slug}`);
  const names = terms.map(({ taxonomy, parent, name_key: name }) => `${taxonomy} ${parent} ${name}`);
  const audited = (await auditData(world.models, world.store)).map(({ message }) => message);
  return [
    ...new Set([
      ...loops('contents', contents),
      ...loops('terms', terms),
      ...repeated(slugs).map((slug) => `two items have the slug ${slug}`),
      ...repeated(names).map((name) => `two terms have the name ${name}`),
      ...audited,
      ...(await danglingReferences(world)),
    ]),
  ];
}

const repeated = (values: string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at);

/** Rows that are their own ancestors. */
function loops(table: string, rows: Row[]): string[] {
  const above = new Map(rows.map(({ id, parent }) => [id as number, parent as number]));
  return [...above.keys()].flatMap((id) => {
    let at = above.get(id);
    for (let depth = 0; at && at !== id && depth < 200; depth++) at = above.get(at);
    return at === id ? [`${table} ${id} is above itself`] : [];
  });
}

/** References of every resource to rows that do not exist. */
async function danglingReferences(world: World): Promise<string[]> {
  const found: string[] = [];
  for (const model of world.models.byName.values()) {
    if (!model.table) continue;
    for (const field of model.fields.values()) {
      const target = field.targets?.[0]?.table ?? field.many?.target?.table;
      if (!target) continue;
      const ids = new Set((await world.rowsOf(target.name, ['id'])).map(({ id }) => id));
      const [table, column] = field.many ? [field.many.table, field.many.value] : [model.table.name, field.column!];
      for (const row of await world.rowsOf(table, [column])) {
        if (row[column] && !ids.has(row[column])) found.push(`${model.name}.${field.name} leads to ${row[column]}`);
      }
    }
  }
  return found;
}
