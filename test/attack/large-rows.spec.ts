// Large items cost nothing where they are refused: no text is read, and no writer waits, for a caller without permission.
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { WholeRow } from '../../src/storage/reads/whole-row.js';
import { administrator, makeActor, type Headers, type TestActor } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';

const TEXT = 'Some words of no interest. '.repeat(45_000);

let site: TestSite;
let admin: TestActor;
let callers: [string, TestActor['headers']][];
let post: number;
let revision: number;
const texts = jest.spyOn(WholeRow.prototype, 'read');

beforeAll(async () => {
  site = await startTestSite('schemas');
  admin = administrator(site);
  callers = [
    ['nobody', {}],
    ['a subscriber', (await makeActor(site, 'subscriber')).headers],
    ['an author of other posts', (await makeActor(site, 'author')).headers],
  ];
  post = (await send('POST', '/posts', admin.headers, { title: 'Large', content: TEXT, status: 'private' })).body.id;
  await send('POST', `/posts/${post}`, admin.headers, { title: 'Larger', content: `${TEXT}!` });
  [{ id: revision }] = (await send('GET', `/posts/${post}/revisions?_fields=id`, admin.headers)).body;
});
afterAll(async () => {
  texts.mockRestore();
  await site?.close();
});
beforeEach(() => void texts.mockClear());

function send(method: 'GET' | 'POST' | 'DELETE', path: string, headers: Headers, body?: object) {
  return site.send(method, path, { as: headers, body });
}

const REQUESTS: [string, () => Parameters<typeof send>[1], Parameters<typeof send>[0], object?][] = [
  ['reading it', () => `/posts/${post}`, 'GET'],
  ['reading it to edit it', () => `/posts/${post}?context=edit`, 'GET'],
  ['changing it', () => `/posts/${post}`, 'POST', { title: 'Mine' }],
  ['changing its text', () => `/posts/${post}`, 'POST', { content: 'Short' }],
  ['deleting it', () => `/posts/${post}?force=true`, 'DELETE'],
  ['listing its revisions', () => `/posts/${post}/revisions`, 'GET'],
  ['comparing a revision', () => `/posts/${post}/revisions/${revision}?diff=true`, 'GET'],
  ['restoring a revision', () => `/posts/${post}/revisions/${revision}/restore`, 'POST'],
  ['deleting a revision', () => `/posts/${post}/revisions/${revision}?force=true`, 'DELETE'],
  ['looking for a revision below another item', () => `/posts/${post}/revisions/${post}?force=true`, 'DELETE'],
];

test.each(REQUESTS)('%s', async (...[, path, method, body]) => {
  for (const [who, headers] of callers) {
    const { status } = await send(method, path(), headers, body);
    expect([who, status]).toEqual([who, who === 'nobody' ? 401 : 403]);
  }
  expect(texts).not.toHaveBeenCalled();
});

test('writes of callers without the right begin no transaction', async () => {
  const begun = jest.spyOn(site.site.store, 'transaction');
  try {
    for (const [who, headers] of callers.slice(0, 2)) {
      const written = await send('POST', '/posts', headers, { title: 'Mine' });
      const changed = await send('POST', `/posts/${post}`, headers, { title: 'Mine' });
      const deleted = await send('DELETE', `/posts/${post}`, headers);
      const expected = who === 'nobody' ? 401 : 403;
      expect([written.status, changed.status, deleted.status]).toEqual([expected, expected, expected]);
    }
    expect(begun).not.toHaveBeenCalled();
  } finally {
    begun.mockRestore();
  }
});

test('revisions of a large item are listed without reading texts that are not requested', async () => {
  const listed = await send('GET', `/posts/${post}/revisions?_fields=id,author`, admin.headers);
  expect(listed.body).toEqual([{ id: revision, author: 1 }]);
  expect(texts).not.toHaveBeenCalled();
});

test('callers with the right get its texts and their difference', async () => {
  const read = await send('GET', `/posts/${post}?context=edit`, admin.headers);
  expect(read.body.content.raw).toBe(`${TEXT}!`);
  expect(texts).toHaveBeenCalled();
  const compared = await send('GET', `/posts/${post}/revisions/${revision}?diff=true&_fields=diff`, admin.headers);
  expect(Object.keys(compared.body.diff)).toEqual(['title', 'content', 'excerpt']);
});
