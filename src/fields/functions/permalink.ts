// Public addresses of dated content and of trees (decisions 10.19). Called by the computed functions that show or extend them.
import type { Row } from '../../model/query.js';
import type { Site } from '../../model/site.js';
import type { RelatedModel, ResourceModel } from '../../model/model.js';

/** How the items of one resource are addressed; options of its `permalink` field. */
export interface AddressStyle {
  /** `dated`: the site's permalink structure; `tree`: the stored path; `attached`: below the item it belongs to. */
  style: 'dated' | 'tree' | 'attached';
  /** Query parameter of the plain address: `?p=12`. */
  query: string;
}

const PRETTY = new Set(['publish', 'private', 'inherit']);

/** Columns an address of this style is made of. */
export function addressColumns(style: AddressStyle): string[] {
  const common = ['id', 'slug', 'status'];
  if (style.style === 'tree') return [...common, 'path'];
  return style.style === 'attached' ? [...common, 'parent'] : [...common, 'date'];
}

/** The style of a resource, from its `permalink` field. */
export function addressStyle(model: ResourceModel): AddressStyle | undefined {
  for (const field of model.fields.values()) {
    if (field.type === 'computed' && field.schema.function === 'permalink') {
      return { style: 'dated', query: 'p', ...field.schema.options } as AddressStyle;
    }
  }
  return undefined;
}

/** Every column that some resource of a table needs for its address, and the further rows of attached ones. */
export function addressRelated(column: string, table: string, owner: ResourceModel): RelatedModel {
  const columns = new Set<string>(['id', ...discriminatorColumns(table, owner)]);
  let attached = false;
  for (const model of owner.site.ofTable.get(table) ?? []) {
    const style = addressStyle(model);
    if (style) for (const name of addressColumns(style)) columns.add(name);
    if (style?.style === 'attached') attached = true;
  }
  const names = [...columns];
  return attached
    ? { column, table, columns: names, then: [{ column: 'parent', table, columns: names }] }
    : { column, table, columns: names };
}

function discriminatorColumns(table: string, owner: ResourceModel): string[] {
  return (owner.site.ofTable.get(table) ?? []).flatMap((model) => Object.keys(model.discriminator));
}

/** The resource a row of a shared table belongs to. */
export function modelOf(row: Row, table: string, owner: ResourceModel): ResourceModel | undefined {
  return owner.site.ofTable
    .get(table)
    ?.find((model) => Object.entries(model.discriminator).every(([column, value]) => row[column] === value));
}

/** Public address of a row; `%slug%` stands for the slug where `template` is asked for. */
export function addressOf(
  row: Row,
  style: AddressStyle,
  site: Site,
  parentLink: (row: Row) => string | undefined,
  slug: string = row['slug'],
  pretty: boolean = PRETTY.has(row['status']) && row['slug'] !== '',
): string {
  if (!pretty) return `${site.home}/?${style.query}=${row['id']}`;
  if (style.style === 'tree') {
    const path = String(row['path'] ?? row['slug']);
    return `${site.home}/${path.slice(0, path.lastIndexOf('/') + 1)}${slug}/`;
  }
  if (style.style === 'attached') return `${parentLink(row) ?? `${site.home}/`}${slug}/`;
  return site.home + dated(site.settings.permalinkStructure, row, slug);
}

function dated(structure: string, row: Row, slug: string): string {
  const date = String(row['date'] ?? '');
  if (structure === '/%year%/%monthnum%/%day%/%postname%/') {
    return `/${date.slice(0, 4)}/${date.slice(5, 7)}/${date.slice(8, 10)}/${slug}/`;
  }
  const tokens: Record<string, string> = {
    year: date.slice(0, 4),
    monthnum: date.slice(5, 7),
    day: date.slice(8, 10),
    hour: date.slice(11, 13),
    minute: date.slice(14, 16),
    second: date.slice(17, 19),
    postname: slug,
    post_id: String(row['id']),
  };
  return structure.replace(/%([a-z_]+)%/g, (token, name: string) => tokens[name] ?? token);
}

/** Public address of a row loaded as related, through whatever resource it belongs to. */
export function addressOfRelated(
  row: Row,
  table: string,
  owner: ResourceModel,
  site: Site,
  related: Map<string, Map<number, Row>>,
): string | undefined {
  const model = modelOf(row, table, owner);
  const style = model && addressStyle(model);
  if (!style) return undefined;
  return addressOf(row, style, site, (child) => {
    const parent = related.get(table)?.get(child['parent']);
    return parent && PRETTY.has(parent['status']) ? addressOfRelated(parent, table, owner, site, new Map()) : undefined;
  });
}
