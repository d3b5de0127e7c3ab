import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openForum, type Outcome, type RequestOptions, type Forum } from './forum.js';

let forum: Forum;
/** Articles and leaflets by name. */
let on: Record<string, number>;

beforeAll(async () => {
  forum = await openForum();
});
afterAll(() => forum.close());
beforeEach(async () => {
  await forum.reset();
  const owner = forum.ids['wim'];
  on = { none: 0, gone: 999 };
  for (const status of ['publish', 'draft', 'trash', 'private', 'pending']) {
    on[status] = await forum.put('article', { title: status, status, owner });
  }
  on['closed'] = await forum.put('article', { title: 'closed', status: 'publish', owner, open_for: 'none' });
  on['locked'] = await forum.put('article', { title: 'locked', status: 'publish', owner, password: 'sesame' });
  on['old'] = await forum.put('article', { title: 'old', status: 'publish', owner, date_gmt: '2030-01-01T00:00:00' });
  on['leaflet'] = await forum.put('leaflet', { title: 'leaflet', status: 'publish', owner });
  on['old leaflet'] = await forum.put('leaflet', {
    title: 'old',
    status: 'publish',
    owner,
    date_gmt: '2030-01-01T00:00:00',
  });
});

let count = 0;
const say = (as: string, values: Record<string, unknown> = {}, more: RequestOptions = {}) =>
  forum.outcome('create', 'remark', {
    as,
    values: { about: on['publish'], words: `Words ${count++}`, ...values },
    ...more,
  });
const change = (id: number, values: Record<string, unknown>, as = 'hanna') =>
  forum.outcome('update', 'remark', { id, as, values });
const put = (values: Record<string, unknown> = {}) =>
  forum.put('remark', { about: on['publish'], words: `Put ${count++}`, status: 'approved', ...values });
const short = ({ status, code }: Outcome) => (code ? `${status} ${code}` : `${status}`);
const guests = () => (forum.settings['allowAnonymousComments'] = true);

describe('rights to create', () => {
  const guest = { signed: 'Gus', mail: 'gus@example.org' };
  it.each<[string, string, string, Record<string, unknown>]>([
    ['C-37 nobody without an account', 'anonymous', '401 rest_comment_login_required', {}],
    ['C-35 in the name of another', 'rita', '403 rest_comment_invalid_author', { by: 'hanna' }],
    ['C-35 in the name of nobody', 'rita', '403 rest_comment_invalid_author', { by: 'anonymous' }],
    ['C-36 from another address', 'rita', '403 rest_comment_invalid_author_ip', { ip: '192.0.2.9' }],
    ['C-36 from the own address', 'rita', '201', { ip: '192.0.2.1' }],
    ['C-36 from no address', 'hanna', '400 rest_invalid_param', { ip: 'home' }],
    ['C-36 with a status', 'rita', '403 rest_comment_invalid_status', { status: 'approve' }],
    ['C-36 with an unknown status', 'hanna', '400 rest_invalid_param', { status: 'fine' }],
    ['C-37 on nothing', 'rita', '403 rest_comment_invalid_post_id', { about: 'none' }],
    ['C-37 on what is gone', 'rita', '403 rest_comment_invalid_post_id', { about: 'gone' }],
    ['C-36 on no number', 'rita', '400 rest_invalid_param', { about: 'a-slug' }],
    ['C-37 on a draft', 'hanna', '403 rest_comment_draft_post', { about: 'draft' }],
    ['C-37 in the trash', 'hanna', '403 rest_comment_trash_post', { about: 'trash' }],
    ['C-37 on something private', 'rita', '403 rest_cannot_read_post', { about: 'private' }],
    ['C-37 on something private, as one who reads it', 'hanna', '201', { about: 'private' }],
    ['C-37 on something locked', 'rita', '403 rest_cannot_read_post', { about: 'locked' }],
    [
      'C-37 on something locked with a wrong password',
      'rita',
      '403 rest_cannot_read_post',
      { about: 'locked', password: 'open' },
    ],
    ['C-37 on something locked with its password', 'rita', '201', { about: 'locked', password: 'sesame' }],
    [
      'C-37 on something private with a password',
      'rita',
      '403 rest_cannot_read_post',
      { about: 'private', password: 'sesame' },
    ],
    ['C-37 where it is closed', 'hanna', '403 rest_comment_closed', { about: 'closed' }],
    ['on another kind of thing', 'rita', '201', { about: 'leaflet' }],
    ['with an id', 'hanna', '400 rest_remark_exists', { id: 7 }],
    ['C-35 of a foreign kind', 'hanna', '400 rest_invalid_comment_type', { sort: 'ping' }],
    ['C-35 of the usual kind', 'hanna', '201', { sort: 'plain' }],
    ['C-38 in the name of an unknown account', 'hanna', '400 rest_comment_author_invalid', { by: 999 }],
    ['C-38 in the name of nobody, as moderator', 'hanna', '400 rest_comment_author_invalid', { by: 0, ...guest }],
    ['C-32 without words', 'rita', '400 rest_comment_content_invalid', { words: undefined }],
    ['C-32 with empty words', 'rita', '400 rest_comment_content_invalid', { words: '' }],
    ['C-32 with blanks', 'rita', '400 rest_comment_content_invalid', { words: ' \n ' }],
    ['C-32 with markup that is dropped', 'rita', '400 rest_comment_content_invalid', { words: '<script></script>' }],
    ['C-32 with "0"', 'rita', '201', { words: '0' }],
    ['C-30 with raw words', 'hanna', '201', { words: { raw: 'Raw' } }],
    ['C-31 with a name alone', 'rita', '400 rest_comment_author_data_required', { signed: 'R' }],
    ['C-31 with an address alone', 'rita', '400 rest_comment_author_data_required', { mail: 'r@example.org' }],
    ['C-31 with a short address', 'rita', '400 rest_invalid_param', { signed: 'R', mail: 'a@b' }],
    ['C-33 with a wrong date', 'rita', '400 rest_invalid_param', { date: 'foo' }],
    ['C-39 with a long name', 'hanna', '400 comment_author_column_length', { ...guest, signed: 'é'.repeat(123) }],
    ['C-39 with a very long name', 'hanna', '400 comment_author_column_length', { ...guest, signed: 'n'.repeat(5000) }],
    ['C-39 with a name that just fits', 'hanna', '201', { ...guest, signed: 'é'.repeat(122) }],
    [
      'C-39 with a long e-mail address',
      'hanna',
      '400 comment_author_email_column_length',
      { ...guest, mail: `${'m'.repeat(90)}@example.org` },
    ],
    [
      'C-39 with a long address',
      'hanna',
      '400 comment_author_url_column_length',
      { ...guest, home: `https://example.org/${'u'.repeat(185)}` },
    ],
    ['C-39 with long words', 'hanna', '400 comment_content_column_length', { words: 'w'.repeat(65_526) }],
    ['14.28 in reply to nothing', 'rita', '400 rest_comment_invalid_parent', { above: 999 }],
  ])('%s (%s: %s)', async (_name, as, wanted, values) => {
    const known: Record<string, unknown> = { ...values };
    if (typeof known['about'] === 'string') known['about'] = on[known['about']] ?? known['about'];
    if (typeof known['by'] === 'string') known['by'] = forum.ids[known['by']];
    expect(short(await say(as, known))).toBe(wanted);
  });

  it('C-40 guests may, where the site says so, with name and address', async () => {
    guests();
    expect(short(await say('anonymous'))).toBe('400 rest_comment_author_data_required');
    expect(short(await say('anonymous', { ...guest, mail: '' }))).toBe('400 rest_comment_author_data_required');
    expect(short(await say('anonymous', { ...guest, by: 0 }))).toBe('201');
    forum.settings['commentRegistration'] = true;
    expect(short(await say('anonymous', guest))).toBe('401 rest_comment_login_required');
  });

  it('14.20 guests need no name where the site does not want any', async () => {
    guests();
    forum.settings['requireNameEmail'] = false;
    expect(await say('anonymous')).toMatchObject({ status: 201, body: { by: 0, signed: '', status: 'hold' } });
  });

  it('24 old items of some resources are closed, where the site says so', async () => {
    expect(short(await say('rita', { about: on['old'] }))).toBe('201');
    forum.settings['closeCommentsForOldPosts'] = true;
    expect(short(await say('rob', { about: on['old'] }))).toBe('403 rest_comment_closed');
    expect(short(await say('rob', { about: on['old leaflet'] }))).toBe('201');
  });

  it('14.28 a reply stands on the same item', async () => {
    const { body } = await say('hanna');
    expect(short(await say('hanna', { above: body.id, about: on['leaflet'] }))).toBe('400 rest_comment_invalid_parent');
    expect(await say('hanna', { above: body.id })).toMatchObject({ status: 201, body: { above: body.id } });
  });
});

describe('author and data of a comment', () => {
  const hidden = ['mail', 'ip', 'agent'];

  it('C-34 the caller gives his own data by default; C-36 address and agent are those of the request', async () => {
    const { body, context } = await say('rita');
    expect(body).toMatchObject({
      by: forum.ids['rita'],
      signed: 'rita',
      home: '',
      status: 'hold',
      sort: 'plain',
      above: 0,
      about: on['publish'],
    });
    expect([context, Object.keys(body).filter((name) => hidden.includes(name))]).toEqual(['view', []]);
    expect(await forum.row('remark', body.id)).toMatchObject({
      mail: 'rita@example.org',
      ip: '192.0.2.1',
      agent: 'Test/1 bold',
    });
  });

  it('C-34 a moderator writes for another account, whose data is used', async () => {
    const { body, context } = await say('hanna', { by: forum.ids['rita'], signed: 'R.' });
    expect(body).toMatchObject({ by: forum.ids['rita'], signed: 'R.', mail: 'rita@example.org' });
    expect(context).toBe('edit');
  });

  it('C-30, C-36 a moderator sets all values explicitly', async () => {
    const values = {
      signed: 'Gus <i>G</i>',
      mail: 'gus@example.org',
      home: 'https://gus.example.org',
      ip: '192.0.2.9',
      agent: 'Other/2',
      date: '2029-01-02T03:04:05',
    };
    const { body } = await say('hanna', values);
    expect(body).toMatchObject({ ...values, signed: 'Gus G', by: 0, date_gmt: '2029-01-02T08:04:05' });
  });

  it.each([
    [{ date: '2016-12-12T14:00:00' }, '2016-12-12T14:00:00', '2016-12-12T19:00:00'],
    [{ date_gmt: '2016-12-12T19:00:00' }, '2016-12-12T14:00:00', '2016-12-12T19:00:00'],
    [{ date: '2016-12-12T18:00:00-01:00' }, '2016-12-12T14:00:00', '2016-12-12T19:00:00'],
    [{ date_gmt: '2016-12-12T18:00:00-01:00' }, '2016-12-12T14:00:00', '2016-12-12T19:00:00'],
    [{}, '2030-05-06T03:08:09', '2030-05-06T07:08:09'],
  ])('C-30 %j is %s, %s as UTC', async (given, date, date_gmt) => {
    expect((await say('hanna', given)).body).toMatchObject({ date, date_gmt });
  });

  it('an unknown address is that of the machine itself', async () => {
    const { body } = await say('hanna', {}, { actor: { address: '' } });
    expect(body.ip).toBe('127.0.0.1');
  });
});

describe('duplicates and floods', () => {
  const words = 'The same words';

  it('C-37 the same words on the same item are refused to all callers', async () => {
    const { body } = await say('hanna', { words });
    expect(short(await say('hanna', { words }))).toBe('409 comment_duplicate');
    expect(short(await say('hanna', { words, above: body.id }))).toBe('201');
    expect(short(await say('hanna', { words, about: on['leaflet'] }))).toBe('201');
    expect(short(await say('stef', { words }))).toBe('201');
    await forum.outcome('delete', 'remark', { id: body.id, as: 'hanna' });
    expect(short(await say('hanna', { words }))).toBe('201');
  });

  it('compare the current text of a changed comment, not the former one', async () => {
    const { body } = await say('hanna', { words });
    await change(body.id, { words: 'Other words' });
    expect(short(await say('hanna', { words }))).toBe('201');
    expect(short(await say('hanna', { words: 'Other words' }))).toBe('409 comment_duplicate');
  });

  it('C-37 imported words count as well', async () => {
    await put({ words, by: forum.ids['rita'], signed: 'rita', mail: 'rita@example.org' });
    expect(short(await say('rita', { words }))).toBe('409 comment_duplicate');
  });

  it.each([
    ['14.25 an account', 'rita', {}, 'rita', {}, '400 comment_flood'],
    [
      'an account under other names',
      'rita',
      { signed: 'A', mail: 'aa@example.org' },
      'rita',
      { signed: 'B', mail: 'bb@example.org' },
      '400 comment_flood',
    ],
    ['an account with old dates', 'rita', { date: '2001-01-01T00:00:00' }, 'rita', {}, '400 comment_flood'],
    ['two accounts', 'rita', {}, 'rob', {}, '201'],
    ['C-38 a moderator', 'hanna', {}, 'hanna', {}, '201'],
    [
      'two guests of one address',
      'anonymous',
      { signed: 'A', mail: 'aa@example.org' },
      'anonymous',
      { signed: 'B', mail: 'bb@example.org' },
      '400 comment_flood',
    ],
  ] as const)('%s soon after (%s)', async (_name, first, values, second, others, wanted) => {
    guests();
    expect(short(await say(first, values))).toBe('201');
    forum.wait(14);
    expect(short(await say(second, others))).toBe(wanted);
    forum.wait(1);
    expect(short(await say(second, others))).toBe(wanted === '201' && second !== 'hanna' ? '400 comment_flood' : '201');
  });

  it('are still detected when the clock was set back', async () => {
    forum.wait(3600);
    expect(short(await say('rita', {}))).toBe('201');
    forum.wait(-3600);
    expect(short(await say('rita', {}))).toBe('201');
    expect(short(await say('rita', {}))).toBe('400 comment_flood');
  });

  it('14.25 include comments of a guest with one e-mail address from two IP addresses', async () => {
    guests();
    const guest = { signed: 'Gus', mail: 'gus@example.org' };
    expect(short(await say('anonymous', guest))).toBe('201');
    expect(short(await say('anonymous', guest, { actor: { address: '192.0.2.7' } }))).toBe('400 comment_flood');
    expect(
      short(await say('anonymous', { ...guest, mail: 'other@example.org' }, { actor: { address: '192.0.2.7' } })),
    ).toBe('201');
  });
});

describe('14.26 the first state', () => {
  const known = () => put({ by: forum.ids['rita'], signed: 'rita', mail: 'rita@example.org' });
  const link = (n: number) => Array.from({ length: n }, (_, i) => `https://example.org/${i}`).join(' and ');
  it.each<[string, string, string, Record<string, unknown>, object]>([
    ['of the owner of the item', 'wim', 'approved', {}, {}],
    ['of a moderator', 'stef', 'approved', {}, {}],
    ['of one never approved', 'rob', 'hold', {}, {}],
    ['of one approved before', 'rita', 'approved', {}, {}],
    ['of one never approved, where that does not matter', 'rob', 'approved', {}, { commentPreviouslyApproved: false }],
    ['where everything waits', 'rita', 'hold', {}, { commentModeration: true }],
    ['where everything waits, of a moderator', 'hanna', 'approved', {}, { commentModeration: true }],
    ['with a link', 'rita', 'approved', { words: link(1) }, {}],
    ['with two links', 'rita', 'hold', { words: link(2) }, {}],
    [
      'with two written links',
      'rita',
      'hold',
      { words: '<a href="https://a.org">a</a> <a href="https://b.org">b</a>' },
      {},
    ],
    ['with many links, where they do not count', 'rita', 'approved', { words: link(9) }, { commentMaxLinks: 0 }],
    ['with a watched word', 'rita', 'hold', { words: 'Cheap WATCHES' }, { moderationWords: ['watch'] }],
    ['with a watched address', 'rita', 'hold', {}, { moderationWords: ['192.0.2.'] }],
    ['with a refused word', 'rita', 'trash', { words: 'Cheap watches' }, { disallowedWords: ['', 'watch'] }],
    ['with a refused word behind markup', 'rita', 'trash', { words: 'wat<em>ch</em>' }, { disallowedWords: ['watch'] }],
    [
      'with a refused word, without a trash',
      'rita',
      'spam',
      { words: 'watch' },
      { disallowedWords: ['watch'], trash: false },
    ],
    ['with a refused word, of the owner', 'wim', 'approved', { words: 'watch' }, { disallowedWords: ['watch'] }],
  ])('%s (%s) is %s', async (_name, as, status, values, settings) => {
    await known();
    Object.assign(forum.settings, settings);
    expect((await say(as, values)).body.status).toBe(status);
  });

  it('depends on the account that it is written for', async () => {
    const state = async (by: string) => (await say('hanna', { by: forum.ids[by] })).body.status;
    expect([await state('rob'), await state('stef'), await state('wim')]).toEqual(['hold', 'approved', 'approved']);
  });

  it('of a guest depends on the same name and address', async () => {
    guests();
    await put({ signed: 'Gus', mail: 'gus@example.org' });
    expect((await say('anonymous', { signed: 'Gus', mail: 'gus@example.org' })).body.status).toBe('approved');
    forum.wait(20);
    expect((await say('anonymous', { signed: 'Gas', mail: 'gus@example.org' })).body.status).toBe('hold');
  });

  it.each([
    ['approved', 'approved'],
    ['approve', 'approved'],
    ['1', 'approved'],
    ['hold', 'hold'],
    ['0', 'hold'],
    ['SPAM', 'spam'],
    ['trash', 'trash'],
  ])('C-30 a moderator says %s', async (word, status) => {
    expect((await say('hanna', { status: word })).body.status).toBe(status);
  });
});

describe('changes', () => {
  it.each<[string, string[]]>([
    ['hold, approve', ['hold', 'approved']],
    ['spam, unspam', ['spam', 'approved']],
    ['hold, spam, unspam', ['hold', 'spam', 'hold']],
    ['trash, untrash', ['trash', 'approved']],
    ['spam, trash, untrash, unspam', ['spam', 'trash', 'spam', 'hold']],
    ['spam, spam, unspam', ['spam', 'spam', 'approved']],
    ['trash, approve, untrash', ['trash', 'approved', 'hold']],
    ['approve', ['approved']],
    ['unspam', ['hold']],
  ])('C-50 %s', async (words, states) => {
    const id = await put();
    const seen = [];
    for (const word of words.split(', ')) seen.push((await change(id, { status: word })).body.status);
    expect(seen).toEqual(states);
  });

  it('restore from the trash to the former state', async () => {
    const id = await put({ status: 'hold' });
    await forum.outcome('delete', 'remark', { id, as: 'hanna' });
    expect((await change(id, { status: 'untrash' })).body.status).toBe('hold');
    await change(id, { status: 'trash' });
    expect(await forum.row('remark', id)).toMatchObject({
      status: 'trash',
      trashed_status: 'hold',
      trashed_at: '2030-05-06T07:08:09',
    });
  });

  it('without a trash cannot trash an item', async () => {
    forum.settings['trash'] = false;
    expect(short(await change(await put(), { status: 'trash' }))).toBe('501 rest_trash_not_supported');
  });

  it('C-51 keep the fields that were not sent', async () => {
    const id = await put({
      by: forum.ids['rita'],
      signed: 'rita',
      mail: 'rita@example.org',
      ip: '192.0.2.44',
      agent: 'Old/1',
      date: '2029-01-02T03:04:05',
    });
    const before = await forum.row('remark', id);
    expect(short(await change(id, {}))).toBe('200');
    expect(await forum.row('remark', id)).toEqual(before);
  });

  it('C-50 names and addresses may be emptied', async () => {
    const id = await put({ signed: 'Gus', mail: 'gus@example.org', ip: '192.0.2.44' });
    expect((await change(id, { mail: '' })).body).toMatchObject({ signed: 'Gus', mail: '' });
    expect((await change(id, { signed: '', ip: '' })).body).toMatchObject({ signed: '', ip: '' });
  });

  it('C-50 keep both dates consistent', async () => {
    const id = await put();
    expect((await change(id, { date: '2029-07-01T10:00:00' })).body).toMatchObject({ date_gmt: '2029-07-01T14:00:00' });
    expect((await change(id, { date_gmt: '2029-07-01T15:00:00' })).body).toMatchObject({ date: '2029-07-01T11:00:00' });
  });

  it.each<[string, string, string, Record<string, unknown>]>([
    ['C-52 as nobody', 'anonymous', '401 rest_cannot_edit', { words: 'x' }],
    ['C-52 as a reader', 'rita', '403 rest_cannot_edit', { words: 'x' }],
    ['C-52 as a writer of other things', 'wanda', '403 rest_cannot_edit', { words: 'x' }],
    ['C-52 as the owner of the item', 'wim', '200', { words: 'x' }],
    ['C-52 as a moderator who may not edit the item', 'stef', '200', { words: 'x' }],
    ['C-52 the kind', 'hanna', '404 rest_comment_invalid_type', { sort: 'ping' }],
    ['the same kind', 'hanna', '200', { sort: 'plain' }],
    ['C-51 to no words', 'hanna', '400 rest_comment_content_invalid', { words: '' }],
    ['C-52 to raw words', 'hanna', '200', { words: { raw: 'x' } }],
    ['C-52 onto what is gone', 'hanna', '403 rest_comment_invalid_post_id', { about: 999 }],
    ['onto nothing', 'hanna', '403 rest_comment_invalid_post_id', { about: 0 }],
    ['onto what the caller may not see', 'wim', '403 rest_cannot_read_post', { about: 'locked by another' }],
    ['C-52 to a wrong date', 'hanna', '400 invalid_date', { date: '2029-13-01T00:00:00' }],
    ['C-38 to an unknown account', 'hanna', '400 rest_comment_author_invalid', { by: 999 }],
    ['to an unknown state', 'hanna', '400 rest_invalid_param', { status: 'fine' }],
    ['to a state that is a mark', 'hanna', '400 rest_invalid_param', { status: 'shelved' }],
    ['C-39 to a long name', 'hanna', '400 comment_author_column_length', { signed: 'n'.repeat(246) }],
    ['C-39 to long words', 'hanna', '400 comment_content_column_length', { words: 'w'.repeat(65_526) }],
    ['to a reply to nothing', 'hanna', '400 rest_comment_invalid_parent', { above: 999 }],
  ])('%s (%s: %s)', async (_name, as, wanted, values) => {
    on['locked by another'] = await forum.put('article', { title: 'x', status: 'private', owner: forum.ids['wanda'] });
    const about = values['about'];
    const known = { ...values, ...(typeof about === 'string' ? { about: on[about] } : {}) };
    expect(short(await change(await put(), known, as))).toBe(wanted);
  });

  it('C-52 of an unknown item are refused', async () => {
    expect(short(await change(999, { words: 'x' }))).toBe('404 rest_remark_invalid_id');
  });

  it('C-50 to another account copy its data; the same account keeps the present data', async () => {
    const id = await put({ by: forum.ids['rita'], signed: 'R.', mail: 'r@example.org' });
    expect((await change(id, { by: forum.ids['rita'] })).body).toMatchObject({ signed: 'R.', mail: 'r@example.org' });
    expect((await change(id, { by: forum.ids['rob'], signed: 'Bob' })).body).toMatchObject({
      signed: 'Bob',
      mail: 'rob@example.org',
    });
  });

  it('C-54 accept the values of a response', async () => {
    const id = await put({ by: 0, signed: '', mail: '', ip: '' });
    const { body } = await forum.outcome('retrieve', 'remark', { id, as: 'hanna', params: { context: 'edit' } });
    const before = await forum.row('remark', id);
    expect(short(await change(id, body))).toBe('200');
    expect(await forum.row('remark', id)).toEqual(before);
  });

  it('C-54 accept a state that results from the trash of its item, too', async () => {
    const id = await put();
    await forum.outcome('delete', 'article', { id: on['publish']!, as: 'hanna' });
    const { body } = await forum.outcome('retrieve', 'remark', { id, as: 'hanna', params: { context: 'edit' } });
    expect(body.status).toBe('shelved');
    expect(await change(id, body)).toMatchObject({ status: 200, body: { status: 'shelved' } });
  });
});

describe('deletions', () => {
  it('C-60 move to the trash, are refused the second time, and delete permanently with force; replies move up', async () => {
    const top = await put();
    const middle = await put({ above: top });
    const leaf = await put({ above: middle });
    const remove = (as: string, force = false) =>
      forum.outcome('delete', 'remark', { id: middle, as, params: { force } });
    expect([short(await remove('anonymous')), short(await remove('rita'))]).toEqual([
      '401 rest_cannot_delete',
      '403 rest_cannot_delete',
    ]);
    expect(await remove('hanna')).toMatchObject({ status: 200, body: { status: 'trash', above: top } });
    expect(short(await remove('hanna'))).toBe('410 rest_already_trashed');
    expect(await remove('hanna', true)).toMatchObject({ body: { deleted: true, previous: { id: middle } } });
    expect(short(await remove('hanna'))).toBe('404 rest_remark_invalid_id');
    expect(await forum.row('remark', leaf)).toMatchObject({ above: top });
  });

  it('14.35 happen with the item, and are undone with it', async () => {
    const [id, held] = [await put(), await put({ status: 'hold' })];
    await forum.outcome('delete', 'article', { id: on['publish']!, as: 'hanna' });
    expect(short(await forum.outcome('retrieve', 'remark', { id }))).toBe('401 rest_cannot_read');
    expect((await forum.outcome('list', 'remark', { as: 'hanna', params: { status: 'any' } })).total).toBe(0);
    await forum.outcome('update', 'article', { id: on['publish']!, as: 'hanna', values: { status: 'publish' } });
    expect([(await forum.row('remark', id))['status'], (await forum.row('remark', held))['status']]).toEqual([
      'approved',
      'hold',
    ]);
    await forum.outcome('delete', 'article', { id: on['publish']!, as: 'hanna', params: { force: true } });
    expect(await forum.row('remark', id)).toBeUndefined();
  });

  it('take effect after the item is restored when it is in the trash', async () => {
    const id = await put();
    const item = { id: on['publish']!, as: 'hanna' };
    await forum.outcome('delete', 'article', item);
    await change(id, { status: 'spam' });
    await forum.outcome('update', 'article', { ...item, values: { status: 'publish' } });
    expect((await change(id, { status: 'unspam' })).body.status).toBe('approved');
  });
});

describe('replies', () => {
  const links = async (id: number) => (await forum.outcome('retrieve', 'remark', { id })).body._links;

  it('C-22 are linked while some are approved', async () => {
    const id = await put();
    const reply = await put({ above: id, status: 'hold' });
    expect(await links(id)).not.toHaveProperty('replies');
    await change(reply, { status: 'approve' });
    expect((await links(id)).replies).toEqual([{ href: `https://api.example.org/v1/remarks?above=${id}` }]);
    await forum.outcome('delete', 'remark', { id: reply, as: 'hanna' });
    expect(await links(id)).not.toHaveProperty('replies');
  });

  it('5.4 the item is linked with its type', async () => {
    const id = await put({ about: on['leaflet'] });
    expect((await links(id)).up).toEqual([
      { sort: 'leaflet', href: `https://api.example.org/v1/leaflets/${on['leaflet']}` },
    ]);
  });
});

describe('lists', () => {
  let ids: Record<string, number>;

  beforeEach(async () => {
    ids = {};
    for (const status of ['approved', 'hold', 'spam', 'trash', 'shelved']) ids[status] = await put({ status });
    ids['ping'] = await put({ sort: 'ping' });
  });

  const found = async (as: string, params: Record<string, unknown>) => {
    const outcome = await forum.outcome('list', 'remark', { as, params });
    if (outcome.code) return short(outcome);
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    expect(outcome.total).toBe(outcome.body.length);
    return outcome.body.map((item: { id: number }) => names.get(item.id));
  };

  it.each<[string, Record<string, unknown>, unknown]>([
    ['anonymous', {}, ['approved']],
    ['hanna', { status: 'hold' }, ['hold']],
    ['hanna', { status: 'Ho.Ld' }, ['hold']],
    ['hanna', { status: 'spam' }, ['spam']],
    ['hanna', { status: 'trash' }, ['trash']],
    ['hanna', { status: 'all' }, ['approved', 'hold']],
    ['hanna', { status: '' }, ['approved', 'hold']],
    ['hanna', { status: 'any' }, ['approved', 'hold', 'spam', 'trash']],
    ['hanna', { status: 'approved' }, []],
    ['hanna', { status: 'shelved' }, []],
    ['hanna', { status: 'constructor' }, []],
    ['hanna', { sort: 'ping' }, ['ping']],
    ['hanna', { sort: 'all' }, ['approved', 'ping']],
    ['hanna', { sort: 'odd' }, []],
    ['wim', { status: 'any' }, ['approved', 'hold', 'spam', 'trash']],
    ['wanda', { status: 'any' }, ['approved']],
    ['rita', { status: 'Approve' }, ['approved']],
    ['rita', { status: 'hold' }, '403 rest_forbidden_param'],
    ['anonymous', { status: 'any', by: '1' }, '401 rest_forbidden_param'],
    ['anonymous', { context: 'edit', by: '1' }, '401 rest_forbidden_context'],
    ['wim', { context: 'edit' }, '403 rest_forbidden_context'],
    ['hanna', { context: 'edit' }, ['approved']],
  ])('C-02, C-09 %s asks for %j', async (as, params, wanted) => {
    expect(await found(as, params)).toEqual(wanted);
  });

  it('C-09 the error names the refused parameters', async () => {
    const { body } = await forum.outcome('list', 'remark', { params: { status: 'any', by: '1' } });
    expect(body.message).toMatch(/Refused: by, status\.$/);
  });
});

describe('imports', () => {
  it('are stored as they are given', async () => {
    const given = {
      about: 0,
      words: '',
      status: '1',
      sort: 'ping',
      by: 999,
      above: 888,
      signed: 'n'.repeat(300),
      date: '2029-01-02T03:04:05',
    };
    const id = await forum.put('remark', given);
    expect(await forum.row('remark', id)).toMatchObject({ ...given, status: 'approved', received_at: null });
    await forum.writer.batch(({ update }) => update('remark', id, { status: 'shelved' }));
    expect(await forum.row('remark', id)).toMatchObject({ status: 'shelved', signed: given.signed });
  });
});
