// Public URLs of dated content and of trees.
import type { Row } from '../../model/query.js';
import type { Site } from '../../model/site/site.js';
import type { ResourceModel } from '../../model/model.js';
import { READABLE, type RelatedModel } from '../../model/shown.js';
import type { OptionCheck } from '../../model/option-check.js';
import type { ComputedFunction } from '../../model/registry.js';

/** URL style of a resource; options of its `permalink` field. */
export interface PermalinkStyle {
  /** `dated`: the site's permalink structure; `tree`: the stored path; `attached`: below the parent item. */
  style: 'dated' | 'tree' | 'attached';
  /** Query parameter of the plain URL: `?p=12`. */
  query: string;
}

/** Rows loaded as related, by table and id. */
type Related = ReadonlyMap<string, ReadonlyMap<number, Row>>;

/** The ancestors of a row, as far as a URL needs them. */
interface Above {
  parentOf(row: Row): Row | undefined;
  linkOf(parent: Row): string | undefined;
}

const PRETTY = new Set(['publish', 'private', 'inherit']);
/** Maximum number of ancestors; deeper items have a plain URL. */
const LEVELS = 32;

/** Options of the functions that give a permalink. */
export const STYLE_OPTIONS: ComputedFunction['options'] = {
  style: {
    type: 'string',
    enum: ['dated', 'tree', 'attached'],
    description: 'How the URL is made (default dated).',
  },
  query: { type: 'string', description: 'Parameter of the plain URL (default p).' },
};

/** The style from options. */
export function styleOf(options: Record<string, unknown> = {}): PermalinkStyle {
  return { style: 'dated', query: 'p', ...options } as PermalinkStyle;
}

/** Columns that a URL of this style is built from. */
export function permalinkColumns(style: PermalinkStyle): string[] {
  const common = ['id', 'slug', 'status'];
  if (style.style === 'tree') return [...common, 'path', 'parent'];
  return style.style === 'attached' ? [...common, 'parent'] : [...common, 'date'];
}

/** Checks that the table has the columns that a URL of the style is built from. */
export function checkPermalink(check: OptionCheck, { style = 'dated' }: Record<string, unknown>): void {
  for (const column of permalinkColumns({ style, query: '' } as PermalinkStyle)) check.column([column], column);
  const nested = check.schema.traits?.['nested'];
  if (style === 'tree' && !nested?.['path'])
    check.fail(['style'], 'trees are made of the trait "nested" with "path": true');
}

/** The style of a resource, from its `permalink` field. */
function permalinkStyle(model: ResourceModel): PermalinkStyle | undefined {
  for (const field of model.fields.values()) {
    if (field.type === 'computed' && field.schema.function === 'permalink') {
      return styleOf(field.schema.options);
    }
  }
  return undefined;
}

/** All columns that resources of a table need for their URLs, and the ancestors of attached items. */
export function permalinkRelated(column: string, table: string, owner: ResourceModel): RelatedModel {
  const columns = new Set<string>(['id', ...discriminatorColumns(table, owner)]);
  let above = false;
  for (const model of owner.site.ofTable.get(table) ?? []) {
    const style = permalinkStyle(model);
    if (style) for (const name of permalinkColumns(style)) columns.add(name);
    if (style && style.style !== 'dated') above = true;
  }
  const level: RelatedModel = { column, table, columns: [...columns], judged: true };
  return above ? withParents(level, LEVELS) : level;
}

/** Adds the ancestors of related rows, up to a number of levels. */
function withParents(related: RelatedModel, levels: number): RelatedModel {
  const above = { ...related, column: 'parent' };
  // oxlint-disable-next-line unicorn/no-thenable -- the rows that are loaded next
  return levels === 0 ? related : { ...related, onward: [withParents(above, levels - 1)] };
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

/**
 * Public URL of a row. Slugs of hidden items appear in no URL: below a hidden page the URL is plain, below a hidden
 * item it is that of an unattached item.
 */
export function permalinkOf(
  row: Row,
  style: PermalinkStyle,
  site: Site,
  above: Above,
  slug: string = row['slug'],
  pretty: boolean = isPretty(row, style, above),
): string {
  if (!pretty) return `${site.home}/?${style.query}=${row['id']}`;
  if (style.style === 'tree') {
    const path = String(row['path'] ?? row['slug']);
    return `${site.home}/${path.slice(0, path.lastIndexOf('/') + 1)}${slug}/`;
  }
  if (style.style === 'attached') {
    const parent = above.parentOf(row);
    return `${(parent && above.linkOf(parent)) ?? `${site.home}/`}${slug}/`;
  }
  return site.home + datedPath(site.settings.permalinkStructure, row, slug);
}

function isPretty(row: Row, { style }: PermalinkStyle, above: Above): boolean {
  return PRETTY.has(row['status']) && row['slug'] !== '' && (style !== 'tree' || isPublicAbove(row, above));
}

function isPublicAbove(row: Row, { parentOf }: Above): boolean {
  let parent = parentOf(row);
  for (let level = 0; parent; level += 1, parent = parentOf(parent)) {
    if (parent['status'] !== 'publish' || !parent[READABLE] || level === LEVELS) return false;
  }
  return true;
}

function datedPath(structure: string, row: Row, slug: string): string {
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

/** Public URL of a row loaded as related, whichever resource it belongs to; plain for callers who may not read it. */
export function permalinkOfRelated(
  row: Row,
  table: string,
  owner: ResourceModel,
  site: Site,
  related: Related,
): string | undefined {
  const model = modelOf(row, table, owner);
  const style = model && permalinkStyle(model);
  if (!style) return undefined;
  const above = aboveIn(related, table, owner, site, style);
  const pretty = Boolean(row[READABLE]) && isPretty(row, style, above);
  return permalinkOf(row, style, site, above, row['slug'], pretty);
}

/** The ancestors of a table's rows, as far as they were loaded. */
export function aboveIn(
  related: Related,
  table: string,
  owner: ResourceModel,
  site: Site,
  style: PermalinkStyle,
): Above {
  return {
    parentOf: (row) => related.get(table)?.get(row['parent']),
    linkOf(parent) {
      if (parent['status'] !== 'publish' || !parent[READABLE]) return undefined;
      // Only one level of attachment is followed.
      const model = modelOf(parent, table, owner);
      const ends = style.style === 'attached' && model && permalinkStyle(model)?.style === 'attached';
      return permalinkOfRelated(parent, table, owner, site, ends ? new Map() : related);
    },
  };
}
