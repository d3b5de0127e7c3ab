// Dump and load on an invented domain: fields of every type, a shared table, unique values, nested paths.
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { equals } from '../../../src/model/query.js';
import { at, start, dump, linesOf, load, newPlace, tablesOf, Talk, textsOf, type Place } from './dump-world.js';

const here = (name: string) => fileURLToPath(new URL(`../../engine/library/${name}`, import.meta.url));
const SETTINGS = {
  ROLES_FILE: here('roles.json'),
  API_NAMESPACE: 'library/v1',
  SITE_TIMEZONE: 'Europe/Tallinn',
  SITE_DEFAULT_ROLE: 'reader',
};

let source: Place;
let target: Place;
let folder: string;

beforeAll(async () => {
  source = newPlace(here('schemas'), SETTINGS);
  target = newPlace(here('schemas'), SETTINGS);
  await fill(source);
  ({ folder } = await dump(source));
  await load(target, folder);
});

async function fill(place: Place): Promise<void> {
  const site = await start(place);
  try {
    const talk = new Talk(site);
    const kross = await talk.make('/authors', { name: 'Jaan Kross', country: 'EE', born: '1920-02-19', living: false });
    const other = await talk.make('/authors', {
      name: 'Ünterberg',
      biography: 'Long "ago"',
      website: 'https://example.org/',
    });
    const book = await talk.make('/books', {
      title: 'The Czar’s Madman',
      isbn: '978-0123456789',
      weight: 0.375,
      pages: 362,
      published: '1978-05-01',
      tags: ['tsar', 'Estonia', 'a'],
      authors: [other, kross],
      editor: other,
      dimensions: { height: 21.5, width: 14, measured_by: 'Ann' },
      chapters: [{ title: 'One', page: 1 }, { title: 'Two' }],
      blurb: 'Read it\n\nnow',
      meta: { binding: 'cloth', prices: [9.5, 12] },
    });
    await talk.make('/books', { title: 'Untouched' });
    const lost = await talk.make('/books', { title: 'Gone', copies: 3 });
    await talk.send('DELETE', `/books/${lost}`);
    const loan = await talk.make('/loans', {
      ticket: 'T-1',
      borrower: 'a@example.org',
      book,
      due: '2030-01-01T10:00:00+03:00',
      taken: '2029-12-01T09:00:00',
      desk: '10.0.0.1',
    });
    await talk.send('POST', `/loans/${loan}`, { returned: true });
    await talk.make(`/books/${book}/reviews`, { rating: 5, text: 'See https://example.org' });
    await talk.make('/branches', { code: 'west', city: 'Haapsalu' });
    await site.site.store.transaction((tx) => tx.update('works', { acquisition: 'gift of "N."' }, equals('id', book)));
  } finally {
    await site.close();
  }
}

describe('an invented library', () => {
  it('is dumped as lines in the terms of its schemas', () => {
    expect(linesOf(folder, 'book')[0]).toEqual({
      id: 1,
      title: 'The Czar’s Madman',
      subtitle: null,
      isbn: '978-0123456789',
      genre: 'novel',
      pages: 362,
      weight: 0.375,
      copies: 0,
      published: '1978-05-01',
      shelf_mark: '',
      reference_only: false,
      status: 'shelved',
      tags: ['tsar', 'Estonia', 'a'],
      authors: [1, 2],
      editor: 2,
      dimensions: { height: 21.5, width: 14, measured_by: 'Ann' },
      chapters: [{ title: 'One', page: 1 }, { title: 'Two' }],
      blurb: 'Read it\n\nnow',
      staff_note: '',
      loan_count: 0,
      acquisition: 'gift of "N."',
      meta: { binding: ['cloth'], prices: ['9.5', '12'] },
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      date_gmt: expect.any(String),
      modified: expect.any(String),
      modified_gmt: expect.any(String),
      slug: 'the-czars-madman',
      $version: 1,
    });
    expect(linesOf(folder, 'loan')[0]).toMatchObject({ due: '2030-01-01T07:00:00', returned: true, $version: 2 });
    expect(Object.keys(textsOf(folder))).not.toContain('genre.jsonl');
  });

  it('is the same after a load into another database', async () => {
    expect(await tablesOf(target)).toEqual(await tablesOf(source));
    expect(textsOf((await dump(target)).folder)).toEqual(textsOf(folder));
  });

  it('gives the same responses after a load', async () => {
    const paths = [
      '/books?context=edit&status=shelved,trash&per_page=20',
      '/authors?context=edit',
      '/loans',
      '/books/1/reviews?context=edit',
      '/branches',
      '/books?search=czar',
      '/members?context=edit',
      '/books?tag=tsar',
    ];
    const responses: object[][] = [];
    const [first, second] = [await start(source), await start(target)];
    for (const site of [first, second]) {
      const talk = new Talk(site);
      talk.headers = { Authorization: `Basic ${Buffer.from('admin:correct horse battery').toString('base64')}` };
      const own: object[] = [];
      for (const path of paths) own.push(await talk.response(path));
      responses.push(own);
      await site.close();
    }
    expect(responses[0]!.map((response: any) => response.status)).toEqual(paths.map(() => 200));
    expect(responses[1]).toEqual(responses[0]);
  });

  it('has no additional first account and no seeds after a load', async () => {
    expect(await at(target, ({ accounts }) => accounts!.any())).toBe(true);
    expect(linesOf(folder, 'branch').map(({ code }) => code)).toEqual(['central', 'west']);
  });
});
