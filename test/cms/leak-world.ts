// A site in which everything hidden carries a word that occurs nowhere else, made over HTTP. `secrets` knows who may see each word.
import { administrator, basic, makeActor, type Headers } from '../support/actors.js';
import type { TestSite } from '../support/start-test-site.js';
import {
  VisibilityModel,
  type Caller,
  type CommentStatus,
  type Content,
  type Kind,
  type Status,
} from './visibility-model.js';
import { query, type HttpResponse, type Method } from '../support/send.js';
import type { WireClient } from './wire-client.js';

/** Somebody who sends requests. */
export interface Visitor extends Caller {
  headers: Headers;
}

/** What a request was about, as far as it changes what may be seen. */
export interface Circumstances {
  /** Raw texts are shown. */
  edit: boolean;
  /** Writers are listed who have published nothing. */
  authors: boolean;
  password: string | undefined;
}

type Sees = (caller: Caller, circumstances: Circumstances) => boolean;

export const CALLERS = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
export type CallerName = (typeof CALLERS)[number];

/** An item of the world, with what the model knows of it. */
export interface Planted extends Content {
  path: string;
  title: string;
  slug: string;
  text: string;
  tag: number;
  meta: number[];
  protectedMeta: number | undefined;
  revisions: number[];
}

export interface PlantedComment {
  id: number;
  post: number;
  status: CommentStatus;
  word: string;
  email: string;
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const STATES: Status[] = ['draft', 'pending', 'private', 'future', 'trash'];
const TOKENS = /zq[a-z]+qz|203\.0\.113\.\d+/g;

export class LeakWorld {
  readonly model = new VisibilityModel();
  readonly secrets = new Map<string, Sees>();
  readonly visitors = {} as Record<CallerName, Visitor>;
  readonly planted: Planted[] = [];
  readonly media: Planted[] = [];
  readonly comments: PlantedComment[] = [];
  /** Users other than the callers, by what is special about them. */
  readonly users: Record<string, { id: number; username: string; email: string; slug: string; word: string }> = {};
  category = 0;
  private words = 0;
  private lastIp = 0;

  private constructor(
    readonly site: TestSite,
    readonly client: WireClient,
  ) {}

  static async make(site: TestSite, client: WireClient): Promise<LeakWorld> {
    const world = new LeakWorld(site, client);
    await world.makeVisitors();
    await world.makeUsers();
    world.category = (await world.asAdmin('POST', '/categories', { name: 'Shared' })).body.id;
    await world.makeContents();
    return world;
  }

  /** A word that only callers may see for whom `sees` returns true. */
  word(kind: string, sees: Sees): string {
    let letters = '';
    for (let rest = ++this.words; rest > 0; rest = Math.floor(rest / 26))
      letters += String.fromCharCode(97 + (rest % 26));
    const word = `zq${kind}${letters}qz`;
    this.secrets.set(word, sees);
    return word;
  }

  /** Secret words in a response that this caller may not see and did not send. */
  leaked(response: HttpResponse, caller: Caller, request: string, password?: string): string[] {
    const sent = new Set(decoded(request).match(TOKENS) ?? []);
    const shown = `${response.text}\n${JSON.stringify(response.headers)}`.match(TOKENS) ?? [];
    const circumstances = {
      edit: /context=edit|\/revisions/.test(request),
      authors: request.includes('who=authors') && this.model.can(caller, 'edit_posts'),
      password,
    };
    return [...new Set(shown)].filter((word) => !sent.has(word) && !this.secrets.get(word)?.(caller, circumstances));
  }

  get(visitor: Visitor, path: string, headers: Headers = {}): Promise<HttpResponse> {
    return this.client.send('GET', path, { as: visitor.headers, headers });
  }

  asAdmin(method: Method, path: string, body: unknown = {}): Promise<HttpResponse> {
    return this.as(this.visitors.administrator, method, path, body);
  }

  as(visitor: Visitor, method: Method, path: string, body: unknown = {}): Promise<HttpResponse> {
    return this.client.send(method, path, { as: visitor.headers, body });
  }

  private async must(method: Method, path: string, body: unknown = {}): Promise<any> {
    const response = await this.asAdmin(method, path, body);
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  }

  private async makeVisitors(): Promise<void> {
    const admin = administrator(this.site);
    this.visitors.anonymous = { id: 0, role: 'anonymous', headers: {} };
    this.visitors.administrator = { id: admin.id, role: 'administrator', headers: admin.headers };
    for (const role of ['subscriber', 'contributor', 'author', 'editor'] as const) {
      const { id, headers } = await makeActor(this.site, role);
      this.visitors[role] = { id, role, headers };
    }
  }

  private async makeUsers(): Promise<void> {
    for (const [name, role] of [
      ['ghost', 'author'],
      ['recluse', 'author'],
      ['lurker', 'subscriber'],
    ] as const) {
      let id = -1;
      const listed: Sees = (caller, { authors }) =>
        this.model.mayReadUser(caller, id) || (authors && role === 'author');
      const kept: Sees = (caller, { edit }) => edit && (this.model.can(caller, 'list_users') || caller.id === id);
      const [word, username, mail, first] = [
        this.word(`${name}name`, listed),
        this.word(`${name}username`, kept),
        this.word(`${name}mail`, kept),
        this.word(`${name}first`, kept),
      ];
      const slug = this.word(`${name}slug`, listed);
      const email = `${mail}@leak.test`;
      const values = { username, email, password: 'long enough for it', roles: [role], name: word, slug };
      const extra = { first_name: first, nickname: first, url: `http://${this.word(`${name}url`, listed)}.test/` };
      const user = await this.must('POST', '/users', { ...values, ...extra });
      id = user.id;
      this.users[name] = { id, username, email, slug, word };
    }
  }

  private async makeContents(): Promise<void> {
    const { author, contributor, editor } = this.visitors;
    const owners = [author.id, contributor.id, editor.id, this.users['ghost']!.id];
    for (const owner of owners) {
      for (const status of STATES) await this.plant('post', owner, status, owner === editor.id || owner === author.id);
    }
    await this.plant('post', this.users['recluse']!.id, 'private', false);
    await this.plant('post', editor.id, 'publish', true, { locked: true });
    await this.plant('post', author.id, 'publish', true, { locked: true });
    await this.plant('post', editor.id, 'publish', true);
    await this.plant('post', author.id, 'publish', true);
    for (const status of STATES) await this.plant('page', editor.id, status, true);
    await this.plant('page', contributor.id, 'draft', false);
    await this.plant('page', editor.id, 'publish', true, { locked: true });
    const above = await this.plant('page', editor.id, 'publish', true);
    const hidden = this.planted.find((item) => item.kind === 'page' && item.status === 'draft')!;
    await this.plant('page', editor.id, 'publish', false, { parent: hidden.id });
    await this.plant('page', editor.id, 'draft', false, { parent: above.id });
    await this.upload(0, 'inherit', editor.id);
    await this.upload(0, 'private', editor.id);
    await this.upload(0, 'private', author.id);
    await this.upload(0, 'draft', editor.id);
    const below = ['draft', 'private'].map((status) => this.planted.find((item) => item.status === status)!);
    for (const { id } of below) await this.upload(id, 'publish', author.id);
  }

  /** Makes an item with all that may hang on it, first in the open, and then hides it. */
  private async plant(
    kind: 'post' | 'page',
    owner: number,
    status: Status,
    rich: boolean,
    { locked = false, parent = 0 } = {},
  ): Promise<Planted> {
    const path = `/${kind}s`;
    const item = { id: 0, kind: kind as Kind, author: owner, status, parent, password: '' } as Planted;
    const shown: Sees = (caller) => this.model.mayRead(caller, item);
    const opened: Sees = (caller, { edit, password: given }) =>
      this.model.mayRead(caller, item) &&
      (password === '' || (edit && this.model.mayEdit(caller, item)) || given === password);
    const edits: Sees = (caller) => this.model.mayEdit(caller, item);
    const name = `${status}${kind}`;
    if (locked) item.password = this.word('password', (caller, { edit }) => edit && this.model.mayEdit(caller, item));
    const { password } = item;
    item.title = this.word(`${name}title`, shown);
    item.slug = this.word(`${name}slug`, shown);
    item.text = this.word(`${name}text`, opened);
    const excerpt = this.word(`${name}excerpt`, opened);
    const tag = kind === 'post' ? (await this.must('POST', '/tags', { name: `Tag ${this.words}` })).id : 0;
    const terms = kind === 'post' ? { tags: [tag], categories: [this.category] } : { parent };
    const old = this.word(`${name}old`, edits);
    const created = await this.must('POST', path, {
      title: rich ? old : item.title,
      content: rich ? old : `Before ${item.text} after`,
      excerpt,
      slug: item.slug,
      author: owner,
      status: 'publish',
      comment_status: 'open',
      ...terms,
    });
    Object.assign(item, { id: created.id, path: `${path}/${created.id}`, tag, meta: [], revisions: [] });
    this.model.contents.set(item.id, item);
    this.planted.push(item);
    if (rich) await this.enrich(item, old);
    if (locked) await this.must('POST', item.path, { password });
    else if (status === 'trash') {
      item.was = 'publish';
      await this.must('DELETE', item.path);
    } else if (status === 'future') await this.must('POST', item.path, { status, date: '2099-01-01T00:00:00' });
    else if (status !== 'publish') await this.must('POST', item.path, { status });
    return item;
  }

  private async enrich(item: Planted, old: string): Promise<void> {
    const edits: Sees = (caller) => this.model.mayEdit(caller, item);
    await this.must('POST', item.path, { content: `${old} between` });
    await this.must('POST', item.path, { title: item.title, content: `Before ${item.text} after` });
    for (const status of ['approved', 'hold', 'spam', 'trash'] as const) await this.comment(item, status);
    await this.upload(item.id, 'inherit', item.author);
    const revisions = await this.get(this.visitors.administrator, `${item.path}/revisions`);
    item.revisions = revisions.body.map(({ id }: { id: number }) => id);
    if (item.kind !== 'post') return;
    const entry = { key: this.word('metakey', edits), value: this.word('metavalue', edits) };
    item.meta.push((await this.must('POST', `${item.path}/meta`, entry)).id);
    const hidden = {
      owner_id: item.id,
      key: `_${this.word('hiddenkey', () => false)}`,
      value: this.word('hiddenvalue', () => false),
    };
    await this.site.site.writer.batch(async ({ tx }) => {
      item.protectedMeta = await tx.insert('contents_meta', { ...hidden, structured: 0 });
    });
  }

  private async comment(item: Content, status: CommentStatus): Promise<void> {
    const comment = { id: 0, post: item.id, author: 0, status, parent: 0 };
    const gone = item.status === 'trash';
    const shown: Sees = (caller, { password }) =>
      (gone ? this.model.can(caller, 'moderate_comments') : this.model.mayReadComment(caller, comment)) ||
      (status === 'approved' && item.password !== '' && password === item.password && this.model.mayRead(caller, item));
    const moderates: Sees = (caller, { edit }) => edit && this.model.can(caller, 'moderate_comments');
    const word = this.word(`${status}comment`, shown);
    const email = `${this.word('guestmail', moderates)}@leak.test`;
    const ip = `203.0.113.${++this.lastIp}`;
    this.secrets.set(ip, moderates);
    const created = await this.must('POST', '/comments', {
      post: item.id,
      content: `Said ${word} here`,
      author_name: this.word('guest', shown),
      author_url: `http://${this.word('guesturl', shown)}.test/`,
      author_email: email,
      author_ip: ip,
      author_user_agent: this.word('agent', moderates),
      status,
    });
    comment.id = created.id;
    this.model.comments.set(created.id, comment);
    this.comments.push({ id: created.id, post: item.id, status, word, email });
  }

  private async upload(post: number, status: Status, owner: number): Promise<void> {
    const item = { id: 0, kind: 'attachment', author: owner, status, parent: post, password: '' } as Planted;
    const shown: Sees = (caller) => this.model.mayRead(caller, item);
    item.title = this.word('mediatitle', shown);
    item.slug = this.word('mediaslug', shown);
    item.text = this.word('mediacaption', shown);
    const fields = {
      title: item.title,
      slug: item.slug,
      caption: item.text,
      description: this.word('mediadescription', shown),
      alt_text: this.word('mediaalt', shown),
      author: owner,
      ...(post ? { post } : {}),
      ...(status === 'inherit' ? {} : { status }),
    };
    const response = await this.client.send('POST', `/media${query(fields)}`, {
      headers: {
        ...this.visitors.administrator.headers,
        'Content-Type': 'image/png',
        'Content-Disposition': `attachment; filename="${this.word('file', shown)}.png"`,
      },
      body: PIXEL,
    });
    if (response.status !== 201) throw new Error(`upload: ${response.status} ${response.text}`);
    Object.assign(item, { id: response.body.id, path: `/media/${response.body.id}` });
    this.model.contents.set(item.id, item);
    this.media.push(item);
  }
}

/** Signs in as a user made over HTTP. */
export function visitorOf(id: number, username: string, role: Caller['role']): Visitor {
  return { id, role, headers: basic(username, 'long enough for it') };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
