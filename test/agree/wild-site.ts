// A few hundred items by chance beside those of the dump specs: texts of every script, in pairs that differ in case, accents or a blank.
// The same seed makes the same items. Used by engines-agree.spec.ts.
import * as fc from 'fast-check';
import type { ContentBatch } from '../../src/engine/content-writer.js';
import type { TestSite } from '../support/start-test-site.js';
import type { Pools } from './questions.js';

/** Texts that databases are known to order, fold or compare differently. */
const PICKED = [
  'zebra',
  'Zebra',
  'ZEBRA',
  'zébra',
  'zebra ',
  ' zebra',
  'zebra\u0301',
  'Žebra',
  'zebra\u00a0x',
  'zebra-x',
  'zebra_x',
  'zebraX',
  'apple',
  'Äpfel',
  'Apfel',
  'Åpple',
  'a',
  'A',
  'aa',
  'a b',
  'a_b',
  'a%b',
  '100%',
  '100% sure',
  '1000',
  '10',
  '9',
  '٣',
  "O'Hara",
  'O’Hara',
  'say "so"',
  'back\\slash',
  'back\\',
  'a!b',
  'a!%b',
  'a;b--',
  '$1',
  '$$x$$',
  '?',
  ':name',
  'straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ISTANBUL',
  'ıssız',
  'Ελλάς',
  'ΕΛΛΆΣ',
  'ελλάς',
  'Идиот',
  'идиот',
  'ёж',
  'еж',
  '日本語',
  '日本',
  'ｶﾅ',
  'カナ',
  '한국',
  'עברית',
  'العربية',
  '😀',
  '😀😁',
  '👩‍👩‍👧',
  'ﬁsh',
  'fish',
  'Ǆ',
  'ǆ',
  '\u{1d400}',
  '\ufffd',
  '\u{10ffff}',
  'tab\there',
  'line\u2028end',
  'a&amp;b',
  'a & b',
  '<b>bold</b>',
  'null',
  'NULL',
  '',
  '-',
  '--',
  '…',
];
const WORDS = [
  'water',
  'Water',
  'zebra',
  'žebra',
  'straße',
  'naïve',
  'NAIVE',
  'quetzal',
  '日本',
  '😀',
  '100%',
  'a_b',
  "O'Hara",
  '"x"',
  'ёж',
  'İx',
];

const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...PICKED) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  },
);
const prose = fc.array(fc.oneof(fc.constantFrom(...WORDS), text), { maxLength: 40 }).map((words) => words.join(' '));
const date = fc.oneof(
  // Few moments, so that ties are common.
  fc.constantFrom('2020-02-29T23:59:59', '2021-01-01T00:00:00', '2021-01-01T00:00:01', '2024-12-30T12:00:00'),
  fc
    .date({ min: new Date('1996-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 19)),
);
const position = fc.nat({ max: 999 });
const few = fc.array(position, { maxLength: 4 });
const states = fc.constantFrom('publish', 'publish', 'publish', 'publish', 'draft', 'pending', 'private', 'future');

const term = fc.record({
  name: text,
  description: fc.oneof(fc.constant(''), prose),
  parent: position,
  term_group: fc.nat({ max: 3 }),
});
const account = fc.record({
  name: text,
  first_name: text,
  description: prose,
  roles: fc.subarray(['author', 'editor', 'subscriber']),
});
const content = {
  title: text,
  content: prose,
  excerpt: fc.oneof(fc.constant(''), prose),
  status: states,
  date,
  author: position,
  password: fc.constantFrom('', '', '', '', '', '', 'Sesame'),
};
const post = fc.record({
  ...content,
  sticky: fc.constantFrom(false, false, false, true),
  format: fc.constantFrom('standard', 'aside', 'quote'),
  categories: few,
  tags: few,
});
const page = fc.record({ ...content, parent: position, menu_order: fc.integer({ min: -3, max: 3 }) });
const remark = fc.record({
  post: position,
  author: position,
  author_name: text,
  content: prose,
  status: fc.constantFrom('approved', 'approved', 'approved', 'hold', 'spam', 'trash'),
  date,
});

/** Adds the items to a running site; returns what to request. */
export async function addWildItems({ site }: TestSite, seed: number): Promise<Pools> {
  const some = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] => fc.sample(arbitrary, { seed, numRuns });
  const ids: Pools['ids'] = { posts: [], pages: [], comments: [], categories: [], tags: [], users: [] };
  const at = (path: string, n: number): number => (ids[path]!.length === 0 ? 0 : ids[path]![n % ids[path]!.length]!);
  const make = async (path: string, arbitrary: fc.Arbitrary<any>, count: number, write: Write): Promise<void> => {
    for (const values of some(arbitrary, count))
      ids[path]!.push(await site.writer.batch((batch) => write(batch, values)));
  };
  await make('users', account, 40, ({ create }, values) => {
    const username = `user${ids['users']!.length}`;
    const email = `${username}@Example.org`;
    return create('user', { ...values, username, email, slug: username, url: `https://example.org/${username}` });
  });
  const parentOf = (path: string, n: number): number => (n % 3 === 0 ? at(path, n) : 0);
  for (const [path, resource] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const)
    await make(path, term, 50, ({ create }, { parent, ...values }) => {
      const name =
        values.name.trim() === '' ? `unnamed ${ids[path]!.length}` : `${values.name} ${ids[path]!.length % 7}`;
      const below = resource === 'category' ? { parent: parentOf(path, parent) } : {};
      return create(resource, { ...values, ...below, name, slug: `${resource}-${ids[path]!.length}` });
    });
  await make('posts', post, 160, ({ create }, values) =>
    create('post', {
      ...values,
      password: values.sticky ? '' : values.password,
      author: at('users', values.author),
      categories: values.categories.map((n: number) => at('categories', n)),
      tags: values.tags.map((n: number) => at('tags', n)),
    }),
  );
  await make('pages', page, 50, ({ create }, values) =>
    create('page', { ...values, author: at('users', values.author), parent: parentOf('pages', values.parent) }),
  );
  await make('comments', remark, 120, ({ create }, values) => {
    const author = values.author % 3 === 0 ? at('users', values.author) : 0;
    return create('comment', {
      ...values,
      author,
      author_email: author === 0 ? `guest${values.author % 9}@example.org` : '',
      author_url: '',
      post: at('posts', values.post % 40),
    });
  });
  return {
    ids,
    slugs: [
      'zebra',
      'category-3',
      'category-10',
      'tag-4',
      'tag-12',
      'user3',
      'user11',
      'strasse',
      'about',
      'house',
      'nothing',
    ],
    texts: PICKED.filter((picked) => picked.trim() !== ''),
    words: WORDS,
    dates: some(date, 12),
    rows: 200,
  };
}

type Write = (batch: ContentBatch, values: any) => Promise<number>;
