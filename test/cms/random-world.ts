// Worlds made by chance, what a model says their lists hold, and the questions put to both. Used by the leak suite.
import * as fc from 'fast-check';
import type { TestSite } from '../support/start-test-site.js';
import type { Visitor } from './leak-world.js';
import {
  VisibilityModel,
  type Comment,
  type CommentStatus,
  type Content,
  type Kind,
  type Status,
} from './visibility-model.js';

/** What chance decides. Places name owners and neighbours by position, modulo what there is. */
export interface Recipe {
  posts: {
    status: Status;
    owner: number;
    locked: boolean;
    sticky: boolean;
    terms: number[];
    day: number;
    words: string[];
  }[];
  pages: { status: Status; owner: number; locked: boolean; parent: number; order: number; words: string[] }[];
  media: { status: Status; owner: number; parent: number; mime: string }[];
  comments: { on: number; owner: number; status: CommentStatus; reply: number; words: string[] }[];
}

/** A requested list. */
export interface Question {
  path: string;
  parameters: Record<string, unknown>;
}

/** Everything a model needs to decide about a row. */
interface Listed {
  id: number;
  author: number;
  parent: number;
  terms: number[];
  sticky: boolean;
  words: string[];
  order: number;
  mime: string;
  day: number;
}

const STATES: Status[] = ['publish', 'publish', 'draft', 'pending', 'private', 'future', 'trash'];
const WORDS = ['amber', 'birch', 'cedar'];
const DAY = (day: number) => `2020-01-${String(day + 1).padStart(2, '0')}T10:00:00`;

const small = fc.nat({ max: 11 });
const words = fc.uniqueArray(fc.constantFrom(...WORDS), { maxLength: 2 });
const state = fc.constantFrom(...STATES);

export const recipes: fc.Arbitrary<Recipe> = fc.record({
  posts: fc.array(
    fc.record({
      status: state,
      owner: small,
      locked: fc.boolean(),
      sticky: fc.boolean(),
      terms: fc.uniqueArray(fc.nat({ max: 2 }), { maxLength: 3 }),
      day: fc.nat({ max: 20 }),
      words,
    }),
    { minLength: 4, maxLength: 14 },
  ),
  pages: fc.array(
    fc.record({ status: state, owner: small, locked: fc.boolean(), parent: small, order: fc.nat({ max: 2 }), words }),
    { maxLength: 8 },
  ),
  media: fc.array(
    fc.record({
      status: fc.constantFrom<Status>('inherit', 'inherit', 'inherit', 'private', 'draft', 'publish'),
      owner: small,
      parent: small,
      mime: fc.constantFrom('image/png', 'audio/mpeg'),
    }),
    { maxLength: 8 },
  ),
  comments: fc.array(
    fc.record({
      on: small,
      owner: small,
      status: fc.constantFrom<CommentStatus>('approved', 'approved', 'hold', 'spam', 'trash'),
      reply: small,
      words,
    }),
    { maxLength: 14 },
  ),
});

const places = fc.array(small, { minLength: 1, maxLength: 4 });
const statuses = fc.uniqueArray(fc.constantFrom('publish', 'draft', 'pending', 'private', 'future', 'trash', 'any'), {
  minLength: 1,
  maxLength: 3,
});
const listOf = (path: string, parameters: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(fc.uniqueArray(fc.constantFrom(...Object.keys(parameters)), { maxLength: 3 }), fc.record(parameters))
    .map(([names, values]): Question => ({
      path,
      parameters: Object.fromEntries(names.map((name) => [name, values[name]])),
    }));
const shared = {
  include: places,
  exclude: places,
  search: fc.constantFrom(...WORDS, `${WORDS[0]} ${WORDS[1]}`, `-${WORDS[0]}`),
};
const content = {
  ...shared,
  status: statuses,
  author: places,
  author_exclude: places,
  context: fc.constantFrom('view', 'edit', 'embed'),
};

export const questions: fc.Arbitrary<Question[]> = fc.array(
  fc.oneof(
    listOf('/posts', {
      ...content,
      categories: places,
      categories_exclude: places,
      sticky: fc.boolean(),
      after: small,
      before: small,
      orderby: fc.constantFrom('date', 'id', 'title', 'slug'),
    }),
    listOf('/pages', { ...content, parent: places, parent_exclude: places, menu_order: fc.nat({ max: 2 }) }),
    listOf('/media', {
      ...content,
      parent: places,
      parent_exclude: places,
      media_type: fc.constantFrom('image', 'audio'),
    }),
    listOf('/comments', {
      ...shared,
      post: places,
      parent: places,
      author: places,
      status: fc.constantFrom('approve', 'hold', 'spam', 'trash', 'all', 'any'),
      orderby: fc.constantFrom('date', 'id', 'post'),
    }),
    listOf('/users', { include: places, exclude: places, who: fc.constant('authors') }),
    listOf('/categories', { hide_empty: fc.boolean(), post: small }),
  ),
  { minLength: 25, maxLength: 40 },
);

/** A recipe that was cooked. */
export class RandomWorld {
  readonly model = new VisibilityModel();
  private readonly listed = new Map<Kind | 'comment', Listed[]>([
    ['post', []],
    ['page', []],
    ['attachment', []],
    ['comment', []],
  ]);

  private constructor(
    private readonly site: TestSite,
    private readonly owners: Visitor[],
    private readonly categories: number[],
  ) {}

  static async make(site: TestSite, owners: Visitor[], categories: number[], recipe: Recipe): Promise<RandomWorld> {
    const world = new RandomWorld(site, owners, categories);
    await world.cook(recipe);
    return world;
  }

  private async cook(recipe: Recipe): Promise<void> {
    await this.site.site.writer.batch(async ({ create }) => {
      const meant = (kind: Kind, id: number, status: Status, owner: number, parent: number, password: string) => {
        const trashed = status === 'trash';
        const item: Content = {
          id,
          kind,
          author: owner,
          status,
          parent,
          password,
          ...(trashed ? { was: 'publish' } : {}),
        };
        this.model.contents.set(id, item);
      };
      const columns = (status: Status) =>
        status === 'trash' ? { columns: { status, trashed_status: 'publish' } } : {};
      const dates = (status: Status, day: number) => (status === 'future' ? '2099-01-01T00:00:00' : DAY(day));
      for (const [index, post] of recipe.posts.entries()) {
        const author = this.owner(post.owner).id;
        const password = post.locked && post.status !== 'private' ? 'open' : '';
        const sticky = post.sticky && password === '';
        const terms = post.terms.map((at) => this.categories[at]!);
        const { status, day } = post;
        const id = await create(
          'post',
          {
            title: `Post ${index}`,
            content: post.words.join(' ') || 'plain',
            status: status === 'trash' ? 'publish' : status,
            author,
            password,
            sticky,
            categories: terms,
            date: dates(status, day),
          },
          columns(status),
        );
        meant('post', id, status, author, 0, password);
        this.list('post', { id, author, terms, sticky, words: post.words, day: status === 'future' ? 99_999 : day });
      }
      for (const [index, page] of recipe.pages.entries()) {
        const author = this.owner(page.owner).id;
        const password = page.locked && page.status !== 'private' ? 'open' : '';
        const parent = page.parent % 2 === 0 ? 0 : this.place('page', page.parent);
        const { status, order } = page;
        const id = await create(
          'page',
          {
            title: `Page ${index}`,
            content: page.words.join(' ') || 'plain',
            status: status === 'trash' ? 'publish' : status,
            author,
            password,
            parent,
            menu_order: order,
            date: dates(status, 1),
          },
          columns(status),
        );
        meant('page', id, status, author, parent, password);
        this.list('page', { id, author, parent, words: page.words, order });
      }
      for (const [index, media] of recipe.media.entries()) {
        const author = this.owner(media.owner).id;
        const parent = media.parent % 3 === 0 ? 0 : this.anywhere(media.parent);
        const { status, mime } = media;
        const id = await create(
          'attachment',
          { title: `File ${index}`, author, post: parent },
          { columns: { status, mime_type: mime } },
        );
        meant('attachment', id, status, author, parent, '');
        this.list('attachment', { id, author, parent, mime });
      }
      for (const [index, comment] of recipe.comments.entries()) {
        const post = this.somewhere(comment.on);
        // What is on something thrown away is in no list at all.
        if (post === 0 || this.model.contents.get(post)!.status === 'trash') continue;
        const author = comment.owner % 3 === 0 ? 0 : this.owner(comment.owner).id;
        const siblings = this.rows('comment').filter(({ parent: on }) => on === post);
        const reply =
          siblings.length > 0 && comment.reply % 2 === 1 ? siblings[comment.reply % siblings.length]!.id : 0;
        const { status } = comment;
        const id = await create(
          'comment',
          {
            post,
            author,
            parent: reply,
            content: `Comment ${index} ${comment.words.join(' ')}`,
            author_name: 'Somebody',
          },
          { columns: { status } },
        );
        this.model.comments.set(id, { id, post, author, status, parent: reply });
        this.list('comment', { id, author, parent: post, words: comment.words });
      }
    });
  }

  /** Ids that a list should hold, or undefined where it should be refused. */
  expected({ path, parameters }: Question, caller: Visitor): Set<number> | undefined {
    if (path === '/comments') return this.expectedComments(parameters, caller);
    if (path === '/users') return this.expectedUsers(parameters, caller);
    if (path === '/categories') return this.expectedTerms(parameters, caller);
    return this.expectedContents(
      ({ '/posts': 'post', '/pages': 'page', '/media': 'attachment' } as const)[path]!,
      parameters,
      caller,
    );
  }

  /** The query of a question: places become ids. */
  asked({ path, parameters }: Question): Record<string, unknown> {
    const kind = ({ '/posts': 'post', '/pages': 'page', '/media': 'attachment', '/comments': 'comment' } as const)[
      path
    ];
    const query: Record<string, unknown> = { ...parameters };
    for (const [name, value] of Object.entries(parameters)) {
      if (name === 'include' || name === 'exclude') query[name] = this.ids(kind, value as number[]);
      else if (name.startsWith('author')) query[name] = this.people(value as number[]);
      else if (name.startsWith('categories')) query[name] = this.terms(value as number[]);
      else if (name.startsWith('parent')) query[name] = this.parents(kind, value as number[]);
      else if (name === 'post') query[name] = Array.isArray(value) ? this.targets(value) : this.target(value as number);
      else if (name === 'after' || name === 'before') query[name] = DAY(value as number);
    }
    return query;
  }

  /** Published posts of a term. */
  count(term: number): number {
    return this.rows('post').filter(
      ({ id, terms }) => terms.includes(term) && this.model.contents.get(id)!.status === 'publish',
    ).length;
  }

  private expectedContents(kind: Kind, parameters: Question['parameters'], caller: Visitor): Set<number> | undefined {
    const { model } = this;
    const plural = kind === 'page' ? 'pages' : 'posts';
    const fallback = kind === 'attachment' ? ['inherit'] : ['publish'];
    const asked = (parameters['status'] as string[] | undefined) ?? fallback;
    const open = kind === 'attachment' ? ['inherit'] : ['publish'];
    const edits = model.can(caller, `edit_${plural}`);
    if (parameters['context'] === 'edit' && !edits) return undefined;
    for (const status of asked) {
      const may =
        open.includes(status) || edits || (status === 'private' && model.can(caller, `read_private_${plural}`));
      if (!may) return undefined;
    }
    const any = ['publish', 'future', 'draft', 'pending', 'private', 'inherit'];
    const wanted = new Set(asked.flatMap((status) => (status === 'any' ? any : status)));
    if (kind === 'attachment' && wanted.has('inherit')) wanted.add('publish');
    const rows = this.rows(kind).filter((row) => {
      const item = model.contents.get(row.id)!;
      if (!wanted.has(item.status) || !model.mayRead(caller, item)) return false;
      if (parameters['context'] === 'edit' && !model.mayEdit(caller, item)) return false;
      if (!this.matches(kind, row, parameters)) return false;
      const search = parameters['search'] as string | undefined;
      if (search === undefined) return true;
      return (item.password === '' || model.mayEdit(caller, item)) && finds(search, row.words);
    });
    return new Set(rows.map(({ id }) => id));
  }

  private expectedComments(parameters: Question['parameters'], caller: Visitor): Set<number> | undefined {
    const { model } = this;
    const status = (parameters['status'] as string | undefined) ?? 'approve';
    if ((status !== 'approve' || parameters['author'] !== undefined) && !model.can(caller, 'edit_posts'))
      return undefined;
    const posts = parameters['post'] === undefined ? undefined : this.targets(parameters['post'] as number[]);
    if (posts?.some((id) => model.contents.has(id) && !model.isOpen(caller, model.contents.get(id)!))) return undefined;
    const states = { approve: ['approved'], all: ['approved', 'hold'], any: ['approved', 'hold', 'spam', 'trash'] }[
      status
    ] ?? [status];
    const rows = this.rows('comment').filter((row) => {
      const comment = model.comments.get(row.id) as Comment;
      if (!states.includes(comment.status) || !model.mayReadComment(caller, comment)) return false;
      if (posts && !posts.includes(comment.post)) return false;
      if (parameters['parent'] && !this.parents('comment', parameters['parent'] as number[]).includes(comment.parent))
        return false;
      const { parent: _parent, ...others } = parameters;
      if (!this.matches('comment', row, others)) return false;
      // One phrase: words stand in the order they were written in.
      const search = parameters['search'] as string | undefined;
      return search === undefined || row.words.join(' ').includes(search);
    });
    return new Set(rows.map(({ id }) => id));
  }

  private expectedUsers(parameters: Question['parameters'], caller: Visitor): Set<number> | undefined {
    const writers = parameters['who'] === 'authors';
    if (writers && !this.model.can(caller, 'edit_posts')) return undefined;
    const users = this.owners.filter(
      ({ id, role }) => id > 0 && (writers ? role !== 'subscriber' : this.model.mayListUser(caller, id)),
    );
    const places = (name: string) => parameters[name] as number[] | undefined;
    const chosen = users.filter(({ id }) => {
      const [include, exclude] = [places('include'), places('exclude')];
      return (!include || this.people(include).includes(id)) && !(exclude && this.people(exclude).includes(id));
    });
    return new Set(chosen.map(({ id }) => id));
  }

  private expectedTerms(parameters: Question['parameters'], caller: Visitor): Set<number> | undefined {
    let terms = this.categories;
    if (parameters['post'] !== undefined) {
      const id = this.target(parameters['post'] as number);
      const item = this.model.contents.get(id);
      if (item?.kind !== 'post' || !this.model.mayRead(caller, item)) return undefined;
      terms = this.rows('post').find((row) => row.id === id)!.terms;
    }
    if (parameters['hide_empty'] === true) terms = terms.filter((term) => this.count(term) > 0);
    return new Set(terms);
  }

  private matches(kind: Kind | 'comment', row: Listed, parameters: Question['parameters']): boolean {
    const list = (name: string) => parameters[name] as number[] | undefined;
    const tests: boolean[] = [];
    const among = (name: string, choose: (places: number[]) => number[], value: number | number[], wanted = true) => {
      const asked = list(name);
      if (asked) tests.push([value].flat().some((each) => choose(asked).includes(each)) === wanted);
    };
    const ids = (places: number[]) => this.ids(kind, places);
    const people = (places: number[]) => this.people(places);
    const parents = (places: number[]) => this.parents(kind, places);
    const terms = (places: number[]) => this.terms(places);
    among('include', ids, row.id);
    among('exclude', ids, row.id, false);
    among('author', people, row.author);
    among('author_exclude', people, row.author, false);
    among('parent', parents, row.parent);
    among('parent_exclude', parents, row.parent, false);
    among('categories', terms, row.terms);
    among('categories_exclude', terms, row.terms, false);
    if (parameters['sticky'] !== undefined) tests.push(row.sticky === parameters['sticky']);
    if (parameters['menu_order'] !== undefined) tests.push(row.order === parameters['menu_order']);
    if (parameters['media_type'] !== undefined) tests.push(row.mime.startsWith(`${parameters['media_type']}/`));
    if (parameters['after'] !== undefined) tests.push(row.day > (parameters['after'] as number));
    if (parameters['before'] !== undefined) tests.push(row.day < (parameters['before'] as number));
    return tests.every(Boolean);
  }

  private list(kind: Kind | 'comment', row: Partial<Listed> & { id: number; author: number }): void {
    this.rows(kind).push({ parent: 0, terms: [], sticky: false, words: [], order: 0, mime: '', day: 1, ...row });
  }

  private rows(kind: Kind | 'comment'): Listed[] {
    return this.listed.get(kind)!;
  }

  private owner(place: number): Visitor {
    const people = this.owners.filter(({ id }) => id > 0);
    return people[place % people.length]!;
  }

  private place(kind: Kind | 'comment', place: number): number {
    const rows = this.rows(kind);
    return rows.length > 0 ? rows[place % rows.length]!.id : 0;
  }

  private anywhere(place: number): number {
    const rows = [...this.rows('post'), ...this.rows('page')];
    return rows.length > 0 ? rows[(place * 5) % rows.length]!.id : 0;
  }

  /** Something to comment on. */
  private somewhere(place: number): number {
    const files = this.rows('attachment');
    return place % 3 === 2 && files.length > 0 ? files[place % files.length]!.id : this.anywhere(place);
  }

  private target(place: number): number {
    return this.somewhere(place) || 1_000_000;
  }

  private targets(places: number[]): number[] {
    return places.map((place) => this.target(place));
  }

  private ids(kind: Kind | 'comment' | undefined, places: number[]): number[] {
    return places.map((place) => (kind ? this.place(kind, place) || 1_000_000 : this.owner(place).id));
  }

  private people(places: number[]): number[] {
    return places.map((place) => this.owner(place).id);
  }

  private terms(places: number[]): number[] {
    return places.map((place) => this.categories[place % this.categories.length]!);
  }

  private parents(kind: Kind | 'comment' | undefined, places: number[]): number[] {
    return places.map((place) => {
      if (place % 4 === 0) return 0;
      return kind === 'attachment' ? this.anywhere(place) : this.place(kind ?? 'page', place);
    });
  }
}

/** Search as posts and pages have it: every word, and none that begins with a minus. */
function finds(search: string, words: string[]): boolean {
  return search
    .split(' ')
    .every((term) => (term.startsWith('-') ? !words.includes(term.slice(1)) : words.includes(term)));
}
