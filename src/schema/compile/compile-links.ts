// Compiles the link relations of an item.
import { modelOf } from '../../fields/computed/permalink.js';
import type { ResourceModel } from '../../model/model.js';
import type { LinkModel, RelatedModel, ViewScope } from '../../model/shown.js';
import { itemPath } from '../../model/functions/paths.js';
import type { Row } from '../../model/query.js';
import { fieldsOfColumn } from '../../model/functions/readers.js';
import type { LinkSchema, Scalar } from '../../model/schema/schema.js';
import { guardLinks } from '../grammar/guards.js';
import { compileRuleSchema } from './compile-rule.js';
import type { Report } from '../../model/option-check.js';

/** Compiled links of a resource: those of the schema, those of references without one, then those of guards. */
export function compileLinks(model: ResourceModel, report: Report): LinkModel[] {
  const written = model.schema.links ?? {};
  const links: LinkModel[] = [];
  for (const [rel, entry] of Object.entries(written)) {
    for (const [index, link] of [entry].flat().entries()) {
      const path = Array.isArray(entry) ? ['links', rel, index] : ['links', rel];
      const compiled = compileLink(rel, link, model, path, report);
      if (compiled) links.push(compiled);
    }
  }
  for (const [rel, link] of ownLinks(model)) {
    const compiled = compileLink(rel, link, model, ['fields', rel], report);
    if (compiled) links.push(compiled);
  }
  for (const { rel, link, path } of guardLinks(model.schema)) {
    const compiled = compileLink(rel, link, model, path, report);
    if (compiled) links.push(compiled);
  }
  return links;
}

/** Links of references to items with a URL of their own, where the schema writes none. The parent has its own. */
function ownLinks({ fields, parent, schema }: ResourceModel): [rel: string, link: LinkSchema][] {
  const written = Object.values(schema.links ?? {}).flat();
  const links: [string, LinkSchema][] = [];
  for (const { name, column, targets = [], hidden, schema: field } of fields.values()) {
    if (!column || hidden || field.link === false || name === parent?.field.name) continue;
    if (schema.links?.[name] || written.some(({ id }) => id === name)) continue;
    if (targets.length === 0 || !targets.every(hasOwnUrl)) continue;
    const [only, ...others] = targets;
    links.push([name, { id: name, embeddable: true, ...(others.length === 0 ? { to: only!.name } : {}) }]);
  }
  return links;
}

function hasOwnUrl({ table, parent, singleton, integerKey, operations }: ResourceModel): boolean {
  return table !== undefined && !parent && !singleton && integerKey && operations.has('retrieve');
}

function compileLink(
  rel: string,
  written: LinkSchema,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): LinkModel | undefined {
  const link = withColumns(written, model, path, report);
  const field = link.id === undefined ? undefined : model.fields.get(link.id);
  if (link.id !== undefined && !field) report([...path, 'id'], `"${link.id}" is not a field`);
  const target = link.to === undefined ? undefined : model.site.byName.get(link.to);
  if (link.to !== undefined && !target) report([...path, 'to'], `there is no resource "${link.to}"`);
  if (!target && !field?.targets?.length && !link.self && !link.path) return undefined;
  const column = field?.column;
  const table = field?.targets?.[0]?.table?.name;
  const query = Object.entries(link.query ?? {}).map(([param, name]) => ({ param, column: name }));
  const reads = columnsOf(link, column, query);
  const dynamic = Object.entries(link.attributes ?? {}).filter(([, value]) => String(value).startsWith('$'));
  checkAttributes(dynamic, table, model, path, report);
  const sources = [...reads, ...[link.when ?? []].flat(), ...[link.path ?? []].flat()];
  const needsRow = !target || dynamic.length > 0;
  return {
    rel,
    schema: link,
    reads,
    readers: narrowest(sources, model),
    ...ruledAmong(sources, model),
    ...(needsRow && column && table ? { related: [relatedOf(column, table, model)] } : {}),
    href: hrefOf(link, model, { target, column, query, table }),
    ...(link.needs === undefined ? {} : { needs: compileRuleSchema(link.needs, model, [...path, 'needs'], report) }),
    ...(dynamic.length > 0 && column && table
      ? {
          attributes: (row: Row, scope: ViewScope) =>
            readAttributes(dynamic, scope.op.related.get(table)?.get(row[column])),
        }
      : {}),
  };
}

/** The link with columns in place of the fields that it names. `#<name>` stays: it is no column. */
function withColumns(link: LinkSchema, model: ResourceModel, path: (string | number)[], report: Report): LinkSchema {
  const columnFor = (name: string, ...at: string[]): string => {
    const field = model.fields.get(name);
    if (name.startsWith('#') || !model.table || field?.column !== undefined) return field?.column ?? name;
    if (!model.table.columns.has(name))
      report(
        [...path, ...at],
        `"${name}" has no column`,
        field?.many && at[0] === 'when' ? `write "#${name}": the link is shown where there are any` : undefined,
      );
    return name;
  };
  const query = Object.entries(link.query ?? {}).map(([param, name]) => [param, columnFor(name, 'query', param)]);
  return {
    ...link,
    ...(link.when === undefined ? {} : { when: columnFor(link.when, 'when') }),
    ...(link.path === undefined ? {} : { path: columnFor(link.path, 'path') }),
    ...(link.query === undefined ? {} : { query: Object.fromEntries(query) as Record<string, string> }),
  };
}

/** Who may read every value that the link is made of. `#<name>` are the targets of a to-many field. */
function narrowest(names: readonly string[], model: ResourceModel): LinkModel['readers'] {
  const readers = names.flatMap((name) => fieldsOfColumn(name.replace(/^#/, ''), model)).map((field) => field.readers);
  return readers.includes('nobody') ? 'nobody' : readers.includes('editors') ? 'editors' : 'everyone';
}

/** The fields of them that have rules for reading. */
function ruledAmong(names: readonly string[], model: ResourceModel): Pick<LinkModel, 'fields'> {
  const fields = names.flatMap((name) => fieldsOfColumn(name.replace(/^#/, ''), model));
  const ruled = fields.filter((field) => field.readRules).map((field) => field.name);
  return ruled.length > 0 ? { fields: [...new Set(ruled)] } : {};
}

/** A link may lead to an item that its reader may not read: it reveals no more than the kind of item. */
function checkAttributes(
  dynamic: [string, Scalar][],
  table: string | undefined,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): void {
  const kinds = table === undefined ? [] : kindsOf(table, model);
  for (const [name, value] of dynamic) {
    if (kinds.includes(String(value).slice(1))) continue;
    const hint = kinds.length > 0 ? `there are: ${kinds.map((kind) => `$${kind}`).join(', ')}` : undefined;
    const message = `"${value}" is not a column of "storage.where" of the items that "id" leads to`;
    report([...path, 'attributes', name], message, hint);
  }
}

/** Columns that tell the resources of a table apart. */
function kindsOf(table: string, { site }: ResourceModel): string[] {
  return [...new Set((site.ofTable.get(table) ?? []).flatMap((other) => Object.keys(other.discriminator)))];
}

function relatedOf(column: string, table: string, model: ResourceModel): RelatedModel {
  return { column, table, columns: ['id', ...kindsOf(table, model)] };
}

function readAttributes(dynamic: [string, Scalar][], target: Row | undefined): Record<string, Scalar> {
  return Object.fromEntries(dynamic.map(([name, value]) => [name, target?.[String(value).slice(1)] ?? null]));
}

/** Columns that a link is made from; `#<name>` is no column. */
function columnsOf(
  { when, path }: LinkSchema,
  column: string | undefined,
  query: readonly { column: string }[],
): string[] {
  const condition = when === undefined || when.startsWith('#') ? [] : [when];
  return [...query.map((part) => part.column), ...(column ? [column] : []), ...condition, ...[path ?? []].flat()];
}

/** Where a link leads. */
interface LinkTarget {
  target: ResourceModel | undefined;
  /** The column with the id of the item. */
  column: string | undefined;
  /** The table of that item, when its resource is not known. */
  table: string | undefined;
  query: { param: string; column: string }[];
}

function hrefOf(
  link: LinkSchema,
  model: ResourceModel,
  { target, column, query, table }: LinkTarget,
): LinkModel['href'] {
  if (link.path) return (_view, row, { site }) => `${site.base}/${row[link.path!]}`;
  if (link.self) return (_view, row, { site }) => site.base + itemPath(model, row);
  if (column && target) {
    return (_view, row, { site }) => (row[column] ? `${site.base}/${target.path}/${row[column]}` : undefined);
  }
  if (column) {
    return (_view, row, { site, op }) => {
      const found = op.related.get(table!)?.get(row[column]);
      const owner = found && modelOf(found, table!, model);
      return owner && `${site.base}/${owner.path}/${row[column]}`;
    };
  }
  const tail = link.key === undefined ? '' : `/${link.key}`;
  const start = `/${target!.path}${tail}`;
  if (query.length === 0 && target!.parent) {
    return (_view, row, { site }) => `${site.base}/${target!.parent!.model.path}/${row['id']}/${target!.path}`;
  }
  if (query.length === 0) return (_view, _row, { site }) => site.base + start;
  return (_view, row, { site }) => {
    // Nothing can be listed by a value that is not there.
    if (query.some(({ column: name }) => row[name] === null)) return undefined;
    const parts = query.map((part) => `${part.param}=${encodeURIComponent(String(row[part.column]))}`);
    return `${site.base}${start}?${parts.join('&')}`;
  };
}
