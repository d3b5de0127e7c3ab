// Content over time: publication by the clock, revisions compared and restored, versions and retries, stored data that
// is repaired.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditData, fixData } from '../../src/maintenance/check-data.js';
import { equals } from '../../src/model/query.js';
import { administrator, makeActor, type Headers } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';

let site: TestSite;
let admin: Headers;

beforeAll(async () => {
  site = await startTestSite('schemas');
  admin = administrator(site).headers;
});
afterAll(() => site.close());

const make = async (body: object, path = '/posts') =>
  (await site.send('POST', path, { as: admin, body, status: 201 })).body;

describe('publication by the clock (11.8)', () => {
  it('happens for a due item without a request, keeps its dates, and counts it', async () => {
    const tag = await make({ name: 'Clock' }, '/tags');
    const soon = new Date(Date.now() + 90_000).toISOString().slice(0, 19);
    const post = await make({ title: 'Later', content: 'x', status: 'publish', date_gmt: soon, tags: [tag.id] });
    expect(post.status).toBe('future');
    await site.send('GET', `/posts/${post.id}`, { status: 401 });
    const { site: clock } = site.site as unknown as { site: { now(): number } };
    const real = clock.now;
    clock.now = () => Date.now() + 95_000;
    try {
      const until = Date.now() + 120_000;
      while ((await site.send('GET', `/posts/${post.id}`)).status !== 200 && Date.now() < until) await sleep(50);
    } finally {
      clock.now = real;
    }
    const { body } = await site.send('GET', `/posts/${post.id}?context=edit`, { as: admin, status: 200 });
    expect([body.status, body.date_gmt, body.modified_gmt]).toEqual(['publish', soon, post.modified_gmt]);
    expect((await site.send('GET', `/tags/${tag.id}`, { as: admin })).body.count).toBe(1);
  });

  it('happens at once for a date less than a minute ahead', async () => {
    const date = new Date(Date.now() + 30_000).toISOString().slice(0, 19);
    expect((await make({ title: 'Now', content: 'x', status: 'future', date_gmt: date })).status).toBe('publish');
  });
});

describe('revisions (18.18)', () => {
  it('show the difference to the current text, line by line', async () => {
    const { id } = await make({ title: 'Draft', content: 'one\ntwo' });
    await site.send('POST', `/posts/${id}`, { as: admin, body: { content: 'one\nthree' }, status: 200 });
    await site.send('POST', `/posts/${id}`, {
      as: admin,
      body: { title: 'Better', content: 'zero\none\nthree' },
      status: 200,
    });
    const [, oldest] = (await site.send('GET', `/posts/${id}/revisions`, { as: admin })).body;
    const { body } = await site.send('GET', `/posts/${id}/revisions/${oldest.id}?diff=true&context=embed`, {
      as: admin,
      status: 200,
    });
    expect(body.diff).toEqual({
      title: [
        { op: 'delete', text: 'Draft' },
        { op: 'insert', text: 'Better' },
      ],
      content: [
        { op: 'insert', text: 'zero' },
        { op: 'equal', text: 'one' },
        { op: 'equal', text: 'three' },
      ],
      excerpt: [],
    });
  });

  it('are restored as an update of the parent, with the same rights', async () => {
    const { id } = await make({ title: 'First', content: 'first', status: 'publish' });
    await site.send('POST', `/posts/${id}`, { as: admin, body: { content: 'second' }, status: 200 });
    await site.send('POST', `/posts/${id}`, { as: admin, body: { content: 'third' }, status: 200 });
    const before = (await site.send('GET', `/posts/${id}/revisions`, { as: admin })).body;
    const path = `/posts/${id}/revisions/${before[1].id}/restore`;
    expect((await site.send('POST', path, { body: {}, status: 401 })).body.code).toBe('rest_cannot_edit');
    const stranger = await makeActor(site, 'author', 'stranger');
    expect((await site.send('POST', path, { as: stranger.headers, body: {}, status: 403 })).body.code).toBe(
      'rest_cannot_edit',
    );
    const { body } = await site.send('POST', path, { as: admin, status: 200 });
    expect([body.id, body.content.raw]).toEqual([id, 'second']);
    expect((await site.send('GET', `/posts/${id}/revisions`, { as: admin })).body.length).toBe(before.length + 1);
    const limited = await site.send('POST', `${path}?_fields=id,title.raw`, { as: admin, status: 200 });
    expect(limited.body).toEqual({ id, title: { raw: 'First' } });
    expect((await site.send('POST', path, { as: admin, body: { _fields: 'id' }, status: 200 })).body).toEqual({ id });
    await site.send('POST', `/posts/${id}/revisions/999999/restore`, { as: admin, status: 404 });
    await site.send('POST', `/posts/999999/revisions/${before[1].id}/restore`, { as: admin, status: 404 });
  });
});

describe('versions (0.22)', () => {
  it('in the ETag of any response of the item guard updates and deletions', async () => {
    const created = await site.send('POST', '/posts', {
      as: admin,
      body: { title: 'Guarded', content: 'x', status: 'publish' },
      status: 201,
    });
    const { id } = created.body;
    const tags = [created.headers['etag']!];
    for (const query of ['', '?context=edit', '?context=embed', '?_fields=id']) {
      tags.push((await site.send('GET', `/posts/${id}${query}`, { as: admin })).headers['etag']!);
    }
    expect(new Set(tags.slice(1)).size).toBe(4);
    for (const tag of tags) {
      const { headers } = await site.send('GET', `/posts/${id}`, { as: admin });
      expect(headers['etag']!.split('-')[0]).toBe(tag.split('-')[0]);
    }
    await site.send('POST', `/posts/${id}`, {
      as: admin,
      headers: { 'If-Match': tags[4]! },
      body: { title: 'Changed' },
      status: 200,
    });
    for (const method of ['POST', 'DELETE'] as const) {
      const refused = await site.send(method, `/posts/${id}`, {
        as: admin,
        headers: { 'If-Match': tags[0]! },
        body: {},
        status: 412,
      });
      expect(refused.body.code).toBe('rest_precondition_failed');
    }
    await site.send('POST', `/posts/${id}`, {
      as: admin,
      headers: { 'If-Match': '*' },
      body: { title: 'Again' },
      status: 200,
    });
  });

  it('of comments change when their post is moved to the trash and restored', async () => {
    const post = await make({ title: 'Talked about', content: 'x', status: 'publish' });
    const comment = `/comments/${(await make({ post: post.id, content: 'Versions' }, '/comments')).id}`;
    for (const [method, status] of [
      ['DELETE', 'post-trashed'],
      ['POST', 'approved'],
    ] as const) {
      const { headers } = await site.send('GET', comment, { as: admin });
      await site.send(method, `/posts/${post.id}`, { as: admin, body: { status: 'publish' }, status: 200 });
      expect((await site.send('GET', comment, { as: admin })).body.status).toBe(status);
      const guarded = { as: admin, headers: { 'If-Match': headers['etag']! }, body: { content: 'Mine' } };
      await site.send('POST', comment, { ...guarded, status: 412 });
    }
  });

  it('give 304 for unchanged items, to callers who may read them', async () => {
    const { id } = await make({ title: 'Cached', content: 'x', status: 'private' });
    const { headers } = await site.send('GET', `/posts/${id}`, { as: admin });
    const same = { 'If-None-Match': headers['etag']! };
    await site.send('GET', `/posts/${id}`, { as: admin, headers: same, status: 304 });
    await site.send('GET', `/posts/${id}`, { headers: same, status: 401 });
    const list = await site.send('GET', '/posts');
    await site.send('GET', '/posts', { headers: { 'If-None-Match': list.headers['etag']! }, status: 304 });
    await make({ title: 'One more', content: 'x', status: 'publish' });
    await site.send('GET', '/posts', { headers: { 'If-None-Match': list.headers['etag']! }, status: 200 });
  });
});

describe('retries (0.23)', () => {
  const key = (value: string) => ({ ...admin, 'Idempotency-Key': value });

  it('with the same key get the first response and create nothing', async () => {
    const first = await site.send('POST', '/tags', { headers: key('a'), body: { name: 'Retried' }, status: 201 });
    const again = await site.send('POST', '/tags', { headers: key('a'), body: { name: 'Retried' }, status: 201 });
    expect(again.body).toEqual(first.body);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(again.headers['location']).toBe(first.headers['location']);
  });

  it.each<[string, number, string]>([
    ['', 400, 'rest_invalid_idempotency_key'],
    ['x'.repeat(256), 400, 'rest_invalid_idempotency_key'],
    ['a', 422, 'rest_idempotency_key_reused'],
  ])('with the key %j for another body give %i %s', async (value, status, code) => {
    const { body } = await site.send('POST', '/tags', { headers: key(value), body: { name: 'Another' }, status });
    expect(body.code).toBe(code);
  });

  it('of refused requests are possible with the same key, and keys of other callers are independent', async () => {
    await site.send('POST', '/tags', { headers: key('b'), body: { name: '' }, status: 400 });
    const created = await site.send('POST', '/tags', { headers: key('b'), body: { name: 'Second try' }, status: 201 });
    const other = await makeActor(site, 'editor', 'other-editor');
    const theirs = await site.send('POST', '/tags', {
      as: other.headers,
      headers: { 'Idempotency-Key': 'b' },
      body: { name: 'Theirs' },
      status: 201,
    });
    expect(theirs.body.id).not.toBe(created.body.id);
  });
});

describe('check --data', () => {
  it('finds manual damage and repairs it', async () => {
    const { models, store } = site.site;
    const tag = await make({ name: 'Damaged' }, '/tags');
    const post = await make({ title: 'Damaged', content: 'x', status: 'publish', tags: [tag.id] });
    const page = await make({ title: 'Root', status: 'publish' }, '/pages');
    expect(await auditData(models, store)).toEqual([]);
    await store.transaction(async (tx) => {
      await tx.update('terms', { count: 7 }, equals('id', tag.id));
      await tx.update('contents', { author: 4711, revision_count: 3 }, equals('id', post.id));
      await tx.update('contents', { path: 'elsewhere' }, equals('id', page.id));
      await tx.insert('contents_tags', { owner_id: post.id, target_id: 4712 });
      await tx.insert('contents_meta', { owner_id: 4713, key: 'k', value: 'v', structured: 0 });
      await tx.insert('typecase_counts', { scope: 'contents:["page","publish"]#damage', n: 98 });
    });
    const findings = await auditData(models, store);
    expect(findings.map(({ message }) => message).sort()).toEqual([
      'contents_meta 1: belongs to 4713, which does not exist',
      `page ${page.id}: its path is "elsewhere" and should be "root"`,
      `post ${post.id}: author names 4711, which does not exist`,
      `post ${post.id}: remembers 3 revisions and has 0`,
      `post ${post.id}: tags pairs it with 4712, one of which does not exist`,
      'row count of contents:["page","publish"] is 99 and should be 1',
      `tag ${tag.id}: count is 7 and should be 1`,
    ]);
    const before = (await site.send('GET', `/posts/${post.id}`, { as: admin })).headers['etag']!;
    expect(await fixData(findings, store)).toBe(findings.length);
    expect(await auditData(models, store)).toEqual([]);
    // It has lost its author and one of its tags.
    expect(before).toMatch(/^"1-/);
    expect((await site.send('GET', `/posts/${post.id}`, { as: admin })).headers['etag']).toMatch(/^"3-/);
  });
});
