// A small public scene, changes that a stranger must not notice, and the responses a stranger gets. Used by the leak suite.
import { administrator, makeActor, type Headers } from '../support/actors.js';
import type { TestSite } from '../support/start-test-site.js';
import { query, type HttpResponse, type Method } from '../support/send.js';
import type { WireClient } from './wire-client.js';

type Change = [name: string, make: () => Promise<unknown>];

export class Scene {
  private readonly posts: number[] = [];
  private readonly drafts: number[] = [];
  private readonly held: number[] = [];
  private page = 0;
  private comment = 0;
  private locked = 0;
  private tag = 0;
  private category = 0;
  private author = 0;
  private serial = 0;
  private admin: Headers = {};
  private subscriber: Headers = {};

  private constructor(
    private readonly site: TestSite,
    private readonly client: WireClient,
  ) {}

  static async make(site: TestSite, client: WireClient): Promise<Scene> {
    const scene = new Scene(site, client);
    await scene.set();
    return scene;
  }

  private async set(): Promise<void> {
    this.admin = administrator(this.site).headers;
    this.subscriber = (await makeActor(this.site, 'subscriber')).headers;
    this.author = (await makeActor(this.site, 'author')).id;
    this.tag = await this.send('POST', '/tags', { name: 'Known' });
    this.category = await this.send('POST', '/categories', { name: 'Known' });
    for (const title of ['First', 'Second', 'Third']) {
      const values = { title, content: 'Words', status: 'publish', author: this.author };
      this.posts.push(
        await this.send('POST', '/posts', {
          ...values,
          tags: [this.tag],
          categories: [this.category],
          sticky: title === 'Second',
        }),
      );
    }
    this.page = await this.send('POST', '/pages', { title: 'Page', status: 'publish' });
    await this.send('POST', '/pages', { title: 'Below', status: 'publish', parent: this.page, menu_order: 2 });
    this.locked = await this.send('POST', '/posts', {
      title: 'Locked',
      content: 'Inside',
      status: 'publish',
      password: 'key',
    });
    for (const post of [this.posts[1], this.posts[0], this.posts[0]])
      this.comment = await this.remark(post!, 'approve', 0);
    await this.conceal();
  }

  /** Responses to every request that a stranger may send. */
  async look(): Promise<Map<string, HttpResponse>> {
    const responses = new Map<string, HttpResponse>();
    for (const asked of this.paths()) {
      for (const [name, headers] of [
        ['anonymous', {}],
        ['subscriber', this.subscriber],
      ] as const) {
        responses.set(`${name} ${asked}`, await this.client.send('GET', asked, { as: headers }));
      }
    }
    return responses;
  }

  /** Does one of the things that happen out of sight; says which. */
  async stir(choice: number): Promise<string> {
    const changes = this.changes();
    const [name, make] = changes[choice % changes.length]!;
    await make();
    return name;
  }

  private paths(): string[] {
    const orders = (keys: string[]) => keys.flatMap((orderby) => ['asc', 'desc'].map((order) => ({ orderby, order })));
    const lists: Record<string, object[]> = {
      '/posts': [
        {},
        { per_page: 2, page: 2 },
        { per_page: 2, offset: 1 },
        { search: 'words' },
        { author: this.author },
        { categories: this.category },
        { tags: this.tag },
        { categories_exclude: this.category },
        { sticky: true },
        { exclude: this.posts[0] },
        { context: 'embed', _embed: 1 },
        { filter: { orderby: 'comment_count', order: 'desc' } },
        { filter: { orderby: 'modified', order: 'asc' } },
        { filter: { ignore_sticky_posts: false } },
        { filter: { tag: 'known' } },
        { filter: { author_name: 'author' } },
        ...orders(['date', 'id', 'title', 'slug']),
      ],
      '/pages': [
        {},
        { parent: 0 },
        { parent: this.page },
        { menu_order: 0 },
        ...orders(['parent', 'menu_order', 'modified']),
      ],
      '/media': [{}, { parent: 0 }, { media_type: 'image' }],
      '/comments': [
        {},
        { post: this.posts[0] },
        { parent: 0 },
        { parent: this.comment },
        ...orders(['post', 'parent', 'id']),
      ],
      '/users': [{}, ...orders(['id', 'name', 'slug', 'url']), { search: 'e' }],
      '/tags': [{}, { hide_empty: true }, { post: this.posts[0] }, ...orders(['count'])],
      '/categories': [{}, { hide_empty: true }, ...orders(['count'])],
      '/search': [{ search: 'e' }],
    };
    const items = [
      ...this.posts.map((id) => `/posts/${id}`),
      `/pages/${this.page}`,
      `/posts/${this.locked}`,
      `/comments/${this.comment}`,
      `/tags/${this.tag}`,
      `/categories/${this.category}`,
      `/users/${this.author}`,
    ];
    return [
      ...items,
      ...Object.entries(lists).flatMap(([path, each]) => each.map((parameters) => path + query({ ...parameters }))),
    ];
  }

  private changes(): Change[] {
    const some = () => `Unseen ${++this.serial}`;
    const terms = { tags: [this.tag], categories: [this.category], author: this.author };
    const states = ['draft', 'pending', 'private', 'future'] as const;
    const dated = (status: string) => (status === 'future' ? { date: '2098-01-01T00:00:00' } : {});
    return [
      ...states.flatMap((status): Change[] => [
        [
          `${status} post`,
          () => this.send('POST', '/posts', { title: some(), status, ...terms, ...dated(status) }, this.drafts),
        ],
        [
          `${status} page`,
          () => this.send('POST', '/pages', { title: some(), status, parent: this.page, ...dated(status) }),
        ],
      ]),
      [
        'sticky private post',
        () => this.send('POST', '/posts', { title: some(), status: 'private', sticky: true, ...terms }, this.drafts),
      ],
      ...['hold', 'spam', 'trash'].flatMap((status): Change[] => [
        [`${status} comment`, () => this.remark(this.posts[1]!, status, 0)],
        [`${status} reply`, () => this.remark(this.posts[0]!, status, this.comment)],
      ]),
      ['comment behind a password', () => this.remark(this.locked, 'approve', 0)],
      ['changed held comment', () => this.send('POST', `/comments/${this.held[0]}`, { content: some() })],
      [
        'held comment to spam and back',
        async () => {
          await this.send('POST', `/comments/${this.held[0]}`, { status: 'spam' });
          await this.send('POST', `/comments/${this.held[0]}`, { status: 'hold' });
        },
      ],
      ['changed draft', () => this.send('POST', `/posts/${this.drafts[0]}`, { title: some(), content: some() })],
      ['draft without terms', () => this.send('POST', `/posts/${this.drafts[0]}`, { tags: [], categories: [] })],
      [
        'trashed draft',
        async () => {
          const id = await this.send('POST', '/posts', { title: some(), ...terms });
          await this.send('DELETE', `/posts/${id}`);
        },
      ],
      [
        'deleted draft',
        async () => {
          const id = await this.send('POST', '/posts', { title: some(), ...terms });
          await this.send('DELETE', `/posts/${id}?force=true`);
        },
      ],
      [
        'user without content',
        () => {
          const username = `unseen${++this.serial}`;
          return this.send('POST', '/users', {
            username,
            email: `${username}@leak.test`,
            password: 'long enough for it',
          });
        },
      ],
      [
        'user with a private post',
        async () => {
          const username = `unseen${++this.serial}`;
          const id = await this.send('POST', '/users', {
            username,
            email: `${username}@leak.test`,
            password: 'long enough for it',
            roles: ['author'],
          });
          await this.send('POST', '/posts', { title: some(), status: 'private', author: id });
        },
      ],
      ['private file', () => this.upload({ status: 'private' })],
      ['file of a draft', () => this.upload({ post: this.drafts[0] })],
      ['text behind a password', () => this.send('POST', `/posts/${this.locked}/meta`, { key: some(), value: 'x' })],
    ];
  }

  private async conceal(): Promise<void> {
    await this.send(
      'POST',
      '/posts',
      { title: 'Hidden', tags: [this.tag], categories: [this.category], author: this.author },
      this.drafts,
    );
    await this.remark(this.posts[0]!, 'hold', this.comment);
  }

  private async remark(post: number, status: string, parent: number): Promise<number> {
    const words = `Remark ${++this.serial}`;
    const values = { post, parent, status, content: words, author_name: 'Guest', author_email: 'guest@leak.test' };
    return this.send('POST', '/comments', values, status === 'hold' ? this.held : undefined);
  }

  private async upload(fields: Record<string, unknown>): Promise<void> {
    const headers = {
      ...this.admin,
      'Content-Type': 'text/plain',
      'Content-Disposition': 'attachment; filename="unseen.txt"',
    };
    await this.client.send('POST', `/media${query(fields)}`, { as: headers, body: `Text ${++this.serial}` });
  }

  private async send(method: Method, path: string, body: unknown = {}, kept?: number[]): Promise<number> {
    const response = await this.client.send(method, path, { as: this.admin, body });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    kept?.push(response.body.id);
    return response.body.id;
  }
}
