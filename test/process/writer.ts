// A client that writes everything a site has, at random, and books what it was told. Used by the crash suites.
import { Api, type View } from './api.js';
import { expectSent, isUnchanged, Ledger, type Write } from './ledger.js';

/** Numbers from 0 to below `below`, the same ones for the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const EVERY = 'status=publish,future,draft,pending,private,trash&context=edit&per_page=100';
/** Where an item of a collection is found by a word in it. */
const FINDING: Record<string, string> = {
  '/posts': EVERY,
  '/pages': EVERY,
  '/media': 'context=edit&per_page=100',
  '/comments': 'status=all&context=edit&per_page=100',
};
const ANY = 'context=edit&per_page=100';

/** Each client writes to items of its own, beside others that do the same. */
export class Writer {
  readonly ledger = new Ledger();
  /** Responses that no write of ours should get. */
  readonly faults: string[] = [];
  /** Responses with 503. */
  refused = 0;
  /** The write that was cut. */
  pending: Write | undefined;
  private count = 0;

  constructor(
    private readonly name: string,
    private readonly random: (below: number) => number,
    /** Id of the administrator: on a cluster the first id may be another than 1. */
    private readonly administrator = 1,
  ) {}

  /** Writes until it is stopped or the server goes. */
  async work(api: Api, stopped: () => boolean): Promise<void> {
    try {
      while (!stopped()) if (!(await this.write(api, this.next()))) return;
    } catch (error) {
      this.faults.push((error as Error).message);
    }
  }

  /** After a restart: finds out what became of the write that was cut, repeats it where that is safe, then looks at everything touched. */
  async settle(api: Api): Promise<void> {
    const write = this.pending;
    this.pending = undefined;
    if (write?.headers?.['Idempotency-Key']) await this.repeat(api, write);
    else if (write) await this.find(api, write);
    await this.ledger.verify(api, [...this.ledger.touched]);
  }

  /** One write; false when the server is gone. */
  async write(api: Api, write: Write): Promise<boolean> {
    const outcome = await api.send(write.method, write.path, { body: write.body, headers: write.headers ?? {} });
    if (outcome === 'cut') this.pending = write;
    if (typeof outcome === 'string') return false;
    if (outcome.status < 300) {
      write.book(outcome.body);
      this.ledger.acknowledged += 1;
    } else if (outcome.status === 503) {
      // Without Retry-After the change may have been saved.
      const retry = outcome.headers['retry-after'] !== undefined;
      if (!retry) this.pending = write;
      this.refused += 1;
      return retry;
    } else {
      this.faults.push(`${write.method} ${write.path} ${outcome.status} ${JSON.stringify(outcome.body)}`);
    }
    return true;
  }

  private async repeat(api: Api, write: Write): Promise<void> {
    await this.write(api, write);
    if (this.pending) throw new Error('The server went away while nobody killed it');
    if (!(await write.look(api))) throw new Error(`${write.path}: the repeated write left nothing`);
  }

  private async find(api: Api, write: Write): Promise<void> {
    const found = await write.look(api);
    if (found) write.book(found);
  }

  private next(): Write {
    const turn = this.random(100);
    const posts = this.ledger.living('/posts');
    if (posts.length === 0 || turn < 22) return this.newPost();
    if (turn < 42) return this.rewrite(this.pick(posts));
    if (turn < 47) return this.trash(this.pick(posts));
    if (turn < 51) return this.delete(this.pick(posts), () => this.forgetPost);
    if (turn < 58) return this.newComment(posts);
    if (turn < 64) return this.create(`${this.pick(posts)}/meta`, { key: 'note' }, 'value');
    if (turn < 70) return this.newTerm();
    if (turn < 73) return this.describe();
    if (turn < 76) return this.remove('/tags', (id) => this.drop('tags', id));
    if (turn < 83) return this.upload();
    if (turn < 85) return this.remove('/media', (id) => this.blank('featured_media', id, 0));
    if (turn < 88) return this.create('/users', this.person(), 'username');
    if (turn < 90) return this.leave();
    if (turn < 93) return this.create(`/users/${this.administrator}/application-passwords`, {}, 'name');
    if (turn < 95) return this.remove(`/users/${this.administrator}/application-passwords`, () => undefined);
    if (turn < 97) return this.remove('/comments', () => undefined);
    return this.newPage();
  }

  private newPost(): Write {
    const once = this.random(4) === 0;
    const write = this.create('/posts', this.postValues(), 'content');
    return once ? { ...write, headers: { 'Idempotency-Key': this.mark() } } : write;
  }

  private rewrite(post: string): Write {
    return this.update(post, this.postValues(this.ledger.items.get(post)!['sticky'] === true));
  }

  private postValues(isSticky = false): View {
    // Others give their posts the same titles: slugs collide.
    const values: View = { title: `Same title ${this.random(5)}`, content: this.mark(), excerpt: this.mark() };
    const tags = this.ledger.living('/tags').filter(() => this.random(2));
    const categories = this.ledger.living('/categories').filter(() => this.random(2));
    values['status'] = ['publish', 'draft', 'private', 'pending'][this.random(4)];
    values['tags'] = tags.map(idOf);
    if (categories.length > 0) values['categories'] = categories.map(idOf);
    const media = this.one('/media');
    if (media && this.random(2)) values['featured_media'] = idOf(media);
    const author = this.one('/users');
    if (author && this.random(3) === 0) values['author'] = idOf(author);
    // Private posts have no password, and what is sticky, before or afterwards, gets none.
    const open = this.random(2) === 0 || values['status'] === 'private' || isSticky;
    return { ...values, ...(open ? { sticky: true, password: '' } : { sticky: false, password: 'secret' }) };
  }

  private newPage(): Write {
    const parent = this.one('/pages');
    return this.create(
      '/pages',
      { title: 'Same page', status: 'publish', ...(parent ? { parent: idOf(parent) } : {}) },
      'content',
    );
  }

  private newComment(posts: string[]): Write {
    const open = posts.filter((post) => this.ledger.items.get(post)!['status'] === 'publish');
    if (open.length === 0) return this.newPost();
    return this.create('/comments', { post: idOf(this.pick(open)) }, 'content');
  }

  private newTerm(): Write {
    if (this.random(2)) return this.create('/tags', {}, 'name');
    const parent = this.one('/categories');
    return this.create('/categories', parent ? { parent: idOf(parent) } : {}, 'name');
  }

  private describe(): Write {
    const tag = this.one('/tags');
    return tag ? this.update(tag, { description: this.mark() }) : this.newTerm();
  }

  private person(): View {
    const name = this.mark();
    return { email: `${name}@example.org`, roles: ['author'], password: 'no secret at all' };
  }

  private upload(): Write {
    const mark = this.mark();
    const write = this.create(`/media`, {}, 'title', mark);
    const book = (view: View): void => {
      write.book(view);
      this.ledger.files.set(`/media/${view['id']}`, mark);
    };
    const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="same.txt"' };
    return { ...write, book, path: `/media?title=${mark}`, body: Buffer.from(mark), headers };
  }

  /** Deletes a user; his posts become the administrator's. */
  private leave(): Write {
    return this.remove(
      '/users',
      (id) => this.blank('author', id, this.administrator),
      `&reassign=${this.administrator}`,
    );
  }

  private create(path: string, values: View, field: string, mark = this.mark()): Write {
    const sent: View = { ...values, [field]: mark };
    return {
      method: 'POST',
      path,
      body: sent,
      look: (api) => findOne(api, path, mark),
      book: (view) => {
        expectSent(`${path}/${view['id'] ?? view['uuid']}`, sent, view);
        this.ledger.set(`${path}/${view['id'] ?? view['uuid']}`, view);
      },
    };
  }

  private update(itemPath: string, values: View): Write {
    const before = this.ledger.items.get(itemPath)!;
    const restored = before['status'] === 'trash';
    const sent = restored ? { ...values, status: 'draft' } : values;
    // What comes out of the trash keeps none of it.
    const versions = before['versions'] + (restored ? 0 : 1);
    return {
      method: (['PUT', 'PATCH', 'POST'] as const)[this.random(3)]!,
      path: itemPath,
      body: sent,
      look: async (api) => {
        const { body } = await api.get(`${itemPath}?context=edit`);
        return isUnchanged(before, body) ? undefined : body;
      },
      book: (view) => {
        expectSent(itemPath, sent, view);
        this.ledger.set(itemPath, view);
        const grown = this.ledger.items.get(itemPath)!['versions'];
        if (grown !== undefined && grown !== versions)
          throw new Error(`${itemPath} has ${grown} versions and should have ${versions}`);
      },
    };
  }

  private trash(itemPath: string): Write {
    const before = this.ledger.items.get(itemPath)!;
    if (before['status'] === 'trash') return this.rewrite(itemPath);
    return {
      method: 'DELETE',
      path: itemPath,
      look: async (api) => {
        const { body } = await api.get(`${itemPath}?context=edit`);
        return isUnchanged(before, body) ? undefined : body;
      },
      book: (view) => {
        expectSent(itemPath, { status: 'trash', content: before['content'].raw, sticky: false }, view);
        this.ledger.set(itemPath, view);
      },
    };
  }

  private delete(itemPath: string, cascade: () => (itemPath: string) => void, query = ''): Write {
    const before = this.ledger.items.get(itemPath)!;
    return {
      method: 'DELETE',
      path: `${itemPath}?force=true${query}`,
      look: async (api) => {
        const { status, body } = await api.get(`${itemPath}?context=edit`);
        if (status === 404) return {};
        if (!isUnchanged(before, body)) throw new Error(`${itemPath} is half deleted: ${JSON.stringify(body)}`);
        return undefined;
      },
      book: () => {
        this.ledger.set(itemPath, undefined);
        cascade()(itemPath);
      },
    };
  }

  private remove(path: string, cascade: (id: number) => void, query = ''): Write {
    const itemPath = this.one(path);
    return itemPath ? this.delete(itemPath, () => () => cascade(idOf(itemPath)), query) : this.newPost();
  }

  private readonly forgetPost = (itemPath: string): void => {
    for (const [other, view] of this.ledger.items) {
      const remark = other.startsWith('/comments/') && view?.['post'] === idOf(itemPath);
      if (view && (remark || other.startsWith(`${itemPath}/`))) this.ledger.set(other, undefined);
    }
  };

  /** A term is gone: from everything that had it. */
  private drop(field: string, id: number): void {
    for (const [itemPath, view] of this.ledger.items)
      if (view?.[field]?.includes(id))
        this.ledger.change(itemPath, { [field]: view[field].filter((other: number) => other !== id) });
  }

  /** Something is gone: what named it names another. */
  private blank(field: string, id: number, value: number): void {
    for (const [itemPath, view] of this.ledger.items)
      if (itemPath.startsWith('/posts/') && view?.[field] === id) this.ledger.change(itemPath, { [field]: value });
  }

  private one(path: string): string | undefined {
    const itemPaths = this.ledger.living(path);
    return itemPaths.length > 0 ? this.pick(itemPaths) : undefined;
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.random(from.length)]!;
  }

  /** A word nobody else uses. */
  private mark(): string {
    this.count += 1;
    return `${this.name}x${this.count}y`;
  }
}

function idOf(itemPath: string): number {
  return Number(itemPath.slice(itemPath.lastIndexOf('/') + 1));
}

/** The one item of a collection that shows a word. Throws when there are several. */
async function findOne(api: Api, path: string, mark: string): Promise<View | undefined> {
  const searched = /^\/(posts|pages|media|comments|tags|categories|users)$/.test(path);
  const query = `${FINDING[path] ?? ANY}${searched ? `&search=${mark}` : ''}`;
  const { status, body } = await api.get(`${path}?${searched ? query : 'context=edit'}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  const found = (body as View[]).filter((item) => JSON.stringify(item).includes(mark));
  if (found.length > 1) throw new Error(`${path}: one write made ${found.length} items with ${mark}`);
  return found[0];
}
