// Requests for several sites with the same content: every order, filter and page, and random combinations of them.
// Generated from the compiled resources, so that new parameters are included. Used by engines-agree.spec.ts.
import * as fc from 'fast-check';
import type { ModelSet, ResourceModel } from '../../src/model/model.js';
import type { ParamModel } from '../../src/model/list.js';

/** The caller; each is one account, anonymous has none. */
export type Asker = 'anonymous' | 'administrator' | 'author';

/** One request. `path` begins below the namespace. */
export interface Question {
  method: 'GET' | 'HEAD' | 'OPTIONS';
  path: string;
  as: Asker;
}

/** What the content holds, so that questions find something. */
export interface Pools {
  /** Ids by the path of the resource. */
  ids: Record<string, number[]>;
  slugs: string[];
  /** Titles, names and URLs as a whole. */
  texts: string[];
  words: string[];
  dates: string[];
  /** Rows of the longest list: pages are requested up to its end and a little beyond. */
  rows: number;
}

type Params = [name: string, value: string][];
interface Lists {
  /** Full paths of the lists of a resource, parents filled in. */
  paths: string[];
  model: ResourceModel;
}

const ASKERS: Asker[] = ['anonymous', 'administrator', 'author'];
/** Orders that are not one and the same twice. */
const CHANCE = new Set(['rand']);

/** Questions of one site's resources. */
export class Questions {
  private readonly lists: Lists[];

  constructor(
    models: ModelSet,
    private readonly pools: Pools,
  ) {
    this.lists = [...models.byName.values()]
      .filter((model) => model.operations.has('list'))
      .map((model) => ({ model, paths: this.pathsOf(model) }))
      .filter(({ paths }) => paths.length > 0);
  }

  /** Every order in both directions at the beginning, in the middle and at the end; every filter alone; items; OPTIONS. */
  table(seed: number): Question[] {
    return this.lists.flatMap((lists) => [
      { method: 'OPTIONS', path: lists.paths[0]!, as: 'administrator' } as const,
      ...this.orders(lists),
      ...this.filters(lists, seed),
      ...fc.sample(this.item(lists), { numRuns: 12, seed }),
    ]);
  }

  /** Any mixture. */
  any(): fc.Arbitrary<Question> {
    const list = fc.constantFrom(...this.lists).chain((lists) => this.list(lists));
    const item = fc.constantFrom(...this.lists).chain((lists) => this.item(lists));
    return fc.oneof({ weight: 6, arbitrary: list }, { weight: 1, arbitrary: item });
  }

  private pathsOf(model: ResourceModel): string[] {
    if (!model.route.includes(':parent_id')) return [model.route];
    const parent = model.route.split('/')[1]!;
    return (this.pools.ids[parent] ?? []).map((id) => model.route.replace(':parent_id', String(id)));
  }

  private orders({ model, paths }: Lists): Question[] {
    const orderings = model.listParams.get('orderby')?.arg.enum ?? [undefined];
    const pages = model.listParams.has('per_page')
      ? [1, Math.ceil(this.pools.rows / 14), Math.ceil(this.pools.rows / 7)]
      : [undefined];
    const questions: Question[] = [];
    for (const path of paths.slice(0, 20))
      for (const as of ['anonymous', 'administrator'] as const)
        for (const orderby of orderings)
          for (const order of model.listParams.has('order') ? ['asc', 'desc'] : [undefined])
            for (const page of pages) {
              const params = { orderby, order, page, per_page: page && 7 };
              questions.push({ method: 'GET', as, path: pathWith(path, given({ ...params, ...this.needs(orderby) })) });
            }
    return questions;
  }

  // These orders say nothing without what they order by.
  private needs(orderby: unknown): Record<string, unknown> {
    if (orderby === 'relevance') return { search: this.pools.words[0] };
    if (orderby === 'include_slugs') return { slug: this.pools.slugs.slice(0, 20).join(',') };
    return {};
  }

  private filters({ model, paths }: Lists, seed: number): Question[] {
    return [...model.listParams.values()].flatMap((param) => {
      const some = fc.record({
        path: fc.constantFrom(...paths),
        params: this.param(param),
        as: fc.constantFrom(...ASKERS),
      });
      const numRuns = param.schema.filter === 'function' ? 120 : 10;
      return fc
        .sample(some, { numRuns, seed })
        .map(({ path, params, as }): Question => ({ method: 'GET', as, path: pathWith(path, params) }));
    });
  }

  private list({ model, paths }: Lists): fc.Arbitrary<Question> {
    const params = [...model.listParams.values()].filter((param) => param.name !== 'context');
    const chosen = fc
      .subarray(params, { maxLength: Math.min(5, params.length) })
      .chain((some) => fc.tuple(...some.map((p) => this.param(p))));
    return fc
      .record({
        method: fc.constantFrom('GET' as const, 'GET' as const, 'GET' as const, 'HEAD' as const),
        path: fc.constantFrom(...paths),
        chosen,
        shown: this.showing(model),
        as: fc.constantFrom(...ASKERS),
      })
      .map(({ method, path, chosen, shown, as }) => ({
        method,
        as,
        path: pathWith(path, [...chosen.flat(), ...shown]),
      }));
  }

  private item({ model, paths }: Lists): fc.Arbitrary<Question> {
    const ids = fc.oneof(fc.constantFrom(...(this.pools.ids[model.path] ?? [1])), fc.nat({ max: 60 }));
    return fc
      .record({ path: fc.constantFrom(...paths), id: ids, shown: this.showing(model), as: fc.constantFrom(...ASKERS) })
      .map(({ path, id, shown, as }) => ({ method: 'GET', as, path: pathWith(`${path}/${id}`, shown) }));
  }

  /** Context, choice of fields, embedding. */
  private showing(model: ResourceModel): fc.Arbitrary<Params> {
    const fields = [...model.fields.values()].filter((field) => !field.hidden).map((field) => field.name);
    return fc.oneof(
      fc.constant<Params>([]),
      fc.constantFrom('view', 'embed', 'edit').map((context): Params => [['context', context]]),
      fc.constant<Params>([['_embed', '1']]),
      fc
        .subarray(fields, { minLength: 1, maxLength: Math.min(4, fields.length) })
        .map((some): Params => [['_fields', some.join(',')]]),
    );
  }

  private param(param: ParamModel): fc.Arbitrary<Params> {
    const { name, arg, schema } = param;
    if (schema.filter === 'function') return this.arguments(name, schema.options?.['arguments'] as object | undefined);
    const one = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Params> => value.map((some) => [[name, String(some)]]);
    const { rows } = this.pools;
    if (name === 'page') return one(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: rows + 2 })));
    if (name === 'per_page') return one(fc.integer({ min: 1, max: 100 }));
    if (name === 'offset') return one(fc.nat({ max: rows }));
    if (name === 'search') return one(this.phrase());
    if (name === 'orderby') return one(fc.constantFrom(...(arg.enum ?? ['id'])));
    if (arg.enum) return one(fc.constantFrom(...arg.enum));
    const type = [arg.type ?? 'string'].flat()[0];
    if (type === 'boolean') return one(fc.boolean());
    if (type === 'integer') return one(this.id(name));
    if (arg.format === 'date-time') return one(fc.constantFrom(...this.pools.dates));
    if (type !== 'array') return one(this.text(name));
    const items = arg.items?.enum
      ? fc.constantFrom(...arg.items.enum)
      : arg.items?.type === 'integer'
        ? this.id(name)
        : this.text(name);
    return one(fc.array(items, { minLength: 1, maxLength: 5 }).map((some) => some.join(',')));
  }

  private arguments(name: string, declared: object = {}): fc.Arbitrary<Params> {
    const all = Object.entries(declared as Record<string, Record<string, any>>).map(([key, argument]) =>
      this.argument(key, argument).map((parts): Params => parts.map(([inner, value]) => [`${name}${inner}`, value])),
    );
    return fc.array(fc.oneof(...all), { minLength: 1, maxLength: 3 }).map((some) => some.flat());
  }

  private argument(key: string, { kind, ...options }: Record<string, any>): fc.Arbitrary<Params> {
    const one = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Params> =>
      value.map((some) => [[`[${key}]`, String(some)]]);
    const { slugs, texts, dates } = this.pools;
    switch (kind) {
      case 'ids': {
        const id = options['match'] === 'signed' ? this.id(key).chain((n) => fc.constantFrom(n, -n)) : this.id(key);
        return one(fc.array(id, { minLength: 1, maxLength: 3 }).map((some) => some.join(',')));
      }
      case 'slugs':
        return one(fc.array(fc.constantFrom(...slugs), { minLength: 1, maxLength: 2 }).map((some) => some.join(',')));
      case 'text':
        return one(fc.constantFrom(...slugs, ...texts));
      case 'search':
        return fc.tuple(this.phrase(), fc.constantFrom('', 'exact', 'sentence')).map(([phrase, how]): Params =>
          how === ''
            ? [[`[${key}]`, phrase]]
            : [
                [`[${key}]`, phrase],
                [`[${how}]`, '1'],
              ],
        );
      case 'calendar':
        return one(fc.oneof(fc.nat({ max: 60 }), fc.constantFrom(...dates.map((date) => Number(date.slice(0, 4))))));
      case 'moment':
        return one(
          fc
            .tuple(fc.constantFrom(...dates), fc.constantFrom(4, 6, 8, 10, 12, 14))
            .map(([date, length]) => date.replace(/\D/g, '').slice(0, length)),
        );
      case 'dates':
        return this.dateQuery(key, Object.keys(options['columns'] ?? {}));
      case 'order':
        return one(fc.constantFrom(...Object.keys(options['keys'] as object).filter((name) => !CHANCE.has(name))));
      case 'term':
        return fc
          .tuple(fc.constantFrom(...Object.keys(options['of'] as object)), fc.constantFrom(...slugs))
          .map(([of, slug]): Params => [
            [`[${options['by']}]`, of],
            [`[${key}]`, slug],
          ]);
      case 'rule':
        return one(fc.constantFrom(...Object.keys(options['rules'] as object)));
      case 'param':
        return options['param'] === 'order' ? one(fc.constantFrom('ASC', 'DESC')) : one(fc.integer({ min: 1, max: 9 }));
      default:
        return one(fc.boolean());
    }
  }

  private dateQuery(key: string, columns: string[]): fc.Arbitrary<Params> {
    const part = fc.constantFrom(
      'year',
      'month',
      'day',
      'week',
      'hour',
      'minute',
      'second',
      'dayofweek',
      'dayofyear',
      'dayofweek_iso',
    );
    const compare = fc.constantFrom('=', '!=', '>', '>=', '<', '<=');
    const number = fc.oneof(fc.nat({ max: 60 }), fc.integer({ min: 1995, max: 2040 }));
    const parts = fc.tuple(part, number, compare).map(([name, value, how]): Params => [
      [`[${key}][0][${name}]`, String(value)],
      [`[${key}][0][compare]`, how],
    ]);
    const range = fc
      .tuple(fc.constantFrom('after', 'before'), fc.constantFrom(...this.pools.dates), fc.boolean())
      .map(([side, date, inclusive]): Params => [
        [`[${key}][0][${side}]`, date],
        [`[${key}][0][inclusive]`, String(inclusive)],
      ]);
    const column = fc.option(fc.constantFrom(...columns), { nil: undefined });
    return fc
      .tuple(fc.oneof(parts, range), column)
      .map(([some, name]): Params => (name === undefined ? some : [...some, [`[${key}][0][column]`, name]]));
  }

  // An id that the parameter is likely about, of any resource else, or of none.
  private id(name: string): fc.Arbitrary<number> {
    const { ids } = this.pools;
    const known =
      Object.keys(ids).find((path) => path === name.replace(/_.*/, '')) ?? (name.startsWith('author') ? 'users' : '');
    const own = ids[known] ?? [];
    const any = fc.constantFrom(...Object.values(ids).flat(), 0, 999_999_999);
    return own.length > 0 ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...own) }, any) : any;
  }

  private text(name: string): fc.Arbitrary<string> {
    const { slugs, texts } = this.pools;
    if (name === 'status') return fc.constantFrom('approve', 'hold', 'spam', 'trash', 'all', 'any');
    if (name === 'roles') return fc.constantFrom('administrator', 'author', 'subscriber', 'Author', 'none');
    if (/mime|type/.test(name))
      return fc.constantFrom('comment', 'all', 'pingback', 'image/png', 'text/plain', 'Image/png');
    return fc.constantFrom(...slugs, ...texts);
  }

  private phrase(): fc.Arbitrary<string> {
    const { words, texts } = this.pools;
    const word = fc.constantFrom(...words);
    const piece = fc.tuple(fc.constantFrom(...words, ...texts), fc.nat({ max: 4 }), fc.integer({ min: 1, max: 5 }));
    return fc.oneof(
      word,
      word.map((one) => one.toUpperCase()),
      fc.tuple(word, word).map((pair) => pair.join(' ')),
      fc.tuple(word, word).map(([one, other]) => `${one} -${other}`),
      fc.tuple(word, word).map((pair) => `"${pair.join(' ')}"`),
      piece.map(([text, from, length]) => text.slice(from, from + length)),
      fc.constantFrom('%', '_', '\\', "'", '"', '!', '100%', 'a_b', '!%', "O'", '\\%', '%_%', '😀', '\u0000', 'İ', 'ß'),
    );
  }
}

function given(params: Record<string, unknown>): Params {
  return Object.entries(params).flatMap(([name, value]): Params =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

function pathWith(path: string, params: Params): string {
  if (params.length === 0) return path;
  const parts = params.map(
    ([name, value]) => `${name.replace(/[^\w[\]]/g, encodeURIComponent)}=${encodeURIComponent(value.toWellFormed())}`,
  );
  return `${path}?${parts.join('&')}`;
}
