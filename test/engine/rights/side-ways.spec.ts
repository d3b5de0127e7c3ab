// What a caller may not read is not revealed indirectly either: by the order of ids, by the response to a guess, by how
// a hidden item is refused.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { administrator, basic, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const own = { type: 'reference', to: 'person', default: '$me', readOnly: true };
const mine = { is: { owner: '$me' } };
const calculated = (value: object) => ({ function: 'expression', options: { value } });
/** Fields calculated from the stamps of a memo. */
const STAMPED = {
  stamps: calculated({ count: 'stamp.sheet' }),
  stamped: calculated({ sum: 'value', over: 'stamp.sheet' }),
  dearest: calculated({ max: 'value', over: 'stamp.sheet' }),
};

/** Memos of a stamp, and memos in the order of the number of their stamps. */
const MEMO_PARAMS = {
  stamp: { filter: 'referencedIn', resource: 'stamp', field: 'memos' },
  filter: {
    type: 'object',
    lenient: true,
    filter: 'function',
    function: 'query-arguments',
    options: {
      arguments: { order: { orderby: { keys: { stamps: { count: 'stamp', by: 'sheet', rules: ['read'] } } } } },
    },
  },
};

const SCHEMAS = [
  {
    name: 'person',
    path: 'people',
    selfAlias: 'me',
    fields: {
      username: { type: 'string', required: true, maxLength: 60, contexts: ['edit'] },
      email: { type: 'string', format: 'email', required: true, maxLength: 100, contexts: ['edit'] },
      password: { type: 'password', required: true },
      roles: { type: 'strings', contexts: ['edit'] },
    },
    traits: { account: { promote: 'manage_people', keep: 'manage_people' } },
    permissions: {
      rules: { read: true, create: 'manage_people', edit: { any: [{ is: { id: '$me' } }, 'manage_people'] } },
    },
  },
  ...['memo', 'plan'].map((name) => ({
    name,
    path: `${name}s`,
    storage: { table: 'sheets', where: { kind: name } },
    fields: {
      cost: { type: 'integer', index: true, ...(name === 'plan' ? { read: 'see_secrets' } : {}) },
      owner: own,
      ...(name === 'memo' ? STAMPED : {}),
    },
    ...(name === 'memo' ? { params: MEMO_PARAMS } : {}),
    permissions: { rules: { read: true, create: { signedIn: true }, edit: mine } },
  })),
  {
    name: 'comment',
    path: 'comments',
    fields: { word: { type: 'reference', to: 'word' }, text: { type: 'string', index: true } },
    traits: { guarded: { through: 'word' } },
    permissions: { rules: { read: true, create: { signedIn: true }, edit: false } },
  },
  {
    name: 'stamp',
    path: 'stamps',
    fields: {
      sheet: { type: 'reference', to: ['memo', 'plan'] },
      comment: { type: 'reference', to: 'comment' },
      memos: { type: 'references', to: 'memo' },
      value: { type: 'integer', default: 0 },
    },
    params: {
      cost: { filter: 'equals', field: 'sheet.cost' },
      text: { filter: 'equals', field: 'comment.text' },
    },
    permissions: { rules: { read: true, create: { signedIn: true }, edit: false } },
  },
  {
    name: 'plate',
    path: 'plates',
    fields: {
      serial: { type: 'string', unique: true, nullable: true, read: 'see_secrets' },
      town: { type: 'string', nullable: true },
      number: { type: 'integer', nullable: true, contexts: ['edit'] },
      owner: own,
    },
    unique: [['town', 'number']],
    permissions: { rules: { read: true, create: { signedIn: true }, edit: mine } },
  },
  {
    name: 'word',
    path: 'words',
    fields: { name: { type: 'string' }, owner: own },
    traits: { term: {}, sluggable: { from: 'name' } },
    permissions: { rules: { read: mine, create: { signedIn: true }, edit: mine } },
  },
  {
    name: 'ticket',
    path: 'tickets',
    key: 'number',
    fields: {
      number: { type: 'string', required: true, unique: true, maxLength: 20 },
      owner: own,
      labels: { type: 'references', to: 'label' },
    },
    permissions: {
      rules: { read: mine, create: { signedIn: true }, edit: mine },
      retrieve: [{ needs: { rule: 'read' }, error: 'rest_ticket_invalid_id' }],
      update: [{ needs: { rule: 'read' }, error: 'rest_ticket_invalid_id' }],
      delete: [{ needs: { rule: 'read' }, error: 'rest_ticket_invalid_id' }],
    },
  },
  {
    name: 'card',
    path: 'cards',
    fields: {
      owner: own,
      pin: { type: 'string', writeOnce: true, nullable: true, read: 'see_secrets' },
      never: { type: 'string', writeOnce: true, nullable: true, contexts: [] },
      mark: { type: 'string', writeOnce: true, nullable: true },
      grade: { type: 'string', enum: ['a'], allowStored: ['z'], default: 'a', read: 'see_secrets' },
      meta: {
        type: 'metadata',
        keys: { code: { type: 'string', needs: 'see_secrets' }, free: { type: 'string' } },
        read: 'see_secrets',
      },
    },
    permissions: { rules: { read: true, create: { signedIn: true }, edit: mine } },
  },
  {
    name: 'kit',
    path: 'kits',
    fields: {
      owner: own,
      guarded: {
        type: 'metadata',
        keys: { size: { type: 'integer', default: 3 }, tags: { type: 'string', single: false } },
        guard: { needs: 'see_secrets', error: 'rest_cannot_edit_guarded', on: 'update' },
      },
      kept: { type: 'metadata', keys: { note: { type: 'string' } }, write: 'see_secrets' },
      box: {
        type: 'object',
        additionalProperties: true,
        guard: { needs: 'see_secrets', error: 'rest_cannot_edit_guarded', on: 'update' },
      },
      rows: { type: 'array', items: { type: 'object', additionalProperties: true }, write: 'see_secrets' },
      free: { type: 'json', writeOnce: true, nullable: true },
    },
    permissions: { rules: { read: true, create: { signedIn: true }, edit: true } },
  },
  {
    name: 'folder',
    path: 'folders',
    fields: { secret: { type: 'boolean' }, up: { type: 'reference', to: 'folder' } },
    list: { orderby: ['id'], defaultOrder: 'asc' },
    permissions: {
      rules: {
        closed: { any: [{ is: { secret: true } }, { through: 'up', rule: 'closed' }] },
        read: { any: [{ not: { rule: 'closed' } }, 'see_secrets'] },
        create: 'see_secrets',
      },
    },
  },
  {
    name: 'label',
    path: 'labels',
    fields: { name: { type: 'string', required: true }, open: { type: 'boolean', default: true }, owner: own },
    list: { orderby: ['name', 'id'], defaultOrder: 'asc' },
    params: { ticket: { filter: 'referencedIn', resource: 'ticket', field: 'labels' } },
    permissions: {
      rules: { read: { any: [{ is: { open: true } }, mine] }, create: { signedIn: true }, edit: mine },
    },
  },
  {
    name: 'paper',
    path: 'papers',
    fields: { title: { type: 'string' }, labels: { type: 'references', to: 'label' }, owner: own },
    permissions: { rules: { read: true, create: { signedIn: true }, edit: mine } },
  },
];

let site: TestSite;
let boss: TestActor;
let bob: TestActor;

beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS, { ROLES_FILE: fileURLToPath(new URL('roles.json', import.meta.url)) });
  boss = administrator(site);
  bob = await makeActor(site, 'clerk', 'bob');
});
afterAll(() => site?.close());

async function create(as: TestActor, path: string, body: object): Promise<number> {
  return (await site.send('POST', path, { as: as.headers, body, status: 201 })).body.id;
}

test('the order of the ids of a relation does not reveal the names of hidden items', async () => {
  const labels = [
    await create(boss, '/labels', { name: 'middle', open: false }),
    await create(bob, '/labels', { name: 'last' }),
    await create(bob, '/labels', { name: 'apple' }),
    await create(boss, '/labels', { name: 'zebra', open: false }),
  ];
  const id = await create(bob, '/papers', { title: 'x', labels });
  for (const path of [`/papers/${id}`, `/papers?include=${id}`, `/papers/${id}?_fields=labels`]) {
    const { body } = await site.send('GET', path, { as: bob.headers, status: 200 });
    expect([body].flat()[0].labels).toEqual(labels);
  }
});

test('a value that can be set once and is hidden from the caller cannot be guessed', async () => {
  const id = await create(bob, '/cards', { pin: '1234', never: '5678', mark: 'a' });
  const sent = (as: TestActor, body: object) => site.send('PATCH', `/cards/${id}`, { as: as.headers, body });
  const [wrong, right] = [
    await sent(bob, { pin: '1111', never: '1' }),
    await sent(bob, { pin: '1234', never: '5678' }),
  ];
  expect(wrong.status).toBe(400);
  expect(Object.keys(wrong.body.data.details)).toEqual(['pin', 'never']);
  expect(right.body).toEqual(wrong.body);
  expect((await sent(bob, { mark: 'a' })).status).toBe(200);
  const seen = await create(boss, '/cards', { pin: '1234' });
  const same = { as: boss.headers, body: { pin: '1234' }, status: 200 };
  expect((await site.send('PATCH', `/cards/${seen}`, same)).body.pin).toBe('1234');
});

test('values that the caller can neither see nor set cannot be guessed', async () => {
  const id = await create(boss, '/cards', { meta: { code: '1234', free: 'x' } });
  await site.site.writer.batch(({ update }) => update('card', id, { owner: bob.id, grade: 'z' }));
  const sent = (body: object) => site.send('PATCH', `/cards/${id}`, { as: bob.headers, body });
  for (const [wrong, right] of [
    [{ meta: { code: '1111' } }, { meta: { code: '1234' } }],
    [{ meta: { code: '' } }, { meta: { code: '1234', free: 'x' } }],
  ] as const) {
    const [one, other] = [await sent(wrong), await sent(right)];
    expect([one.status, other.status]).toEqual([403, 403]);
    expect(other.body).toEqual(one.body);
  }
  expect((await sent({ meta: { free: 'y' } })).status).toBe(200);
  const stored = await sent({ grade: 'z' });
  await site.site.writer.batch(({ update }) => update('card', id, { grade: 'a' }));
  const another = await sent({ grade: 'z' });
  expect(stored.status).toBe(400);
  expect(another.body).toEqual(stored.body);
});

test('an item that is refused with the code of missing ones cannot be told from a missing one', async () => {
  const id = await create(boss, '/tickets', { number: 'A-1' });
  for (const as of [bob.headers, {}]) {
    const [hidden, missing] = [
      await site.send('GET', `/labels?ticket=${id}`, { as }),
      await site.send('GET', '/labels?ticket=99999', { as }),
    ];
    expect(missing.status).toBe(400);
    expect(hidden.body).toEqual(JSON.parse(missing.text.replace('99999', String(id))));
    expect(hidden.headers['allow']).toBe(missing.headers['allow']);
  }
  for (const as of [bob.headers, {}]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'DELETE'] as const) {
      for (const rest of ['', '?context=edit', '?_fields=owner', '?_embed']) {
        const ask = async (key: string) => {
          const sent = method === 'PATCH' ? { as, body: {}, headers: { 'If-Match': '"1-0"' } } : { as };
          const { status, text, headers } = await site.send(method, `/tickets/${key}${rest}`, sent);
          return { status, text: text.replaceAll(key, '#'), allow: headers['allow'] };
        };
        const [hidden, missing] = [await ask('A-1'), await ask('B-1')];
        expect({ method, rest, ...hidden }).toEqual({ method, rest, ...missing });
        if (method !== 'OPTIONS') expect(hidden.status).toBe(404);
      }
    }
  }
});

test('an application password with a scope sets neither passwords nor roles', async () => {
  const cleo = await makeActor(site, 'clerk', 'cleo');
  const scoped = async (owner: TestActor) => {
    const body = { name: 'agent', scope: { resources: ['people'] } };
    const created = await site.send('POST', '/people/me/application-passwords', {
      as: owner.headers,
      body,
      status: 201,
    });
    return basic(owner.username, created.body.password);
  };
  const [agent, manager] = [await scoped(cleo), await scoped(boss)];
  const stored = { roles: ['clerk'], email: 'cleo@example.org' };
  const person = { username: 'dave', email: 'dave@example.org', password: 'another long one' };
  const refused = { code: 'rest_forbidden_scope' };
  for (const [as, method, path, body] of [
    [agent, 'PATCH', '/people/me', { password: 'another long one' }],
    [manager, 'PATCH', `/people/${cleo.id}`, { password: 'another long one' }],
    [manager, 'PATCH', `/people/${cleo.id}`, { roles: ['boss'] }],
    [manager, 'POST', '/people', { ...person, roles: ['boss'] }],
  ] as const)
    expect((await site.send(method, path, { as, body, status: 403 })).body).toMatchObject(refused);
  // What is stored may be sent back; new accounts have the usual role.
  await site.send('PATCH', `/people/${cleo.id}`, { as: manager, body: stored, status: 200 });
  const created = await site.send('POST', '/people', { as: manager, body: person, status: 201 });
  expect(created.body.roles).toEqual(['subscriber']);
  await site.send('PATCH', '/people/me', { as: cleo.headers, body: { password: 'another long one' }, status: 200 });
});

test('the error for a duplicate value does not name the item, unless the caller sees the value there', async () => {
  const id = await create(boss, '/plates', { serial: 'S-1', town: 'Riga', number: 7 });
  const responses = async (as: TestActor, body: object) => {
    const { body: error } = await site.send('POST', '/plates', { as: as.headers, body, status: 400 });
    return Object.values<string>(error.data.params).map((text) => text.replace(/^.*already exists/, ''));
  };
  for (const body of [{ serial: 'S-1' }, { town: 'Riga', number: 7 }]) {
    const places = Object.keys(body).length;
    expect(await responses(bob, body)).toEqual(Array(places).fill('.'));
    expect(await responses(boss, body)).toEqual(Array(places).fill(` (ID ${id}).`));
  }
});

test('the error for a duplicate name contains the id of the term for its readers', async () => {
  const id = await create(boss, '/words', { name: 'Vault' });
  const sent = { body: { name: 'Vault' }, status: 400 };
  const { body: own } = await site.send('POST', '/words', { as: boss.headers, ...sent });
  const { body: other } = await site.send('POST', '/words', { as: bob.headers, ...sent });
  expect(own).toMatchObject({ code: 'term_exists', data: { status: 400, term_id: id } });
  expect(other).toMatchObject({ code: 'term_exists', data: { status: 400 } });
  expect(other.data).not.toHaveProperty('term_id');
  expect(other.message).not.toContain('term_id');
});

/** How many stamps a caller finds by a parameter. */
async function stamps(as: Record<string, string>, query: string): Promise<number> {
  return (await site.send('GET', `/stamps?${query}`, { as, status: 200 })).body.length;
}

test('a filter behind a reference to several resources uses a field where the caller sees it in the item', async () => {
  const [memo, plan] = [await create(boss, '/memos', { cost: 11 }), await create(boss, '/plans', { cost: 22 })];
  for (const sheet of [memo, plan]) await create(bob, '/stamps', { sheet });
  expect(await stamps(bob.headers, 'cost=11')).toBe(1);
  expect(await stamps(bob.headers, 'cost=22')).toBe(0);
  expect(await stamps(boss.headers, 'cost=22')).toBe(1);
});

test('a filter behind a reference finds nothing by items that a trait hides', async () => {
  const word = await create(boss, '/words', { name: 'Hidden' });
  const comment = await create(boss, '/comments', { word, text: 'whisper' });
  await site.send('GET', `/comments/${comment}`, { as: bob.headers, status: 403 });
  await create(bob, '/stamps', { comment });
  expect(await stamps(bob.headers, 'comment[text][eq]=whisper')).toBe(0);
  expect(await stamps(bob.headers, 'text=whisper')).toBe(0);
  expect(await stamps(boss.headers, 'text=whisper')).toBe(1);
});

/** Headers of a new application password for these resources alone. */
async function scoped(...resources: string[]) {
  const sent = { as: boss.headers, body: { name: 'agent', scope: { resources } }, status: 201 };
  return basic(boss.username, (await site.send('POST', '/people/me/application-passwords', sent)).body.password);
}

test('a password with a scope does not filter by items of other resources', async () => {
  const memo = await create(boss, '/memos', { cost: 33 });
  const stamp = await create(boss, '/stamps', { sheet: memo, memos: [memo] });
  const [narrow, wide] = [await scoped('stamps'), await scoped('stamps', 'memos')];
  expect(await stamps(narrow, 'cost=33')).toBe(0);
  expect(await stamps(wide, 'cost=33')).toBe(1);
  expect((await site.send('GET', `/memos?stamp=${stamp}`, { as: wide, status: 200 })).body).toHaveLength(1);
  const other = await scoped('memos');
  const { body } = await site.send('GET', `/memos?stamp=${stamp}`, { as: other, status: 403 });
  expect(body.code).toBe('rest_forbidden_scope');
});

test('a password with a scope does not count or sum items of other resources', async () => {
  const memo = await create(boss, '/memos', { cost: 5 });
  await create(boss, '/stamps', { sheet: memo, value: 40 });
  const responses = async (as: Record<string, string>) => {
    const { body } = await site.send('GET', `/memos/${memo}?_fields=stamps,stamped,dearest`, { as, status: 200 });
    return body;
  };
  expect(await responses(await scoped('memos', 'stamps'))).toEqual({ stamps: 1, stamped: 40, dearest: 40 });
  expect(await responses(await scoped('memos'))).toEqual({ stamps: 0, stamped: 0, dearest: null });
});

test('a password with a scope does not order by the number of items of other resources', async () => {
  const [first, second] = [await create(boss, '/memos', { cost: 71 }), await create(boss, '/memos', { cost: 72 })];
  await create(boss, '/stamps', { sheet: first });
  const ids = async (as: Record<string, string>) => {
    const { body } = await site.send('GET', `/memos?include=${first},${second}&filter[orderby]=stamps`, {
      as,
      status: 200,
    });
    return body.map(({ id }: { id: number }) => id);
  };
  const stamped = await ids(await scoped('memos', 'stamps'));
  expect(stamped).toEqual([first, second]);
  const [narrow, before] = [await scoped('memos'), await ids(await scoped('memos'))];
  await create(boss, '/stamps', { sheet: second });
  await create(boss, '/stamps', { sheet: second });
  expect(await ids(await scoped('memos', 'stamps'))).toEqual([second, first]);
  expect(await ids(narrow)).toEqual(before);
});

test('meta that is sent back unchanged needs no permission to change it', async () => {
  const id = await create(boss, '/kits', { guarded: { tags: ['a', 'b'] }, kept: { note: 'x' } });
  const send = (body: object) => site.send('PATCH', `/kits/${id}`, { as: bob.headers, body });
  const { guarded, kept } = (await site.send('GET', `/kits/${id}`, { as: bob.headers, status: 200 })).body;
  expect(guarded).toEqual({ size: 3, tags: ['a', 'b'] });
  expect((await send({ guarded, kept })).status).toBe(200);
  for (const changed of [{ size: 4 }, { tags: ['b', 'a'] }, { tags: null }])
    expect(await send({ guarded: changed })).toMatchObject({ status: 403, body: { code: 'rest_cannot_edit_guarded' } });
  expect(await send({ kept: { note: 'y' } })).toMatchObject({ status: 403, body: { code: 'rest_forbidden_field' } });
});

test('objects that are sent back with their members in another order need no permission to change them', async () => {
  const id = await create(boss, '/kits', { box: { a: 1, b: [2] }, rows: [{ c: 3, d: 4 }], free: [{ e: 5, f: 6 }] });
  const send = (body: object) => site.send('PATCH', `/kits/${id}`, { as: bob.headers, body });
  const sent = { box: { b: [2], a: 1 }, rows: [{ d: 4, c: 3 }], free: [{ f: 6, e: 5 }] };
  expect((await send(sent)).status).toBe(200);
  expect(await send({ box: { a: 1 } })).toMatchObject({ status: 403, body: { code: 'rest_cannot_edit_guarded' } });
  expect(await send({ rows: [] })).toMatchObject({ status: 403, body: { code: 'rest_forbidden_field' } });
  expect(await send({ free: [] })).toMatchObject({ status: 400 });
});

test('what lies below a hidden item is hidden however deep it is; a rule that is followed no further gives no right', async () => {
  const chain = async (secret: boolean): Promise<number[]> => {
    const ids: number[] = [];
    for (let depth = 0; depth < 7; depth++)
      ids.push(await create(boss, '/folders', { up: ids.at(-1) ?? 0, secret: secret && depth === 0 }));
    return ids;
  };
  await chain(true);
  const open = await chain(false);
  const shown = (await site.send('GET', '/folders', { as: bob.headers, status: 200 })).body;
  expect(shown.map(({ id }: { id: number }) => id)).toEqual(open.slice(0, 4));
});
