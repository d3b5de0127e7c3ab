// The content and the recordings of the reference, as they lie beside the repository. Read by the loader and the replay.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder with content.json and one .jsonl per group. */
export const REFERENCE = fileURLToPath(new URL('../../../shared/reference', import.meta.url));

/** Whether the recordings are there; they are no part of the repository. */
export const present = existsSync(join(REFERENCE, 'content.json'));

export interface ContentUser {
  id: number;
  login: string;
  role: string;
  first_name: string;
  last_name: string;
  name: string;
  nickname: string;
  slug: string;
  email: string;
  url: string;
  description: string;
  registered: string;
  locale: string;
  meta: Record<string, unknown>;
  password: string;
  app_password: string;
}

export interface ContentTerm {
  id: number;
  name: string;
  slug: string;
  parent?: number;
  description: string;
  meta: Record<string, unknown>;
}

export interface ContentMedia {
  id: number;
  title: string;
  slug: string;
  file: string;
  mime_type: string;
  width?: number;
  height?: number;
  author: number;
  date: string;
  alt_text: string;
  caption: string;
  description: string;
  post: number;
  meta: Record<string, unknown>;
}

export interface ContentItem {
  id: number;
  type: 'post' | 'page';
  title: string;
  slug: string;
  content: string;
  excerpt: string;
  status: string;
  author: number;
  date: string;
  modified: string;
  floating: boolean;
  password: string;
  comment_status: string;
  ping_status: string;
  featured_media: number;
  template: string;
  meta: Record<string, unknown>;
  sticky?: boolean;
  format?: string;
  categories?: number[];
  tags?: number[];
  parent?: number;
  menu_order?: number;
}

export interface ContentRevision {
  id: number;
  parent: number;
  author: number;
  title: string;
  content: string;
  excerpt: string;
  date: string;
  kind: 'revision' | 'autosave';
}

export interface ContentComment {
  id: number;
  post: number;
  parent: number;
  author: number;
  author_name: string;
  author_email: string;
  author_url: string;
  author_ip: string;
  author_user_agent: string;
  content: string;
  date: string;
  status: string;
  type: string;
  meta: Record<string, unknown>;
}

export interface Content {
  site: { title: string; description: string; default_category: number };
  users: ContentUser[];
  categories: ContentTerm[];
  tags: ContentTerm[];
  media: ContentMedia[];
  posts: ContentItem[];
  pages: ContentItem[];
  revisions: ContentRevision[];
  comments: ContentComment[];
  /** First ids of created items. */
  next_ids: { post: number; comment: number; user: number; term: number };
}

/** One recorded request and its response. */
export interface Recording {
  name: string;
  request: {
    method: string;
    url: string;
    as?: string;
    headers?: Record<string, string>;
    body?: unknown;
    raw?: { type: string; base64?: string; text?: string };
  };
  status: number;
  headers: Record<string, string>;
  body?: any;
}

export function readContent(): Content {
  return JSON.parse(readFileSync(join(REFERENCE, 'content.json'), 'utf8')) as Content;
}

/** The recordings of one group, in the order they were made. */
export function readRecordings(group: string): Recording[] {
  const lines = readFileSync(join(REFERENCE, `${group}.jsonl`), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recording);
}
