// Clients that write at random to the contents, terms, pages, accounts and comments of one site, and record the
// responses.
import { seeded } from '../../process/writer.js';
import { runs } from '../runs.js';
import { Appended, Lives, Register } from './record.js';
import { all, AS_ADMINISTRATOR, CLIENTS, SEED, type HttpResponse, type World } from './world.js';

type Random = (below: number) => number;
/** An action of a client; `mark` is a unique word. */
type Turn = (random: Random, mark: string) => Promise<void>;

const LISTS = ['posts', 'pages', 'tags', 'categories', 'users'] as const;
type List = (typeof LISTS)[number];

/** The tags of a written post; the server leaves out deleted ones. */
const tagsOf = ({ body }: HttpResponse): string[] => (body.tags ?? []).map((tag: number) => `/tags/${tag}`);

/** The state that the clients share. */
export class History {
  private readonly ids = new Map<List, number[]>(LISTS.map((list) => [list, []]));
  private readonly appended = new Map<number, Appended>();
  private readonly titles = new Map<number, Register>();
  private readonly excerpts = new Map<number, Register>();
  private readonly terms = new Lives();
  private readonly accounts = new Lives();
  private readonly others = new Lives();

  constructor(private readonly world: World) {}

  /**
   * Creates the initial items, lets the clients work, and returns the results that no serial order of their writes
   * explains.
   */
  async run(): Promise<string[]> {
    await this.prepare();
    await all(CLIENTS, async (index) => {
      const random = seeded(SEED + index * 7919);
      for (let turn = 0; turn < runs(150, 20); turn++) await this.turn(random)(random, `|${index}.${turn}|`);
    });
    return this.faults();
  }

  private async prepare(): Promise<void> {
    const texts = { content: 'x', status: 'publish' };
    for (let n = 0; n < 6; n++) await this.newTag(() => n, `Tag ${n}`);
    for (let n = 0; n < 4; n++) await this.newAccount(n, `author${n}`);
    const add = async (list: List, n: number, body: (n: number) => object): Promise<number[]> => {
      const made = await this.world.make(`/${list}`, n, body);
      this.ids.get(list)!.push(...made);
      return made;
    };
    await add('categories', 4, (n) => ({ name: `Category ${n}` }));
    await add('pages', 8, (n) => ({ title: `Page ${n}`, status: 'publish' }));
    await add('posts', 6, (n) => ({ title: `Post ${n}`, ...texts }));
    for (const id of await this.world.make('/posts', 3, (n) => ({ title: `Text ${n}`, ...texts }))) {
      this.appended.set(id, new Appended());
      this.titles.set(id, new Register());
      this.excerpts.set(id, new Register());
    }
  }

  /** The next action of a client, chosen by its share of 100. */
  private turn(random: Random): Turn {
    let left = random(100);
    const shares: [number, Turn][] = [
      [16, this.newPost],
      [16, this.append],
      [8, this.set],
      [12, this.rewrite],
      [12, this.move],
      [4, (some) => this.update(some, 'pages', { slug: `page-${some(4)}` })],
      [4, this.newPage],
      [7, (some) => this.newTag(some, `New ${some(6)}`)],
      [4, this.dropTag],
      [8, this.comment],
      [3, (some) => this.newAccount(some(3), `more${some(8)}`)],
      [2, this.leave],
      [4, this.drop],
    ];
    return shares.find(([share]) => (left -= share) < 0)![1];
  }

  private readonly newPost: Turn = async (random) => {
    const values = { title: `Title ${random(4)}`, content: 'x', status: random(4) ? 'publish' : 'draft' };
    const refers = random(2) === 0;
    const [tag, author] = [this.pick('tags', random), this.pick('users', random)];
    const more = refers ? { tags: [tag], categories: [this.pick('categories', random)], author } : {};
    const response = await this.send(random, 'POST', '/posts', { ...values, ...more });
    if (refers) this.terms.recordReference(tagsOf(response), response);
    if (refers) this.accounts.recordReference([`/users/${author}`], response);
    this.others.recordCreation('/posts', '', response, /^$/);
    if (response.status === 201) this.ids.get('posts')!.push(response.body.id);
  };

  private readonly append: Turn = async (random, mark) => {
    const id = [...this.appended.keys()][random(this.appended.size)]!;
    const found = await this.send(random, 'GET', `/posts/${id}?context=edit`);
    if (found.status !== 200) return;
    const text = found.body.content.raw;
    this.appended.get(id)!.read(text, found);
    const headers = { ...AS_ADMINISTRATOR, 'If-Match': found.tag! };
    const body = { content: `${text} ${mark}` };
    const response = await this.world.send(random(3), 'POST', `/posts/${id}`, body, headers);
    this.appended.get(id)!.append(mark, response);
  };

  private readonly set: Turn = async (random, mark) => {
    const id = [...this.titles.keys()][random(this.titles.size)]!;
    const [field, registers] = random(2) ? (['title', this.titles] as const) : (['excerpt', this.excerpts] as const);
    registers.get(id)!.set(mark, await this.send(random, 'POST', `/posts/${id}`, { [field]: mark }));
  };

  private readonly rewrite: Turn = async (random) => {
    const tags = [this.pick('tags', random), this.pick('tags', random)];
    const status = random(3) ? 'publish' : 'private';
    const id = this.pick('posts', random);
    const response = await this.send(random, 'POST', `/posts/${id}`, { tags, status, title: `Title ${random(4)}` });
    this.terms.recordReference(tagsOf(response), response);
    this.others.recordReference([`/posts/${id}`], response);
  };

  private readonly move: Turn = (random) =>
    this.update(random, 'pages', { parent: random(5) ? this.pick('pages', random) : 0 });

  private readonly newPage: Turn = async (random) => {
    const body = { title: 'Page', status: 'publish', parent: this.pick('pages', random) };
    const response = await this.send(random, 'POST', '/pages', body);
    if (response.status === 201) this.ids.get('pages')!.push(response.body.id);
  };

  private async newTag(random: Random, name: string): Promise<void> {
    const response = await this.send(random, 'POST', '/tags', { name });
    this.terms.recordCreation('/tags', name, response, /^term_exists$/);
    if (response.status === 201) this.ids.get('tags')!.push(response.body.id);
  }

  private readonly dropTag: Turn = async (random) => {
    const itemPath = `/tags/${this.pick('tags', random)}`;
    this.terms.recordDeletion(itemPath, await this.send(random, 'DELETE', `${itemPath}?force=true`));
  };

  private readonly comment: Turn = async (random) => {
    const post = this.pick('posts', random);
    const response = await this.send(random, 'POST', '/comments', { post, content: `Comment ${random(30)}` });
    this.others.recordReference([`/posts/${post}`], response);
  };

  private async newAccount(at: number, username: string): Promise<void> {
    const body = { username, email: `${username}@example.test`, password: 'long enough for all', roles: ['author'] };
    const response = await this.world.send(at, 'POST', '/users', body);
    this.accounts.recordCreation('/users', username, response, /exist/);
    if (response.status === 201) this.ids.get('users')!.push(response.body.id);
  }

  private readonly leave: Turn = async (random) => {
    const [id, heir] = [this.pick('users', random), this.pick('users', random)];
    const response = await this.send(random, 'DELETE', `/users/${id}?force=true&reassign=${heir}`);
    this.accounts.recordReference([`/users/${heir}`], response);
    this.accounts.recordDeletion(`/users/${id}`, response);
  };

  private readonly drop: Turn = async (random) => {
    const itemPath = `/posts/${this.pick('posts', random)}`;
    const forced = random(2) === 0;
    const response = await this.send(random, 'DELETE', `${itemPath}${forced ? '?force=true' : ''}`);
    if (forced) this.others.recordDeletion(itemPath, response);
  };

  private async update(random: Random, list: List, body: object): Promise<void> {
    await this.send(random, 'POST', `/${list}/${this.pick(list, random)}`, body);
  }

  private send(random: Random, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<HttpResponse> {
    return this.world.send(random(3), method, path, body);
  }

  private pick(list: List, random: Random): number {
    const ids = this.ids.get(list)!;
    return ids[random(ids.length)]!;
  }

  private async faults(): Promise<string[]> {
    const found = [this.terms, this.accounts].flatMap((lives) => lives.faults());
    // Every post has a name of its own.
    found.push(...this.others.faults().filter((fault) => !fault.includes('had the name of')));
    for (const [id, appended] of this.appended) {
      const { body } = await this.world.send(0, 'GET', `/posts/${id}?context=edit`);
      found.push(...appended.faults(body.content.raw));
      found.push(...this.titles.get(id)!.faults(body.title.raw), ...this.excerpts.get(id)!.faults(body.excerpt.raw));
    }
    return found;
  }
}
