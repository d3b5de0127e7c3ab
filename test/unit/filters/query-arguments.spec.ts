import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { queryArguments } from '../../../src/filters/query-arguments/query-arguments.function.js';
import { and, type OrderKey, type Predicate } from '../../../src/model/query.js';
import type { ParamSchema } from '../../../src/model/schema/schema.js';
import { sqliteDialect } from '../../../src/storage/sqlite/dialect.js';
import { Statements } from '../../../src/storage/sql/statements.js';
import { filterParam, listOf, post, tables } from './post-arguments.js';
import { runs } from '../../support/runs.js';
import { anyText } from '../../support/any-text.js';

const problems: string[] = [];
const compile = (param: ParamSchema) =>
  queryArguments.compile({ ...param, name: 'filter' }, post, (path, message) =>
    problems.push(`${path.join('.')}: ${message}`),
  );
const run = compile(filterParam)!;

async function apply(filter: unknown, plain: Record<string, unknown> = {}, capabilities = ['edit_posts']) {
  const { op, plan, queries } = listOf(plain, capabilities);
  await run(filter, plan, op);
  return { op, plan, asked: queries, where: and(...plan.where) };
}

const FALSE: Predicate = { op: 'false' };
const TRUE: Predicate = { op: 'true' };
const eq = (column: string, value: any): Predicate => ({ op: 'eq', column, value });
const isIn = (column: string, ...values: any[]): Predicate => ({ op: 'in', column, values });
const not = (of: Predicate): Predicate => ({ op: 'not', of });
const part = (name: any, value: number, column = 'date'): Predicate => ({ op: 'datePart', part: name, column, value });
const bound = (op: 'gt' | 'ge' | 'lt' | 'le', value: string, column = 'date'): Predicate => ({ op, column, value });
const held = (table: string, ...values: number[]): Predicate => ({
  op: 'exists',
  table,
  outer: 'id',
  inner: 'owner_id',
  where: values.length === 1 ? eq('target_id', values[0]) : isIn('target_id', ...values),
});
const cats = (...values: number[]) => held('contents_categories', ...values);
const tags = (...values: number[]) => held('contents_tags', ...values);

it('the query arguments of posts compile', () => expect(problems).toEqual([]));

describe('conditions', () => {
  it.each<[string, Record<string, unknown>, Predicate]>([
    ['author, one', { author: '7' }, eq('author', 7)],
    ['author, some and not others', { author: '7, 8,-9' }, and(isIn('author', 7, 8), not(eq('author', 9)))],
    ['author, none of', { author: -9 }, not(eq('author', 9))],
    ['author, not a number', { author: 'x' }, FALSE],
    ['author, fraction', { author: '1.5' }, FALSE],
    ['author__in', { author__in: ['7', 'x', 8] }, isIn('author', 7, 8)],
    ['author__not_in', { author__not_in: '7 8' }, not(isIn('author', 7, 8))],
    ['author__not_in, nothing valid', { author__not_in: ['x'] }, TRUE],
    ['author_name', { author_name: 'Ann' }, eq('author', 7)],
    ['author_name, unknown', { author_name: 'zoe' }, FALSE],
    ['cat with descendants', { cat: '1' }, cats(1, 2, 3)],
    ['cat, without descendants of another', { cat: '4,-1' }, and(cats(4), not(cats(1, 2, 3)))],
    ['cat in a circle', { cat: 5 }, cats(5, 6)],
    ['cat, unknown', { cat: 99 }, cats(99)],
    ['category_name', { category_name: 'News' }, cats(1, 2, 3)],
    ['category_name, any', { category_name: 'town,sport' }, cats(3, 4)],
    ['category_name, all', { category_name: 'local+sport' }, and(cats(2, 3), cats(4))],
    ['category_name, all with a decoded plus', { category_name: 'local sport' }, and(cats(2, 3), cats(4))],
    ['category_name, path', { category_name: 'news/local/' }, cats(2, 3)],
    ['category_name, any of which one exists', { category_name: 'town,zoo' }, cats(3)],
    ['category_name, all of which one exists', { category_name: 'town+zoo' }, FALSE],
    ['category_name, unknown', { category_name: 'zoo' }, FALSE],
    ['category_name, only of its own set', { category_name: 'red' }, FALSE],
    ['category__in', { category__in: [1, 4] }, cats(1, 4)],
    ['category__not_in', { category__not_in: '1' }, not(cats(1))],
    ['category__and', { category__and: [1, 4] }, and(cats(1), cats(4))],
    ['category__and, nothing valid', { category__and: ['x'] }, FALSE],
    ['tag', { tag: 'red' }, tags(11)],
    ['tag, any', { tag: 'red, blue' }, tags(11, 12)],
    ['tag, all', { tag: 'red+blue' }, and(tags(11), tags(12))],
    ['tag, list', { tag: ['red', 'blue'] }, tags(11, 12)],
    ['tag, hostile', { tag: { a: { b: 1 } } }, FALSE],
    ['tag_id', { tag_id: '11' }, tags(11)],
    ['tag__in', { tag__in: { 0: 11, 5: 12 } }, tags(11, 12)],
    ['tag__not_in', { tag__not_in: [11, 12] }, not(tags(11, 12))],
    ['tag__and', { tag__and: '11,12' }, and(tags(11), tags(12))],
    ['tag_slug__in', { tag_slug__in: 'red,zoo' }, tags(11)],
    ['tag_slug__and', { tag_slug__and: ['red', 'zoo'] }, FALSE],
    ['taxonomy and term', { taxonomy: 'post_tag', term: 'news' }, tags(13)],
    ['taxonomy and term, tree', { taxonomy: 'category', term: 'local' }, cats(2, 3)],
    ['taxonomy, unknown', { taxonomy: '__proto__', term: 'news' }, FALSE],
    ['term alone', { term: 'news' }, TRUE],
    ['name', { name: 'Élan Vital' }, eq('slug', 'elan-vital')],
    ['name of nothing', { name: '!' }, FALSE],
    ['title', { title: 'Élan' }, eq('title_sort', 'elan')],
    ['title, long', { title: 'é'.repeat(200) }, and(eq('title_sort', 'e'.repeat(191)), eq('title', 'é'.repeat(200)))],
    ['post__not_in', { post__not_in: '5' }, not(eq('id', 5))],
    ['post__in, nothing valid', { post__in: ['x', 0] }, FALSE],
    ['year', { year: '2016' }, part('year', 2016)],
    [
      'month, day, hour, minute, second, week',
      { monthnum: 2, day: 3, hour: 0, minute: 0, second: 59, w: 5 },
      and(part('month', 2), part('day', 3), part('week', 5), part('hour', 0), part('minute', 0), part('second', 59)),
    ],
    ['calendar, malformed', { year: 'x', monthnum: '0', day: -1, hour: [], minute: {} }, TRUE],
    ['calendar, too large', { year: 1e12 }, FALSE],
    ['m, month', { m: '2016-12' }, and(part('year', 2016), part('month', 12))],
    [
      'm, second',
      { m: '20161231235958' },
      and(
        part('year', 2016),
        part('month', 12),
        part('day', 31),
        part('hour', 23),
        part('minute', 59),
        part('second', 58),
      ),
    ],
    ['m, no month', { m: '201600' }, FALSE],
    ['m, malformed', { m: 'x' }, TRUE],
    [
      'exact',
      { s: 'Big "Élan"', exact: '1' },
      { op: 'or', of: [eq('title_sort', 'big "elan"'), eq('content', 'Big "Élan"')] },
    ],
    ['perm, editable', { perm: 'editable' }, eq('author', 7)],
    ['perm, unknown', { perm: 'constructor' }, TRUE],
    ['unknown names', { banana: 1, feed: 'rss', post_parent: 3, posts_per_page: -1, nopaging: 1, fields: 'ids' }, TRUE],
    ['empty values', { author: '', cat: null, tag: undefined, year: '' }, TRUE],
    [
      'a list longer than read',
      { post__not_in: Array.from({ length: 150 }, (_, i) => i + 1) },
      not(isIn('id', ...Array.from({ length: 100 }, (_, i) => i + 1))),
    ],
  ])('%s', async (_name, filter, expected) => expect((await apply(filter)).where).toEqual(expected));
});

describe('date_query', () => {
  const after = bound('gt', '2016-05-31T23:59:59');
  it.each<[string, unknown, Predicate]>([
    ['after a month', [{ after: '2016-05' }], after],
    ['a clause without its list', { after: '2016-05' }, after],
    ['after, inclusive', [{ after: '2016-05', inclusive: 'true' }], bound('ge', '2016-05-01T00:00:00')],
    ['before', [{ before: '2016' }], bound('lt', '2016-01-01T00:00:00')],
    ['before, inclusive', [{ before: '2016-02', inclusive: true }], bound('le', '2016-02-29T23:59:59')],
    ['a minute', [{ before: '2016-02-03 04:05' }], bound('lt', '2016-02-03T04:05:00')],
    ['an object', [{ after: { year: '2016', month: 2 } }], bound('gt', '2016-02-29T23:59:59')],
    ['an offset', [{ after: '2016-07-01T00:00:00Z' }], bound('gt', '2016-07-01T02:00:00')],
    [
      'an offset, other column',
      [{ after: '2016-07-01T02:00:00+02:00', column: 'post_date_gmt' }],
      bound('gt', '2016-07-01T00:00:00', 'date_gmt'),
    ],
    ['column of the whole', { column: 'post_modified', 0: { year: 2016 } }, part('year', 2016, 'modified')],
    ['unknown column', [{ year: 2016, column: 'password' }], part('year', 2016)],
    [
      'parts',
      [{ year: 2016, month: '3', dayofweek: 1, hour: 0 }],
      and(part('year', 2016), part('month', 3), part('weekday', 1), part('hour', 0)),
    ],
    ['and', [{ year: 2016 }, { month: 3 }], and(part('year', 2016), part('month', 3))],
    [
      'or',
      { relation: 'or', 0: { year: 2016 }, 1: { year: 2018, month: 1 } },
      { op: 'or', of: [part('year', 2016), and(part('year', 2018), part('month', 1))] },
    ],
    [
      'nested',
      [{ relation: 'OR', 0: { year: 2016 }, 1: { year: 2017 } }, { hour: 9 }],
      and({ op: 'or', of: [part('year', 2016), part('year', 2017)] }, part('hour', 9)),
    ],
    ['or with a clause that says nothing', { relation: 'OR', 0: { year: 'x' }, 1: { month: 3 } }, part('month', 3)],
    ['malformed', [{ after: '2016-13', before: 'yesterday' }, 'x', 7, null], TRUE],
    ['no clause', 'x', TRUE],
  ])('%s', async (_name, date_query, expected) => expect((await apply({ date_query })).where).toEqual(expected));
});

describe('parameters', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
    ['s', { search: 'old' }, { s: 'new' }, { search: 'new' }],
    ['s, nothing', { search: 'old' }, { s: ' ' }, { search: 'old' }],
    ['sentence', {}, { s: 'two words', sentence: 1 }, { search: '"two words"' }],
    ['sentence with quotes', {}, { s: 'two "big" words', sentence: 1 }, { search: '"two " "big" " words"' }],
    ['exact', {}, { s: 'two words', exact: true }, { search: '"two words"' }],
    ['author', { author: [1], author_exclude: [2] }, { author: 7 }, { author: undefined, author_exclude: [2] }],
    [
      'author, excluded',
      { author: [1], author_exclude: [2] },
      { author: -7 },
      { author: [1], author_exclude: undefined },
    ],
    ['category', { categories: [1], tags: [2] }, { category_name: 'news' }, { categories: undefined, tags: [2] }],
    ['name', { slug: ['a'] }, { name: 'b' }, { slug: undefined }],
    ['post__in', { include: [1, 2] }, { post__in: '5,3' }, { include: [5, 3] }],
    ['post__not_in', { exclude: [1] }, { post__not_in: '5' }, { exclude: undefined }],
    ['dates', { after: 'x' }, { date_query: [{ year: 2016 }] }, { after: undefined }],
    ['dates that say nothing', { after: 'x' }, { date_query: [{}] }, { after: 'x' }],
    ['offset', { offset: 1 }, { offset: '5' }, { offset: 5 }],
    ['offset, malformed', { offset: 1 }, { offset: '-5' }, { offset: 1 }],
    ['paged', { page: 3 }, { paged: '2' }, { page: 2 }],
    ['paged, malformed', { page: 3 }, { paged: 'x' }, { page: 3 }],
    ['order', {}, { order: 'ASC' }, { order: 'asc' }],
    ['order, malformed', {}, { order: 'up' }, { order: 'desc' }],
    ['post_status', {}, { post_status: 'draft,banana' }, { status: ['draft'] }],
    ['post_status, list', {}, { post_status: ['draft', 'publish'] }, { status: ['draft', 'publish'] }],
    ['posts_per_page', {}, { posts_per_page: -1 }, { per_page: 10 }],
    ['orderby, unknown', { orderby: 'title' }, { orderby: 'banana' }, { orderby: 'date' }],
  ])('%s', async (_name, plain, filter, expected) => {
    const { params } = (await apply(filter, plain)).op;
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, params[name]]))).toEqual(expected);
  });

  it('an unknown status finds nothing', async () =>
    expect((await apply({ post_status: 'banana' })).where).toEqual(FALSE));

  it('a second argument for ids narrows the first', async () => {
    const { op, where } = await apply({ p: 5, post__in: [5, 6] }, { include: [9] });
    expect([op.params['include'], where]).toEqual([[5], isIn('id', 5, 6)]);
  });
});

describe('order', () => {
  const key = (column: string, direction: 'asc' | 'desc'): OrderKey => ({ column, direction });
  it.each<[string, Record<string, unknown>, OrderKey[] | undefined]>([
    ['a column and the id', { orderby: 'modified' }, [key('modified', 'desc'), key('id', 'desc')]],
    ['direction', { orderby: 'title', order: 'asc' }, [key('title_sort', 'asc'), key('id', 'asc')]],
    [
      'several',
      { orderby: 'author banana name author' },
      [key('author', 'desc'), key('slug', 'desc'), key('id', 'desc')],
    ],
    [
      'directions of their own',
      { orderby: { title: 'ASC', ID: 'DESC' } },
      [key('title_sort', 'asc'), key('id', 'desc')],
    ],
    ['random', { orderby: 'rand' }, [{ random: true }]],
    ['none', { orderby: 'none' }, [key('id', 'asc')]],
    ['as asked for', { orderby: 'post__in', post__in: [5, 3] }, [{ list: [5, 3], column: 'id' }]],
    ['as asked for, nothing asked for', { orderby: 'post__in' }, undefined],
    ['a column that is not kept', { orderby: 'comment_count' }, undefined],
    ['hostile names', { orderby: { constructor: 'asc', 'id; drop': 'asc' } }, undefined],
  ])('%s', async (_name, filter, expected) => expect((await apply(filter)).plan.ownOrder).toEqual(expected));

  it.each([
    [false, [key('sticky', 'desc')]],
    ['false', [key('sticky', 'desc')]],
    ['1', []],
    ['banana', []],
  ])('ignore_sticky_posts=%s', async (value, expected) =>
    expect((await apply({ ignore_sticky_posts: value })).plan.order).toEqual(expected),
  );
});

describe('the rights of the caller', () => {
  it('private arguments are ignored without the capability', async () => {
    const filter = { post_status: 'draft', tag_id: 11, title: 'x', perm: 'editable', tag: 'red' };
    const { op, where } = await apply(filter, {}, []);
    expect([op.params['status'], where]).toEqual([['publish'], tags(11)]);
  });

  it.each([['text'], [7], [true], [['author', 7]], [new Map([['author', 7]])]])(
    '%p is not an object of arguments',
    async (value) => {
      const { plan } = await apply(value);
      expect(plan).toEqual(listOf().plan);
    },
  );

  it('few lookups are needed', async () => {
    const { asked: queries } = await apply({ category_name: 'news,sport,zoo', tag: 'red+blue', author_name: 'ann' });
    expect(queries.length).toBe(6);
  });
});

describe('schema problems', () => {
  const counting = (x: object) => ({ order: { a: { keys: { x } } } });
  it.each<[string, unknown, string]>([
    ['no arguments', undefined, 'filter.options.arguments: must be an object'],
    ['kind', { x: { a: {} } }, 'filter.options.arguments.x: unknown kind'],
    ['kinds', { ids: 7 }, 'filter.options.arguments.ids: must be an object'],
    ['names', { ids: { a: 'id' }, text: { a: 'slug' } }, 'filter.options.arguments: there are two arguments "a"'],
    ['value alone', { ids: { a: 'x' } }, 'arguments.ids.a.field: must name a field'],
    ['field', { ids: { a: { field: 'x' } } }, 'arguments.ids.a.field: must name a field'],
    ['text for ids', { ids: { a: { field: 'slug' } } }, 'arguments.ids.a.field: "slug" holds no ids'],
    ['match', { ids: { a: { field: 'id', match: 'x' } } }, 'arguments.ids.a.match: must be one of'],
    ['tree', { ids: { a: { field: 'tags', tree: 'x' } } }, 'arguments.ids.a.tree: must name a stored field'],
    ['reference', { slugs: { a: { field: 'title' } } }, 'arguments.slugs.a.field: "title" refers to no resource'],
    ['date', { moment: { a: { field: 'title' } } }, 'arguments.moment.a.field: "title" is not a date-time'],
    ['rule', { rule: { a: { rules: { x: 'y' } } } }, 'arguments.rule.a.rules.x: there is no rule "y"'],
    ['counted items', counting({ count: 'zoo' }), 'order.a.keys.x.count: there is no stored resource "zoo"'],
    ['their reference', counting({ count: 'tag', by: 'zoo' }), 'order.a.keys.x.by: must name a field of "tag"'],
    ['another reference', counting({ count: 'tag', by: 'slug' }), 'order.a.keys.x.by: must name a field of "tag"'],
    ['a key of theirs', counting({ count: 'tag', of: 'x' }), 'order.a.keys.x.of: unknown key'],
    ['set', { term: { a: { by: 'b', of: { c: { field: 'x' } } } } }, 'arguments.term.a.of.c.field: must name a field'],
    ['private', { ids: { a: { field: 'id', private: true } } }, 'filter.options.privateNeeds: names the capability'],
  ])('%s', (_name, args, expected) => {
    problems.length = 0;
    compile({ ...filterParam, options: { arguments: args } });
    expect(problems.join('\n')).toContain(expected);
  });
});

describe('any object', () => {
  const statements = new Statements(sqliteDialect, tables);
  const names = Object.values(filterParam.options!['arguments'] as object).flatMap((named) => Object.keys(named));
  const clauses = fc.dictionary(
    fc.constantFrom(
      'after',
      'before',
      'column',
      'relation',
      'inclusive',
      'year',
      'month',
      'week',
      '0',
      '1',
      '__proto__',
    ),
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constantFrom('2016', '2016-02', 'OR', 'post_date', true),
      fc.object({ maxDepth: 1 }),
    ),
  );
  const value = fc.oneof(
    anyText(),
    fc.constantFrom(
      'news',
      'news/local',
      'red+blue',
      'red,x',
      'ann',
      '1,-2',
      'any',
      'rand',
      'post__in,ID',
      'editable',
      'category',
      '20160101',
    ),
    fc.double(),
    fc.anything(),
    fc.array(fc.oneof(fc.integer(), fc.string(), clauses)),
    clauses,
  );
  const filter = fc.dictionary(
    fc.oneof(
      fc.constantFrom(...names, 'taxonomy', 'exact', 'sentence'),
      fc.constantFrom('__proto__', 'constructor'),
      fc.string(),
    ),
    value,
  );
  const before: Predicate = eq('status', 'publish');

  it('never throws, removes no predicate and selects only existing columns', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.boolean(), async (sent, trusted) => {
        const { op, plan, queries } = listOf({ include: [1], orderby: 'include' }, trusted ? ['edit_posts'] : []);
        plan.where.push(before);
        await run(sent, plan, op);
        expect(plan.where[0]).toBe(before);
        expect(op.params['per_page']).toBe(10);
        expect(op.params['include'].length).toBeGreaterThan(0);
        expect(queries.length).toBeLessThan(60);
        const order = [...plan.order, ...(plan.ownOrder ?? [])];
        statements.select({ table: 'contents', columns: ['id'], where: and(...plan.where), order });
        for (const query of queries) statements.select(query);
        if (!trusted) expect(op.params['status']).toEqual(['publish']);
      }),
      { numRuns: runs(1500) },
    );
  });
});

it('items of a resource outside the scope of the credential are neither found by slug nor as descendants', async () => {
  const asked = async (filter: object, ...resources: string[]) => {
    const { op, plan } = listOf();
    Object.assign(op.actor, { scope: { readOnly: false, resources } });
    await run(filter, plan, op);
    return and(...plan.where);
  };
  expect(await asked({ category_name: 'News' }, 'contents')).toEqual(FALSE);
  expect(await asked({ author_name: 'Ann' }, 'contents')).toEqual(FALSE);
  expect(await asked({ cat: '1' }, 'contents')).toEqual(cats(1));
});
