// Pass 1: reads the whole export and records what it contains, so that a broken file is rejected before anything is
// written.
import type { WxrAuthor, WxrComment, WxrEvent, WxrItem, WxrSite, WxrTerm } from './wxr-events.js';
import { addTo, cleanUsername, MAX_ID, ownText, wholeNumber } from './wxr-text.js';

/** Contents of a file, known before the first write. */
export interface WxrInventory {
  /** URL of the exported site: identifies the source in the import table. */
  source: string;
  /** Accounts by sanitized username, including creators of items without an account entry. */
  authors: Map<string, WxrAuthor>;
  /** Usernames of creators without an account entry. */
  unlistedAuthors: Set<string>;
  /** Terms by taxonomy and slug, as listed in the file. */
  terms: Map<string, Map<string, WxrTerm>>;
  /** Terms of items, by taxonomy and slug. */
  used: Map<string, Map<string, WxrTerm>>;
  /** Ids of the items of each post type. */
  ids: Map<string, Set<number>>;
  items: number;
  comments: number;
  /** Highest ids, above which new ids are assigned. */
  highest: { author: number; term: number; item: number; comment: number };
}

/** The taxonomy of a term; WXR 1.0 wrote `tag`. */
export function taxonomyOf(domain: string): string {
  return domain === 'tag' ? 'post_tag' : domain;
}

/** Reads all events of a file. Throws the reader's ImportProblem. */
export async function takeInventory(events: AsyncIterable<WxrEvent>): Promise<WxrInventory> {
  const found: WxrInventory = {
    source: '',
    authors: new Map(),
    unlistedAuthors: new Set(),
    terms: new Map(),
    used: new Map(),
    ids: new Map(),
    items: 0,
    comments: 0,
    highest: { author: 0, term: 0, item: 0, comment: 0 },
  };
  const creators = new Map<string, number>();
  for await (const event of events) {
    if (event.type === 'site') found.source = sourceOf(event);
    else if (event.type === 'author') noteAuthor(found, event);
    else if (event.type === 'item') noteItem(found, creators, event);
    else noteTerm(found, event);
  }
  for (const [username, line] of creators)
    if (!found.authors.has(username)) {
      found.authors.set(username, bareAuthor(username, line));
      found.unlistedAuthors.add(username);
    }
  return found;
}

function sourceOf({ baseBlogUrl, link }: WxrSite): string {
  return ownText((baseBlogUrl.trim() || link.trim()).replace(/\/+$/, '')) || 'unknown';
}

function noteAuthor(found: WxrInventory, author: WxrAuthor): void {
  const username = cleanUsername(author.login);
  raise(found, 'author', author.id);
  if (username && !found.authors.has(username)) found.authors.set(username, copied(author));
}

function noteTerm(found: WxrInventory, term: WxrTerm): void {
  raise(found, 'term', term.id);
  const taxonomy = taxonomyOf(term.taxonomy.trim());
  const slug = term.slug || term.name;
  const terms = mapOf(found.terms, taxonomy);
  if (slug && !terms.has(slug)) terms.set(ownText(slug), { ...copied(term), taxonomy, slug: ownText(slug) });
}

function noteItem(found: WxrInventory, creators: Map<string, number>, item: WxrItem): void {
  const type = item.postType.trim();
  found.items += 1;
  found.comments += item.comments.length;
  raise(found, 'item', item.id);
  let ids = found.ids.get(type);
  if (!ids) found.ids.set(ownText(type), (ids = new Set()));
  ids.add(wholeNumber(item.id));
  const creator = cleanUsername(item.creator);
  if (creator && !creators.has(creator)) creators.set(creator, item.line);
  for (const { domain, slug, name, line } of item.terms) {
    const used = mapOf(found.used, taxonomyOf(domain));
    if (domain && slug && !used.has(slug))
      used.set(ownText(slug), bareTerm(taxonomyOf(domain), ownText(slug), ownText(name), line));
  }
  for (const comment of item.comments) raise(found, 'comment', comment.id);
}

function raise(found: WxrInventory, group: keyof WxrInventory['highest'], text: string): void {
  const id = wholeNumber(text);
  if (id <= MAX_ID) found.highest[group] = Math.max(found.highest[group], id);
}

function mapOf<T>(maps: Map<string, Map<string, T>>, key: string): Map<string, T> {
  let map = maps.get(key);
  if (!map) maps.set(ownText(key), (map = new Map()));
  return map;
}

/** Copies the strings, because substrings would keep chunks of the file in memory. */
function copied<T extends WxrAuthor | WxrTerm>(event: T): T {
  return JSON.parse(JSON.stringify(event)) as T;
}

function bareAuthor(username: string, line: number): WxrAuthor {
  return { type: 'author', line, id: '', login: username, email: '', displayName: '', firstName: '', lastName: '' };
}

function bareTerm(taxonomy: string, slug: string, name: string, line: number): WxrTerm {
  return { type: 'term', line, id: '', taxonomy, slug, parent: '', name: name || slug, description: '', meta: [] };
}

/** Terms with every parent before its children; those with cyclic parents come last, without parents. */
export function parentsFirst(terms: Iterable<WxrTerm>): WxrTerm[] {
  const bySlug = new Map([...terms].map((term) => [term.slug, term]));
  const children = new Map<string, WxrTerm[]>();
  const ordered: WxrTerm[] = [];
  for (const term of bySlug.values()) {
    if (!term.parent || !bySlug.has(term.parent)) ordered.push(term);
    else addTo(children, term.parent, term);
  }
  for (let at = 0; at < ordered.length; at += 1) {
    for (const child of children.get(ordered[at]!.slug) ?? []) ordered.push(child);
  }
  const placed = new Set(ordered);
  return [
    ...ordered,
    ...[...bySlug.values()].filter((term) => !placed.has(term)).map((term) => ({ ...term, parent: '' })),
  ];
}

/** Comments with every parent before its replies; replies to missing or cyclic parents come last. */
export function repliesLast(comments: readonly WxrComment[]): WxrComment[] {
  const ids = new Set(comments.map(({ id }) => wholeNumber(id)));
  const replies = new Map<number, WxrComment[]>();
  const ordered: WxrComment[] = [];
  for (const comment of comments) {
    const parent = wholeNumber(comment.parent);
    if (parent === 0 || !ids.has(parent)) ordered.push(comment);
    else addTo(replies, parent, comment);
  }
  const placed = new Set<WxrComment>(ordered);
  for (let at = 0; at < ordered.length; at += 1) {
    const id = wholeNumber(ordered[at]!.id);
    for (const reply of replies.get(id) ?? []) {
      if (placed.has(reply)) continue;
      placed.add(reply);
      ordered.push(reply);
    }
    replies.delete(id);
  }
  return [
    ...ordered,
    ...comments.filter((comment) => !placed.has(comment)).map((comment) => ({ ...comment, parent: '' })),
  ];
}
