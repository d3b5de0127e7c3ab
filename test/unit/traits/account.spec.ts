import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { actor, NOW, openSociety, type Society } from './society.js';

let society: Society;
const ann = { username: 'Ann', email: 'Ann@example.org', password: 'correct horse', roles: ['head'] };

beforeEach(async () => {
  society = await openSociety();
});
afterEach(() => society.close());

const view = async (id: number) => ((await society.outcome('retrieve', 'member', { id })) as { body: any }).body;
const stored = async (id: number) => (await society.row('member', id))!;

describe('a new account', () => {
  it('gets the default role, names, a slug and its dates', async () => {
    const id = await society.make('member', {
      username: 'bob.b',
      email: 'bob@example.org',
      password: 'correct horse',
      first: 'Bob',
      last: 'Bee',
    });
    expect(await view(id)).toMatchObject({
      shown: 'Bob Bee',
      roles: ['guest'],
      slug: 'bob-b',
      joined: '2030-05-06T07:08:09+00:00',
      language: 'en_US',
    });
    expect(await stored(id)).toMatchObject({
      login_key: 'bob.b',
      email_key: 'bob@example.org',
      password_changed: NOW / 1000,
      password: 'hash of correct horse',
      language: '',
    });
  });

  it.each([
    [{ first: 'Bob' }, 'Bob'],
    [{ last: 'Bee' }, 'Bee'],
    [{}, 'bob'],
    [{ shown: 'B.', first: 'Bob' }, 'B.'],
  ])('is presented according to %j', async (names, shown) => {
    const id = await society.make('member', { username: 'bob', email: 'bob@example.org', ...names });
    expect((await view(id)).shown).toBe(shown);
  });

  it('may have no role', async () => {
    expect((await view(await society.make('member', { ...ann, roles: [] }))).roles).toEqual([]);
  });

  it.each([
    ['existing_user_login', { username: 'aNN', email: 'other@example.org' }],
    ['existing_user_email', { username: 'other', email: 'ann@EXAMPLE.org' }],
    ['user_login_too_long', { username: 'a'.repeat(21), email: 'other@example.org' }],
    ['user_url_too_long', { username: 'other', email: 'other@example.org', site: `http://${'a'.repeat(40)}.org` }],
    ['user_nicename_too_long', { username: 'other', email: 'other@example.org', slug: 'a'.repeat(21) }],
    ['rest_user_invalid_role', { username: 'other', email: 'other@example.org', roles: ['nobody'] }],
    ['rest_invalid_param', { username: 'other', email: 'other@example.org', language: 'fr_FR' }],
  ])('is refused with %s', async (code, values) => {
    await society.make('member', ann);
    const refusal = await society.refusal('create', 'member', { values });
    expect([refusal.code, refusal.status]).toEqual([code, 400]);
  });

  it('gets other roles than the default one only from callers who may promote', async () => {
    const values = { username: 'other', email: 'other@example.org', roles: ['head'] };
    const refusal = await society.refusal('create', 'member', { values, actor: actor(5, 'writer') });
    expect([refusal.code, refusal.status]).toEqual(['rest_user_invalid_role', 403]);
    expect(
      await society.outcome('create', 'member', { values: { ...values, roles: ['guest'] }, actor: actor(5, 'writer') }),
    ).toMatchObject({ status: 201 });
  });

  it('fails with a client error when a concurrent one takes its login', async () => {
    const both = ['a@example.org', 'b@example.org'].map((email) =>
      society.outcome('create', 'member', { values: { username: 'twin', email } }),
    );
    const results = await Promise.all(both);
    expect(results.filter((result) => result === 'existing_user_login')).toHaveLength(1);
  });

  it('is refused with a readable message when a duplicate is found only by the index', async () => {
    await society.make('member', ann);
    // As on a server where the other transaction was not yet visible to ours.
    const blind = { ...society.store.reader, first: async () => undefined };
    const transaction = society.store.transaction.bind(society.store);
    society.store.transaction = (work) =>
      transaction((tx) => work(Object.assign(Object.create(tx), { first: blind.first })));
    const values = { username: 'ann', email: 'other@example.org' };
    const refusal = await society.refusal('create', 'member', { values });
    expect([refusal.code, refusal.status]).toEqual(['rest_invalid_param', 400]);
  });
});

describe('the rule of logins', () => {
  it.each(['Zoë', '', ' ann', 'a  b', 'a/b', 'root', 'ROOT', 'a\n'])('refuses %j', (login) => {
    const checked = society.models.byName.get('member')!.fields.get('username')!.rule(login, 'username');
    expect(checked).toMatchObject({ issue: { code: 'rest_user_invalid_username', data: { status: 400 } } });
  });

  it.each(['ann', 'Ann B. Lee', 'a_b-c@example.org', '42'])('accepts %j', (login) => {
    expect(society.models.byName.get('member')!.fields.get('username')!.rule(login, 'username')).toEqual({
      value: login,
    });
  });
});

describe('an update', () => {
  let id: number;
  let bob: number;
  beforeEach(async () => {
    id = await society.make('member', ann);
    bob = await society.make('member', { username: 'bob', email: 'bob@example.org', roles: ['writer'] });
  });
  const update = (target: number, values: Record<string, unknown>, as = actor(id, 'head')) =>
    society.outcome('update', 'member', { id: target, values, actor: as });

  it.each([
    ['rest_user_invalid_email', { email: 'ANN@example.org' }],
    ['rest_user_invalid_argument', { username: 'robert' }],
    ['rest_user_invalid_slug', { slug: 'ann' }],
    ['user_url_too_long', { site: `http://${'a'.repeat(40)}.org` }],
    ['rest_user_invalid_role', { roles: ['nobody'] }],
  ])('is refused with %s', async (code, values) => {
    expect(await update(bob, values)).toBe(code);
  });

  it('accepts unchanged values, and other letter case in an address', async () => {
    expect(await update(bob, { username: 'bob', email: 'Bob@example.org', slug: 'bob' })).toMatchObject({
      status: 200,
    });
    expect(await stored(bob)).toMatchObject({ email: 'Bob@example.org', email_key: 'bob@example.org' });
  });

  it('with a new password changes only the password and its date', async () => {
    await society.store.transaction((tx) => tx.update('members', { password_changed: 1 }, { op: 'true' }));
    await update(bob, { shown: 'Robert' });
    expect((await stored(bob)).password_changed).toBe(1);
    await update(bob, { password: 'battery staple' });
    expect((await stored(bob)).password_changed).toBe(NOW / 1000);
  });

  it('replaces roles for callers who may promote', async () => {
    await update(bob, { roles: ['guest', 'clerk'] });
    expect((await view(bob)).roles).toEqual(['guest', 'clerk']);
    await update(bob, { roles: ['clerk', 'guest'] });
    expect((await view(bob)).roles).toEqual(['clerk', 'guest']);
    await update(bob, { roles: [] });
    expect((await view(bob)).roles).toEqual([]);
  });

  it('refuses changed roles from others, but accepts unchanged ones', async () => {
    const himself = actor(bob, 'writer');
    expect(await update(bob, { roles: ['head'] }, himself)).toBe('rest_cannot_edit_roles');
    expect(await update(bob, { roles: [] }, himself)).toBe('rest_cannot_edit_roles');
    expect(await update(bob, { roles: ['writer'], shown: 'Rob' }, himself)).toMatchObject({ status: 200 });
    expect(await update(id, { shown: 'Rob' }, himself)).toBe('rest_cannot_edit');
  });

  it('of roles alone requires only the right to promote', async () => {
    const clerk = actor(77, 'clerk');
    expect(await update(bob, { roles: ['guest'] }, clerk)).toMatchObject({ status: 200 });
    expect(await update(bob, { roles: ['writer'], shown: 'Rob' }, clerk)).toBe('rest_cannot_edit');
    expect(await update(bob, { shown: 'Rob' }, clerk)).toBe('rest_cannot_edit');
  });

  it('keeps at least one holder of the right to promote', async () => {
    const other = actor(77, 'head');
    const refusal = await society.refusal('update', 'member', { id, values: { roles: ['writer'] }, actor: other });
    expect([refusal.code, refusal.status]).toEqual(['rest_user_invalid_role', 403]);
    await update(bob, { roles: ['clerk'] });
    expect(await update(id, { roles: ['writer'] }, other)).toMatchObject({ status: 200 });
  });

  it('does not let callers remove their own right to promote', async () => {
    await update(bob, { roles: ['head'] });
    for (const roles of [['writer'], ['head', 'writer'], []])
      expect(await update(id, { roles })).toBe('rest_user_invalid_role');
  });
});

describe('deletion', () => {
  it('keeps at least one holder of the right to promote', async () => {
    const id = await society.make('member', ann);
    const params = { force: true, reassign: false };
    const refusal = await society.refusal('delete', 'member', { id, params });
    expect([refusal.code, refusal.status]).toEqual(['rest_user_cannot_delete', 403]);
    const second = await society.make('member', { username: 'bob', email: 'bob@example.org', roles: ['clerk'] });
    expect(await society.outcome('delete', 'member', { id, params })).toMatchObject({ status: 200 });
    expect(await society.outcome('delete', 'member', { id: second, params })).toBe('rest_user_cannot_delete');
  });
});

describe('lists', () => {
  const ids = async (params: Record<string, unknown>, as = actor(0)) =>
    (
      (await society.outcome('list', 'member', {
        params: { page: 1, per_page: 10, ...params },
        context: 'view',
        actor: as,
      })) as { body: { id: number }[] }
    ).body.map((each) => each.id);

  it('show accounts with published items to callers who may write, and few fields to all', async () => {
    const [a, b, c] = [
      await society.make('member', ann),
      await society.make('member', { username: 'bob', email: 'bob@example.org', roles: ['writer'] }),
      await society.make('member', { username: 'cat', email: 'cat@example.org' }),
    ];
    await society.make('book', { title: 'One', owner: a, status: 'draft' });
    await society.make('talk', { title: 'Two', owner: c, status: 'publish' });
    expect(await ids({})).toEqual([c]);
    expect(await ids({ who: 'writers' })).toEqual([a, b]);
    expect(await ids({}, actor(9, 'head'))).toEqual([a, b, c]);
  });

  it('search ids exactly, and addresses for callers who may read them', async () => {
    const a = await society.make('member', ann);
    const head = actor(9, 'head');
    expect(await ids({ search: String(a) }, head)).toEqual([a]);
    expect(await ids({ search: `${a}0` }, head)).toEqual([]);
    expect(await ids({ search: 'EXAMPLE.org' }, head)).toEqual([a]);
    await society.make('book', { title: 'One', owner: a, status: 'publish' });
    expect(await ids({ search: 'AN' })).toEqual([a]);
    expect(await ids({ search: 'example.org' })).toEqual([]);
  });
});
