// Searches and rendered texts after random changes, compared with what follows from the texts as they were written: neither
// may depend on how texts are stored.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { equals } from '../../src/model/query.js';
import { fold } from '../../src/text/fold.js';
import { renderContent, renderExcerpt, renderTitle } from '../../src/text/render.js';
import { administrator } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { runs } from '../support/runs.js';
import type { HttpResponse, Method, Sent } from '../support/send.js';

type Texts = Record<'title' | 'excerpt' | 'content', string>;

const WORDS = [
  'Plum',
  'ÉLAN',
  'élan',
  'Zürich',
  'OSLO',
  'ΣΟΦΙΑ',
  'ﬁgs',
  "it's",
  '“quoted”',
  '<b>bold</b>',
  'a\n\nb',
  '100%',
  'x_y',
];
const ASKED = [
  'plum',
  'lum',
  'elan',
  'ÉLAN',
  'zurich',
  'oslo',
  'σοφια',
  'figs',
  "it's",
  'quoted',
  'bold',
  '100%',
  'x_y',
  'um',
];

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite('schemas');
});
afterAll(() => site.close());

const send = (status: number, method: Method, path: string, sent: Sent = {}): Promise<HttpResponse> =>
  site.send(method, path, { as: administrator(site).headers, status, ...sent });

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '));
const named = text.map((words) => `${words} .`);
const change = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), texts: fc.record({ title: named, excerpt: text, content: text }) }),
  fc.record({
    kind: fc.constant('update' as const),
    at: fc.nat(5),
    texts: fc.record({ title: named, excerpt: text, content: text }, { requiredKeys: [] }),
  }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(5) }),
);

it('searches find written texts, and show them rendered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 12 }), async (changes) => {
      const there = new Map<number, Texts>();
      for (const { id } of (await send(200, 'GET', '/posts?per_page=100')).body)
        await send(200, 'DELETE', `/posts/${id}?force=true`);
      for (const each of changes) {
        const ids = [...there.keys()];
        if (each.kind === 'create') {
          const { body } = await send(201, 'POST', '/posts', { body: { ...each.texts, status: 'publish' } });
          there.set(body.id, each.texts);
        } else if (ids.length > 0) {
          const id = ids[each.at % ids.length]!;
          if (each.kind === 'delete') {
            await send(200, 'DELETE', `/posts/${id}?force=true`);
            there.delete(id);
          } else {
            await send(200, 'PATCH', `/posts/${id}`, { body: each.texts });
            there.set(id, { ...there.get(id)!, ...each.texts });
          }
        }
      }
      const { body: shown } = await send(200, 'GET', '/posts?per_page=100&orderby=id&order=asc');
      expect(
        shown.map(({ title, excerpt, content }: Record<string, any>) => [
          title.rendered,
          excerpt.rendered,
          content.rendered,
        ]),
      ).toEqual(
        [...there.values()].map(({ title, excerpt, content }) => [
          renderTitle(title.trim()),
          renderExcerpt(excerpt, content),
          renderContent(content),
        ]),
      );
      for (const word of ASKED) {
        const { body } = await send(
          200,
          'GET',
          `/posts?search=${encodeURIComponent(word)}&per_page=100&orderby=id&order=asc`,
        );
        const expected = [...there].filter(([, texts]) =>
          Object.values(texts).some((each) => fold(each).includes(fold(word))),
        );
        expect([word, body.map(({ id }: { id: number }) => id)]).toEqual([word, expected.map(([id]) => id)]);
      }
    }),
    { numRuns: runs(50) },
  );
});

it('texts are stored once, and those written by other programs are rendered', async () => {
  const content = 'Plums and more plums, in a sentence of some length.';
  const { body } = await send(201, 'POST', '/posts', { body: { title: 'Plums', content, status: 'publish' } });
  const { store } = site.site;
  const columns = ['title_rendered', 'content_rendered', 'excerpt_rendered', 'search_text'];
  const row = (await store.reader.first('contents', columns, equals('id', body.id)))!;
  for (const column of columns.slice(0, 3)) expect(row[column].length).toBeLessThan(30);
  expect(row['search_text']).toBe(store.lowersTexts ? '' : `plums\n\n${content.toLowerCase()}`);

  const changed = 'Cherries, written by another program.';
  await store.transaction((tx) => tx.update('contents', { content: changed }, equals('id', body.id)));
  const { body: shown } = await send(200, 'GET', `/posts/${body.id}`);
  expect(shown.content.rendered).toBe(`<p>${changed}</p>\n`);
  expect(shown.excerpt.rendered).toBe(`<p>${changed}</p>\n`);
});
