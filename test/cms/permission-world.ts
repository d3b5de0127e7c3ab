// The world of the permission matrix: six callers and the items they request, created over HTTP by the administrator
// when first needed.
import { administrator, basic, makeActor, type Headers } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import type { HttpResponse, Method } from '../support/send.js';

/** A administrator, E editor, U author, C contributor, S subscriber, - anonymous. */
export type Letter = 'A' | 'E' | 'U' | 'C' | 'S' | '-';

export const CALLERS: Record<Letter, string> = {
  A: 'administrator',
  E: 'editor',
  U: 'author',
  C: 'contributor',
  S: 'subscriber',
  '-': 'anonymous',
};

/** One request. */
export interface RequestSpec {
  method: Method;
  path: string;
  body?: object | string;
  headers?: Headers;
  /** Ids by name, for outcomes that list what is shown. */
  items?: Record<string, number>;
}

interface Person {
  id: number;
  headers: Headers;
}

interface CreatedItem {
  id: number;
  /** Where the item is read, and its body when it was created. */
  path?: string;
  body?: Record<string, unknown>;
}

/** Status of a post, page or media item; the trashed ones by what they were before. */
export type Status = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash' | 'trashed draft';

export const OPEN: Status[] = ['draft', 'pending', 'private', 'trashed draft'];
export const PUBLISHED: Status[] = ['publish', 'future', 'trash'];
export const HIDDEN: Status[] = ['future', 'draft', 'pending', 'private', 'trash', 'trashed draft'];

/** Password of protected items. */
export const PASSWORD = 'open sesame';

const PAST = '2020-02-02T02:02:02';

export class World {
  readonly #created = new Map<string, CreatedItem>();
  #used = new Set<string>();
  #count = 0;

  private constructor(
    readonly site: TestSite,
    readonly people: Record<Letter, Person>,
    /** Owner of others' items: an author. */
    readonly peer: Person,
  ) {}

  static async open(): Promise<World> {
    const site = await startTestSite('schemas');
    const admin = administrator(site);
    const people: Partial<Record<Letter, Person>> = { '-': { id: 0, headers: {} } };
    const actors = { A: admin } as Record<string, { id: number; username: string; headers: Headers }>;
    for (const letter of ['E', 'U', 'C', 'S'] as const) actors[letter] = await makeActor(site, CALLERS[letter]);
    actors['peer'] = await makeActor(site, 'author', 'peer');
    // Application passwords cost no slow hash.
    for (const [letter, { id, username }] of Object.entries(actors)) {
      const created = await site.send('POST', `/users/${id}/application-passwords`, {
        as: admin.headers,
        body: { name: 'matrix' },
      });
      if (created.status !== 201) throw new Error(`No application password: ${created.status} ${created.text}`);
      people[letter as Letter] = { id, headers: basic(username, created.body.password) };
    }
    const { peer, ...six } = people as Record<Letter | 'peer', Person>;
    return new World(site, six, peer);
  }

  close(): Promise<void> {
    return this.site.close();
  }

  /** A text that no other item has. */
  text(): string {
    return `Text number ${++this.#count}`;
  }

  send(letter: Letter, { method, path, body, headers = {} }: RequestSpec): Promise<HttpResponse> {
    return this.site.send(method, path, { as: this.people[letter].headers, headers, body });
  }

  /** As the administrator; throws unless it succeeds. */
  async must(request: RequestSpec): Promise<HttpResponse> {
    const response = await this.send('A', request);
    if (response.status >= 300)
      throw new Error(`${request.method} ${request.path}: ${response.status} ${response.text}`);
    return response;
  }

  /** Starts a cell: what it uses is recreated afterwards if it succeeds in writing. */
  begin(): void {
    this.#used = new Set();
  }

  /** The cell has changed what it used. */
  spend(): void {
    for (const key of this.#used) this.#created.delete(key);
  }

  /** Everything made and never written to successfully, as it was made. */
  unspent(): CreatedItem[] {
    return [...this.#created.values()].filter(({ body }) => body);
  }

  async #reuse(key: unknown[], make: () => Promise<CreatedItem>): Promise<number> {
    const name = JSON.stringify(key);
    const made = this.#created.get(name) ?? (await make());
    this.#created.set(name, made);
    this.#used.add(name);
    return made.id;
  }

  /** A post or page. `tag` distinguishes several of one kind. */
  async item(kind: 'posts' | 'pages', owner: number, status: Status, extra: object = {}, tag = ''): Promise<number> {
    return this.#reuse([kind, owner, status, extra, tag], async () => {
      const { stored, date, trash } = storing(status);
      const body = { title: this.text(), content: this.text(), author: owner, status: stored, ...date, ...extra };
      const created = await this.must({ method: 'POST', path: `/${kind}`, body });
      const { id } = created.body;
      const last = trash ? await this.must({ method: 'DELETE', path: `/${kind}/${id}` }) : created;
      return { id, path: `/${kind}/${id}`, body: last.body };
    });
  }

  /** A text file; without a status it inherits. */
  async media(owner: number, extra: { status?: Status; post?: number } = {}, tag = ''): Promise<number> {
    return this.#reuse(['media', owner, extra, tag], async () => {
      const made = await this.must(
        upload({ author: owner, title: this.text(), ...(extra.post ? { post: extra.post } : {}) }),
      );
      const { id } = made.body;
      let last = made;
      const { stored, date, trash } = storing(extra.status ?? 'publish');
      if (extra.status && extra.status !== 'trash')
        last = await this.must({ method: 'POST', path: `/media/${id}`, body: { status: stored, ...date } });
      if (trash) last = await this.must({ method: 'DELETE', path: `/media/${id}` });
      return { id, path: `/media/${id}`, body: last.body };
    });
  }

  /** A comment on a published post of `postOwner`, which then gets `postStatus` and `postExtra`. */
  async comment(
    owner: number,
    status: 'approved' | 'hold' | 'spam' | 'trash',
    on: { of: number; status?: Status; extra?: object },
    tag = '',
  ): Promise<number> {
    return this.#reuse(['comment', owner, status, on, tag], async () => {
      const post = await this.must({
        method: 'POST',
        path: '/posts',
        body: { title: this.text(), content: this.text(), author: on.of, status: 'publish', comment_status: 'open' },
      });
      const body = { post: post.body.id, author: owner, status, content: this.text(), date: PAST };
      const created = await this.must({ method: 'POST', path: '/comments', body });
      const path = `/posts/${post.body.id}`;
      if (on.status || on.extra) {
        const { stored, date, trash } = storing(on.status ?? 'publish');
        await this.must({ method: 'POST', path, body: { status: stored, ...date, ...on.extra } });
        if (trash) await this.must({ method: 'DELETE', path });
      }
      const { id } = created.body;
      if (on.status === 'trash') return { id };
      const now = await this.must({ method: 'GET', path: `/comments/${id}?context=edit` });
      return { id, path: `/comments/${id}`, body: now.body };
    });
  }

  /** A subscriber, with an item of that kind and status if requested. */
  async user(publishes?: 'post' | 'page' | 'private post' | 'draft', tag = ''): Promise<number> {
    return this.#reuse(['user', publishes, tag], async () => {
      const username = `user${++this.#count}`;
      const body = { username, email: `${username}@example.org`, password: 'a password of its own' };
      const created = await this.must({ method: 'POST', path: '/users', body });
      const { id } = created.body;
      const status = publishes === 'draft' ? 'draft' : publishes === 'private post' ? 'private' : 'publish';
      const path = publishes === 'page' ? '/pages' : '/posts';
      if (publishes) await this.must({ method: 'POST', path, body: { title: username, status, author: id } });
      return { id, path: `/users/${id}`, body: created.body };
    });
  }

  async term(kind: 'tags' | 'categories'): Promise<number> {
    return this.#reuse([kind], async () => {
      const created = await this.must({ method: 'POST', path: `/${kind}`, body: { name: this.text() } });
      return { id: created.body.id, path: `/${kind}/${created.body.id}`, body: created.body };
    });
  }

  async meta(post: number): Promise<number> {
    return this.#reuse(['meta', post], async () => {
      const path = `/posts/${post}/meta`;
      const created = await this.must({ method: 'POST', path, body: { key: 'colour', value: this.text() } });
      return { id: created.body.id, path: `${path}/${created.body.id}`, body: created.body };
    });
  }

  /** A revision of a post or page; its parent must be of its own, since it is changed. */
  async revision(kind: 'posts' | 'pages', parent: number): Promise<number> {
    return this.#reuse(['revision', kind, parent], async () => {
      await this.must({ method: 'POST', path: `/${kind}/${parent}`, body: { content: this.text() } });
      const list = await this.must({ method: 'GET', path: `/${kind}/${parent}/revisions` });
      const now = await this.must({ method: 'GET', path: `/${kind}/${parent}?context=edit` });
      for (const made of this.#created.values()) if (made.path === `/${kind}/${parent}`) made.body = now.body;
      return { id: list.body[0].id };
    });
  }
}

function storing(status: Status) {
  const trash = status === 'trash' || status === 'trashed draft';
  const stored = status === 'trash' ? 'publish' : status === 'trashed draft' ? 'draft' : status;
  return { stored, trash, date: status === 'future' ? { date: '2099-01-01T00:00:00' } : {} };
}

/** The request that uploads a small text. */
export function upload(query: Record<string, string | number> = {}): RequestSpec {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="note.txt"' };
  return { method: 'POST', path: `/media?${search}`, headers, body: 'A small text.' };
}
