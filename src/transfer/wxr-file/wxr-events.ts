// Events of the WXR reader: one object per part of an export, with unparsed texts.

/** The exported site. */
export interface WxrSite {
  type: 'site';
  line: number;
  title: string;
  link: string;
  description: string;
  language: string;
  version: string;
  baseSiteUrl: string;
  baseBlogUrl: string;
}

/** An account. Exports before version 1.1 have none. */
export interface WxrAuthor {
  type: 'author';
  line: number;
  id: string;
  login: string;
  email: string;
  displayName: string;
  firstName: string;
  lastName: string;
}

/** A category, tag or term of another taxonomy; `parent` is a slug. */
export interface WxrTerm {
  type: 'category' | 'tag' | 'term';
  line: number;
  id: string;
  taxonomy: string;
  slug: string;
  parent: string;
  name: string;
  description: string;
  meta: WxrMeta[];
}

/** One entry of post, comment or term meta. */
export interface WxrMeta {
  line: number;
  key: string;
  value: string;
}

/** A term of an item. */
export interface WxrAssignment {
  line: number;
  domain: string;
  slug: string;
  name: string;
}

/** A comment, pingback or trackback. */
export interface WxrComment {
  line: number;
  id: string;
  author: string;
  authorEmail: string;
  authorUrl: string;
  authorIp: string;
  agent: string;
  date: string;
  dateGmt: string;
  content: string;
  approved: string;
  kind: string;
  parent: string;
  userId: string;
  meta: WxrMeta[];
}

/** A post, page, attachment or item of another type, with its meta, terms and comments. */
export interface WxrItem {
  type: 'item';
  line: number;
  id: string;
  postType: string;
  title: string;
  link: string;
  published: string;
  creator: string;
  guid: string;
  content: string;
  excerpt: string;
  date: string;
  dateGmt: string;
  modified: string;
  modifiedGmt: string;
  slug: string;
  status: string;
  parent: string;
  menuOrder: string;
  password: string;
  sticky: string;
  commentStatus: string;
  pingStatus: string;
  attachmentUrl: string;
  terms: WxrAssignment[];
  meta: WxrMeta[];
  comments: WxrComment[];
}

/** An event of the reader. */
export type WxrEvent = WxrSite | WxrAuthor | WxrTerm | WxrItem;

/** Value of the last meta entry of a key. */
export function metaOf({ meta }: { meta: readonly WxrMeta[] }, key: string): string | undefined {
  return meta.findLast((entry) => entry.key === key)?.value;
}
