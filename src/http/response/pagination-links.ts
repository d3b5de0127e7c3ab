// The `Link` header of a list: the same request with another page number.
import { limits } from '../limits.js';
import type { Parameters } from '../request/parse-query.js';

/** Position in a list. */
export interface PageState {
  page: number;
  totalPages: number;
}

/**
 * Links to the previous and next page; undefined when there are none, or when they exceed what clients accept in a
 * header.
 */
export function pageLinks(url: string, query: Parameters, { page, totalPages }: PageState): string | undefined {
  const links: string[] = [];
  if (page > 1 && totalPages > 0) links.push(link(url, query, Math.min(page - 1, totalPages), 'prev'));
  if (page < totalPages) links.push(link(url, query, page + 1, 'next'));
  const text = links.join(', ');
  return text === '' || text.length > limits.linkBytes ? undefined : text;
}

/** The link to the page of a cursor, which replaces `page` and `offset`. */
export function cursorLink(url: string, query: Parameters, cursor: string): string | undefined {
  const { page: _page, offset: _offset, ...rest } = query;
  const text = `<${url}?${queryString({ ...rest, cursor })}>; rel="next"`;
  return text.length > limits.linkBytes ? undefined : text;
}

function link(url: string, query: Parameters, page: number, rel: string): string {
  return `<${url}?${queryString({ ...query, page: String(page) })}>; rel="${rel}"`;
}

/** A query without some members of its parameters, and without those of which nothing remains. */
export function withoutMembers(query: Parameters, members?: ReadonlyMap<string, readonly string[]>): Parameters {
  if (!members || ![...members.keys()].some((name) => name in query)) return query;
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const dropped = members.get(name);
      if (!dropped || typeof value !== 'object' || value === null) return [[name, value]];
      const remaining = Object.entries(value).filter(([member]) => !dropped.includes(member));
      return remaining.length > 0 ? [[name, Object.fromEntries(remaining)]] : [];
    }),
  );
}

/** Serializes a query, nested parameters in brackets. */
function queryString(query: Record<string, unknown>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) append(parts, encode(name), value);
  return parts.join('&');
}

function append(parts: string[], name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    parts.push(value === '' ? name : `${name}=${encode(String(value))}`);
    return;
  }
  for (const [key, member] of Object.entries(value)) append(parts, `${name}%5B${encode(key)}%5D`, member);
}

const PLAIN = /^[\w.~-]*$/;

// Form encoding (spaces as plus signs), with the characters escaped that end a link target.
function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
