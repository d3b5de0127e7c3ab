// Webhooks: which events are sent to whom, with which signature, how failures are repeated, and who may see it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebhookList } from '../../src/events/webhooks/webhook-list.js';
import { auditData } from '../../src/maintenance/check-data.js';
import type { Content } from '../../src/model/content.js';
import { equals } from '../../src/model/query.js';
import type { Reader, Transaction } from '../../src/model/store.js';
import { rejectsWrites } from '../../src/storage/sql/retry.js';
import { administrator, basic, makeActor, type TestActor } from '../support/actors.js';
import { startTestSchemas, startTestSite, type TestSite } from '../support/start-test-site.js';
import { isSigned, startReceiver, type Received, type Receiver } from '../support/receiver.js';

let site: TestSite;
let admin: TestActor;
let author: TestActor;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  site = await startTestSite('schemas', {
    WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
    WEBHOOK_RETRY: '20ms',
    WEBHOOK_ATTEMPTS: '3',
  });
  admin = administrator(site);
  author = await makeActor(site, 'author');
});
afterAll(async () => {
  await site.close();
  await receiver.close();
});
afterEach(async () => {
  for (const { id } of (await site.send('GET', '/webhooks', { as: admin.headers })).body)
    await site.send('DELETE', `/webhooks/${id}?force=true`, { as: admin.headers, status: 200 });
  receiver.requests.length = 0;
  receiver.respond = () => 200;
});

const hook = async (values: object = {}): Promise<any> =>
  (await site.send('POST', '/webhooks', { as: admin.headers, body: { url: receiver.url, ...values }, status: 201 }))
    .body;
const post = async (values: object = {}): Promise<any> =>
  (await site.send('POST', '/posts', { as: admin.headers, body: { title: 'A post', ...values }, status: 201 })).body;
const deliveries = async (query: object = {}): Promise<any[]> =>
  (
    await site.send('GET', '/webhook-deliveries', {
      as: admin.headers,
      query: { per_page: 100, ...query },
      status: 200,
    })
  ).body;

async function when<T>(read: () => Promise<T> | T, done: (value: T) => boolean): Promise<T> {
  let value = await read();
  for (let tries = 0; tries < 300 && !done(value); tries += 1) {
    await sleep(50);
    value = await read();
  }
  if (!done(value)) throw new Error(`Never so: ${JSON.stringify(value)?.slice(0, 500)}`);
  return value;
}

/** What was received once there are so many. */
const received = (count: number): Promise<Received[]> =>
  when(
    () => receiver.accepted,
    (all) => all.length >= count,
  );
const types = (all: Received[]) => all.map(({ body }) => body.type);

test('every kind of change is delivered, in the order of the item', async () => {
  await hook({ resources: ['post'] });
  // Without a date a draft has that of its last change.
  const { id } = await post({ status: 'draft', date: '2020-01-01T00:00:00' });
  const change = (body: object) => site.send('PATCH', `/posts/${id}`, { as: admin.headers, body, status: 200 });
  await change({ title: 'Another' });
  await change({ title: 'Another' });
  await change({ status: 'publish' });
  await site.send('DELETE', `/posts/${id}`, { as: admin.headers, status: 200 });
  await change({ status: 'draft' });
  await site.send('DELETE', `/posts/${id}?force=true`, { as: admin.headers, status: 200 });
  const all = await received(7);
  expect(types(all)).toEqual([
    'post.created',
    'post.updated',
    'post.updated',
    'post.published',
    'post.trashed',
    'post.restored',
    'post.deleted',
  ]);
  expect(all[1]!.body).toEqual({
    type: 'post.updated',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    data: {
      event: expect.any(Number),
      resource: 'post',
      id,
      action: 'updated',
      fields: ['title'],
      user: admin.id,
      url: `http://api.test/cms/v2/posts/${id}`,
    },
  });
  expect(all.at(-1)!.body.data).not.toHaveProperty('url');
});

test('events have the members of the OpenAPI document, and the URL of a singleton is its own', async () => {
  await hook({ resources: ['settings', 'post', 'meta'] });
  const as = admin.headers;
  await site.send('PATCH', '/settings', { as, body: { description: 'Told' }, status: 200 });
  const { id } = await post();
  await site.send('POST', `/posts/${id}/meta`, { as, body: { key: 'told', value: 'x' }, status: 201 });
  await site.send('DELETE', `/posts/${id}?force=true`, { as, status: 200 });
  const all = await when(
    () => receiver.accepted,
    (list) => list.length === 4,
  );
  const { webhooks } = (await site.send('GET', '//docs-json')).body;
  for (const { body } of all) {
    const { schema } = webhooks[body.type].post.requestBody.content['application/json'];
    expect([body.type, Object.keys(body.data)]).toEqual([body.type, schema.properties.data.required]);
  }
  const url = all.find(({ body }) => body.type === 'settings.updated')!.body.data.url;
  expect(url).toBe('http://api.test/cms/v2/settings');
  await site.send('PATCH', '/settings', { as, body: { description: null } });
});

test('a refused write is not delivered', async () => {
  await hook({ resources: ['post'] });
  await site.send('POST', '/posts', { as: admin.headers, body: { title: 'x', status: 'nonsense' }, status: 400 });
  await site.send('POST', '/posts', {
    as: admin.headers,
    body: { title: 'x', sticky: true, password: 'y' },
    status: 400,
  });
  await post({ title: 'The only one' });
  await received(1);
  await sleep(300);
  expect(types(receiver.accepted)).toEqual(['post.created']);
});

test.each([
  [{ resources: ['tag'] }, ['tag.created', 'tag.updated']],
  [{ events: ['updated'] }, ['post.updated', 'post.updated', 'tag.updated']],
  [{ events: ['updated'], fields: ['excerpt', 'description'] }, ['post.updated', 'tag.updated']],
  [{ events: ['deleted'], resources: ['tag'] }, []],
  [{ active: false }, []],
])('%j', async (filter, wanted) => {
  // When the other one has the last event, the first one has it, too.
  await hook(filter);
  await hook({ events: ['updated'], resources: ['tag'] });
  const { id } = await post();
  await site.send('PATCH', `/posts/${id}`, { as: admin.headers, body: { title: 'Other' }, status: 200 });
  await site.send('PATCH', `/posts/${id}`, { as: admin.headers, body: { excerpt: 'Other' }, status: 200 });
  const tag = (await site.send('POST', '/tags', { as: admin.headers, body: { name: `Tag ${id}` }, status: 201 })).body;
  await site.send('PATCH', `/tags/${tag.id}`, { as: admin.headers, body: { description: 'x' }, status: 200 });
  const last = ({ body }: Received) => body.type === 'tag.updated';
  await when(
    () => receiver.accepted,
    (all) => all.some(last) && all.length >= wanted.length + 1,
  );
  const one = receiver.accepted.findIndex(last);
  expect(types(receiver.accepted.filter((_, at) => at !== one)).sort()).toEqual([...wanted].sort());
});

describe('signatures', () => {
  test('use the secret that the server has generated', async () => {
    const { secret } = await hook({ resources: ['post'] });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await post();
    const [first] = await received(1);
    expect(isSigned(first!, secret)).toBe(true);
    expect(isSigned({ ...first!, text: `${first!.text} ` }, secret)).toBe(false);
    expect(first!.headers).toMatchObject({
      'webhook-id': `msg_${first!.body.data.event}`,
      'content-type': 'application/json',
    });
  });

  test('of both secrets are sent after a rotation', async () => {
    const { id, secret } = await hook({ resources: ['post'] });
    const rotated = await site.send('PATCH', `/webhooks/${id}`, {
      as: admin.headers,
      body: { secret: '' },
      status: 200,
    });
    expect(rotated.body.secret).not.toBe(secret);
    await post();
    const [first] = await received(1);
    expect([secret, rotated.body.secret].map((each) => isSigned(first!, each))).toEqual([true, true]);
  });

  test('of both secrets continue when the new secret is sent back', async () => {
    const { id, secret } = await hook({ resources: ['post'] });
    const change = (body: object) => site.send('PATCH', `/webhooks/${id}`, { as: admin.headers, body, status: 200 });
    const rotated = (await change({ secret: '' })).body.secret;
    await change({ secret: rotated, active: true });
    await post();
    const [first] = await received(1);
    expect([secret, rotated].map((each) => isSigned(first!, each))).toEqual([true, true]);
  });

  test.each(['short', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'!'.repeat(40)}`])(
    'include no invalid secret: %s',
    async (secret) => {
      const response = await site.send('POST', '/webhooks', { as: admin.headers, body: { url: receiver.url, secret } });
      expect(response).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    },
  );
});

describe('failed deliveries', () => {
  test('are retried, and later events of the item wait', async () => {
    let failures = 2;
    receiver.respond = ({ body }) => (body.type === 'post.created' && failures-- > 0 ? 500 : 200);
    await hook({ resources: ['post'] });
    const { id } = await post();
    await site.send('PATCH', `/posts/${id}`, { as: admin.headers, body: { title: 'Other' }, status: 200 });
    await received(2);
    expect(receiver.requests.map(({ body, status }) => [body.type, status])).toEqual([
      ['post.created', 500],
      ['post.created', 500],
      ['post.created', 200],
      ['post.updated', 200],
    ]);
    const [, created] = await when(deliveries, ([updated]) => updated?.state === 'delivered');
    expect(created).toMatchObject({ type: 'post.created', state: 'delivered', attempts: 3, status: 200, item: id });
  });

  test('of many items do not delay those of others', async () => {
    const { id } = await hook({ resources: ['tag'] });
    const { table, fields } = site.site.models.byName.get('webhook-delivery')!;
    const column = (field: string) => fields.get(field)!.column!;
    const now = Date.now();
    await site.site.store.transaction(async (tx) => {
      // 600 items, each with a delivery that waits for its next attempt, and one that waits for that one.
      for (let item = 1; item <= 600; item++)
        for (const due of [now + 3_600_000, now])
          await tx.insert(table!.name, {
            [column('webhook')]: id,
            [column('date')]: '2020-01-01T00:00:00',
            [column('type')]: 'tag.updated',
            [column('resource')]: 'tag',
            [column('item')]: 1_000_000 + item,
            [column('due')]: due,
            [column('payload')]: '{"type":"tag.updated","data":{"resource":"tag"}}',
          });
    });
    await site.send('POST', '/tags', { as: admin.headers, body: { name: `After many ${now}` }, status: 201 });
    expect(types(await received(1))).toEqual(['tag.created']);
  });

  test('are given up after the configured attempts, and can be replayed', async () => {
    receiver.respond = () => 503;
    await hook();
    await post();
    const [dead] = await when(deliveries, ([first]) => first?.state === 'failed');
    expect(dead).toMatchObject({ attempts: 3, status: 503, error: 'the response has the status 503' });
    // Each outcome makes another version.
    const { headers } = await site.send('GET', `/webhook-deliveries/${dead.id}`, { as: admin.headers });
    expect(headers['etag']).toMatch(/^"4-/);
    receiver.respond = () => 200;
    const path = `/webhook-deliveries/${dead.id}/replay`;
    expect(await site.send('POST', path, { as: author.headers })).toMatchObject({ status: 403 });
    expect(await site.send('POST', path, { as: admin.headers })).toMatchObject({
      status: 200,
      body: { state: 'pending' },
    });
    await received(1);
    await when(deliveries, ([first]) => first?.state === 'delivered');
  });

  test('in flight do not undo a replay', async () => {
    let asked = 0;
    receiver.respond = async () => {
      asked++;
      if (asked > 1) return 200;
      const [{ id }] = await deliveries();
      await site.send('POST', `/webhook-deliveries/${id}/replay`, { as: admin.headers, status: 200 });
      return 500;
    };
    await hook({ events: ['created'], resources: ['post'] });
    await post();
    const [last] = await when(deliveries, ([each]) => each !== undefined && each.state !== 'pending');
    expect([last, asked]).toMatchObject([{ state: 'delivered', attempts: 1, status: 200 }, 2]);
  });

  test('that time out do not delay other receivers', async () => {
    const slow = await startReceiver();
    let end: (status: number) => void = () => undefined;
    const response = new Promise<number>((resolve) => (end = resolve));
    slow.respond = () => response;
    await hook({ resources: ['tag'], url: slow.url });
    await hook({ resources: ['tag'] });
    const tag = (name: string) =>
      site.send('POST', '/tags', { as: admin.headers, body: { name: `Beside a slow one ${name}` }, status: 201 });
    await tag('1');
    await when(deliveries, (all) => all.some(({ state }) => state === 'delivered'));
    await tag('2');
    await received(2);
    end(200);
    await when(deliveries, (all) => all.length === 4 && all.every(({ state }) => state === 'delivered'));
    await slow.close();
  });

  test('do not include compressed responses, whose body is not read', async () => {
    receiver.respond = () => ({ status: 200, headers: { 'Content-Encoding': 'gzip' } });
    const { id } = await hook({ events: ['created'], resources: ['post'] });
    await post();
    const [first] = await when(deliveries, ([each]) => each?.webhook === id && each.attempts > 0);
    expect(first).toMatchObject({ state: 'delivered', attempts: 1, status: 200, error: '' });
  });

  test('are retried after a fractional pause that the receiver requests', async () => {
    let failures = 1;
    receiver.respond = () => (failures-- > 0 ? { status: 503, headers: { 'Retry-After': '0.1234567' } } : 200);
    const { id } = await hook({ events: ['created'], resources: ['post'] });
    await post();
    const [first] = await when(deliveries, ([each]) => each?.webhook === id && each.state === 'delivered');
    expect(first).toMatchObject({ attempts: 2 });
    expect(receiver.requests).toHaveLength(2);
  });

  test('whose outcome cannot be stored do not repeat other requests in flight', async () => {
    const slow = await startReceiver();
    let asked = 0;
    slow.respond = () => {
      asked++;
      return sleep(2_000, 200);
    };
    await hook({ resources: ['tag'], url: slow.url });
    await hook({ resources: ['tag'] });
    const { store } = site.site;
    const transaction = store.transaction.bind(store);
    let hasFailed = false;
    store.transaction = (work, options) => {
      if (hasFailed || receiver.requests.length === 0 || !options?.names?.includes('lease sender'))
        return transaction(work, options);
      hasFailed = true;
      return Promise.reject(new Error('The database is gone.'));
    };
    await site.send('POST', '/tags', { as: admin.headers, body: { name: 'In flight' }, status: 201 });
    await when(
      () => [slow, receiver].map(({ requests }) => requests.length),
      ([one, other]) => one! > 0 && other! > 1,
    );
    store.transaction = transaction;
    await slow.close();
    expect([hasFailed, asked]).toEqual([true, 1]);
  });

  test('include redirects, and 410 switches the webhook off', async () => {
    receiver.respond = ({ body }) =>
      body.data.resource === 'tag' ? 410 : { status: 302, headers: { Location: 'http://127.0.0.1:1/' } };
    const { id } = await hook();
    await post();
    const [first] = await when(deliveries, ([each]) => (each?.attempts ?? 0) > 0);
    expect(first.error).toBe('the response has the status 302');
    await site.send('POST', '/tags', { as: admin.headers, body: { name: 'Gone' }, status: 201 });
    await when(
      () => site.send('GET', `/webhooks/${id}`, { as: admin.headers }),
      ({ body }) => body.active === false,
    );
  });

  test('with 410 of a replaced URL do not switch the webhook off, and the new URL gets the event', async () => {
    const former = await startReceiver();
    const { id } = await hook({ url: former.url });
    const path = `/webhooks/${id}`;
    former.respond = async () => {
      await site.send('PATCH', path, { as: admin.headers, body: { url: receiver.url }, status: 200 });
      return 410;
    };
    await post();
    await received(1);
    await former.close();
    const { body } = await site.send('GET', path, { as: admin.headers, status: 200 });
    expect(body).toMatchObject({ active: true, url: receiver.url });
  });

  test.each([
    ['http://169.254.169.254/latest', 'has no public IP address'],
    ['http://[::1]:80/', 'has no public IP address'],
    ['http://localhost:9/', 'has no public IP address'],
    ['http://10.0.0.1/', 'has no public IP address'],
  ])('the event %s is not delivered', async (url, error) => {
    await hook({ url });
    await post();
    const [first] = await when(deliveries, ([each]) => (each?.attempts ?? 0) > 0);
    expect(first).toMatchObject({ status: 0, error: expect.stringContaining(error) });
  });
});

test('a delivery that is deleted before it is sent is not sent', async () => {
  const { reader } = site.site.store;
  const select = reader.select;
  let deleted = false;
  reader.select = async (query) => {
    if (!deleted && query.columns.join() === 'id,payload') {
      deleted = true;
      const [{ id }] = await deliveries();
      await site.send('DELETE', `/webhook-deliveries/${id}?force=true`, { as: admin.headers, status: 200 });
    }
    return select.call(reader, query);
  };
  try {
    await hook({ resources: ['tag'] });
    const tag = (name: string) =>
      site.send('POST', '/tags', { as: admin.headers, body: { name: `Unsent ${name}` }, status: 201 });
    await tag('1');
    await when(
      () => deleted,
      (is) => is,
    );
    await tag('2');
    await received(1);
  } finally {
    reader.select = select;
  }
  expect(receiver.requests.map(({ body }) => body.data?.id)).toEqual([expect.any(Number)]);
});

test('a failed delivery is retried in time although the clock was set back', async () => {
  const running = site.site.site;
  const { now } = running;
  running.now = () => now() + 24 * 60 * 60 * 1000;
  try {
    await hook();
    receiver.respond = () => 500;
    await post();
    await when(
      () => receiver.requests.length,
      (count) => count > 0,
    );
    await when(deliveries, ([first]) => first?.attempts > 0);
  } finally {
    running.now = now;
  }
  receiver.respond = () => 200;
  await received(1);
});

test('while the database accepts no writes, deliveries are not repeated every second, and are recorded afterwards', async () => {
  await hook({ resources: ['post'] });
  const { store } = site.site;
  const original = store.transaction.bind(store);
  let refused = 0;
  receiver.respond = () => {
    store.transaction = async () => {
      refused += 1;
      throw rejectsWrites(new Error('The disk is full'));
    };
    return 200;
  };
  try {
    await post();
    await when(
      () => refused,
      (count) => count >= 4,
    );
    expect(receiver.requests.length).toBe(1);
  } finally {
    receiver.respond = () => 200;
    store.transaction = original;
  }
  await when(deliveries, ([delivery]) => delivery?.state === 'delivered');
  // Its outcome was lost once.
  expect(receiver.requests.length).toBe(2);
});

test('a receiver that does not respond does not delay the shutdown, and the next process retries', async () => {
  const slow = await startReceiver();
  let asked = 0;
  let received = 0;
  slow.respond = async () => {
    asked++;
    await sleep(4_000);
    received++;
    return 200;
  };
  const stopping = await startTestSite('schemas', { WEBHOOK_ALLOW_HOSTS: '127.0.0.1' });
  try {
    const as = administrator(stopping).headers;
    await stopping.send('POST', '/webhooks', { as, body: { url: slow.url }, status: 201 });
    await stopping.send('POST', '/tags', { as, body: { name: 'Left' }, status: 201 });
    await when(
      () => asked,
      (count) => count > 0,
    );
    await stopping.site.events.stop();
    expect(received).toBe(0);
    const { body } = await stopping.send('GET', '/webhook-deliveries', { as, status: 200 });
    expect(body).toMatchObject([{ state: 'pending', attempts: 0, error: '' }]);
  } finally {
    await stopping.close();
    await slow.close();
  }
});

test('webhooks and their deliveries can be read by administrators only', async () => {
  const { id } = await hook();
  await post();
  const [delivery] = await when(deliveries, (all) => all.length > 0);
  for (const path of ['/webhooks', `/webhooks/${id}`, '/webhook-deliveries', `/webhook-deliveries/${delivery.id}`]) {
    expect((await site.send('GET', path)).status).toBe(401);
    expect((await site.send('GET', path, { as: author.headers })).status).toBe(403);
  }
  expect((await site.send('POST', '/webhooks', { as: author.headers, body: { url: receiver.url } })).status).toBe(403);
  const shown = await site.send('GET', `/webhooks/${id}`, { as: admin.headers });
  expect(shown.body).not.toHaveProperty('secret');
  const listed = await site.send('GET', '/webhooks', { as: admin.headers, query: { context: 'edit' } });
  expect(listed.body[0].secret).toMatch(/^whsec_/);
});

test('an unknown state of a delivery is refused', async () => {
  const { status, body } = await site.send('GET', '/webhook-deliveries?state=bogus', { as: admin.headers });
  expect([status, body.data.params.state]).toEqual([400, expect.stringMatching(/"pending", "delivered" or "failed"/)]);
});

test('an application password that may only read cannot replay a delivery', async () => {
  await hook({ resources: ['post'] });
  await post();
  const [delivery] = await when(deliveries, ([first]) => first?.state === 'delivered');
  const path = '/users/me/application-passwords';
  const { password } = (
    await site.send('POST', path, { as: admin.headers, body: { name: 'r', scope: { read_only: true } }, status: 201 })
  ).body;
  const as = basic(admin.username, password);
  expect((await site.send('GET', `/webhook-deliveries/${delivery.id}`, { as })).status).toBe(200);
  const refused = { status: 403, body: { code: 'rest_forbidden_scope' } };
  expect(await site.send('POST', `/webhook-deliveries/${delivery.id}/replay`, { as })).toMatchObject(refused);
  expect(await deliveries()).toEqual([delivery]);
});

describe('an application password with a scope of resources', () => {
  let as: TestActor['headers'];
  const refused = { status: 403, body: { code: 'rest_forbidden_scope' } };
  const send = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => site.send(method, path, { as, body });
  beforeAll(async () => {
    const path = '/users/me/application-passwords';
    const body = { name: 'some', scope: { resources: ['webhooks', 'tags'] } };
    const { password } = (await site.send('POST', path, { as: admin.headers, body, status: 201 })).body;
    as = basic(admin.username, password);
  });

  test('creates only webhooks for these resources', async () => {
    const { url } = receiver;
    for (const resources of [undefined, [], ['post'], ['tag', 'post']])
      expect(await send('POST', '/webhooks', { url, ...(resources && { resources }) })).toMatchObject(refused);
    const { body } = await send('POST', '/webhooks', { url, resources: ['tag', 'post'] });
    expect(body.message).toMatch(/does not cover post\b.*Name in resources only: (?:tag, webhook|webhook, tag)\.$/);
    expect((await send('POST', '/webhooks', { url, resources: ['tag'] })).status).toBe(201);
    expect((await site.send('GET', '/webhooks', { as })).body).toHaveLength(1);
  });

  test('changes only webhooks for these resources, before and after the change', async () => {
    for (const resources of [[], ['post', 'tag']]) {
      const { id } = await hook({ resources, url: 'http://127.0.0.1:1/' });
      for (const body of [{ url: receiver.url }, { name: 'x' }, { secret: '' }, { active: false }])
        expect(await send('PATCH', `/webhooks/${id}`, body)).toMatchObject(refused);
      const before = (await site.send('GET', `/webhooks/${id}`, { as: admin.headers, query: { context: 'edit' } }))
        .body;
      expect(before).toMatchObject({ url: 'http://127.0.0.1:1/', name: '', active: true });
    }
    const { id } = await hook({ resources: ['tag'] });
    for (const resources of [[], ['post'], ['post', 'tag']])
      expect(await send('PUT', `/webhooks/${id}`, { resources })).toMatchObject(refused);
    expect((await send('PATCH', `/webhooks/${id}`, { name: 'x' })).status).toBe(200);
    expect((await send('PATCH', `/webhooks/${id}`, { resources: ['webhook'] })).status).toBe(200);
  });

  test('without resources in its scope creates webhooks for all resources', async () => {
    const path = '/users/me/application-passwords';
    const body = { name: 'all', scope: { read_only: false } };
    const { password } = (await site.send('POST', path, { as: admin.headers, body, status: 201 })).body;
    const all = { as: basic(admin.username, password), body: { url: receiver.url } };
    expect((await site.send('POST', '/webhooks', all)).status).toBe(201);
  });
});

test('a URL that must not be requested is refused', async () => {
  const send = (url: string, id = '') => site.send('POST', `/webhooks${id}`, { as: admin.headers, body: { url } });
  for (const url of ['ftp://hooks.example.com/', 'https://ann:secret@hooks.example.com/', 'http://ann@127.0.0.1/']) {
    const response = await send(url);
    expect([url, response.status, Object.keys(response.body.data.params)]).toEqual([url, 400, ['url']]);
  }
  const { id } = await hook();
  expect((await send('https://ann:secret@hooks.example.com/', `/${id}`)).body.data.params.url).toMatch(/without/);
});

test('the OpenAPI document describes the payload', async () => {
  const { webhooks } = (await site.send('GET', '//docs-json')).body;
  expect(webhooks['post.published'].post.requestBody.content['application/json'].schema.properties.type).toEqual({
    type: 'string',
    const: 'post.published',
  });
  expect(Object.keys(webhooks)).toEqual(expect.arrayContaining(['tag.created', 'user.login', 'comment.trashed']));
  expect(webhooks['tag.published']).toBeUndefined();
});

test('a delivery that is replayed while old ones are deleted remains', async () => {
  await hook();
  await post();
  const [delivery] = await when(deliveries, ([each]) => each?.state === 'delivered');
  const { models, store } = site.site;
  const model = models.byName.get('webhook-delivery')!;
  const table = model.table!.name;
  const old = { date: '2001-01-01T00:00:00' };
  await store.transaction((tx) => tx.update(table, old, equals('id', delivery.id)));
  const content = {
    site: { now: Date.now },
    store,
    // Committed by another process after the old ones were looked up.
    async batch(work: (batch: { tx: Transaction }) => Promise<unknown>) {
      await store.transaction((tx) => tx.update(table, { state: 'pending' }, equals('id', delivery.id)));
      return store.transaction((tx) => work({ tx }));
    },
  } as unknown as Content;
  await model.tasks.get('trim')!.run(content);
  expect(await store.reader.first(table, ['state'], equals('id', delivery.id))).toBeDefined();
});

test('a new webhook is kept when a read began before it and ends after it', async () => {
  const { models, store } = site.site;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isOlder = true;
  const reader: Reader = Object.create(store.reader);
  reader.select = async (query) => {
    const waits = isOlder;
    isOlder = false;
    const rows = await store.reader.select(query);
    if (waits) await released;
    return rows;
  };
  const list = WebhookList.of(models, { reader })!;
  const older = list.follow();
  while (isOlder) await sleep(1);
  const { id } = await hook();
  await list.read();
  release();
  await older;
  expect(list.active.map((each) => each.id)).toEqual([id]);
});

test.each([
  ['a URL that is not one of the web', { url: 'ftp://hooks.example.com/' }, 'url', 'https:// or http://'],
  ['a resource that does not exist', { resources: ['pots'] }, 'resources', 'Did you mean "post"?'],
  ['a field that no resource has', { fields: ['titel'] }, 'fields', 'Did you mean "title"?'],
])('a webhook cannot have %s', async (_what, values, param, message) => {
  const { id } = await hook();
  for (const path of ['/webhooks', `/webhooks/${id}`]) {
    const refused = await site.send('POST', path, {
      as: admin.headers,
      body: { url: receiver.url, ...values },
      status: 400,
    });
    expect(refused.body.data.params).toEqual({ [param]: expect.stringContaining(message) });
  }
});

test('a webhook may keep the name of a removed resource', async () => {
  const { id } = await hook({ resources: ['post'] });
  await site.site.store.transaction((tx) =>
    tx.update('webhooks', { resources: '["post","gone"]' }, { op: 'eq', column: 'id', value: id }),
  );
  const path = `/webhooks/${id}`;
  const kept = { as: admin.headers, body: { resources: ['gone'] }, status: 200 };
  expect((await site.send('POST', path, kept)).body.resources).toEqual(['gone']);
});

test('without a webhook no events are recorded', async () => {
  await post();
  const { reader } = site.site.store;
  for (const table of ['typecase_outbox', 'typecase_events']) {
    const before = await reader.count(table, { op: 'true' });
    await post();
    expect(await reader.count(table, { op: 'true' })).toBe(before);
  }
});

test('deliveries with a search and other orderings of their own are found by what they hold now', async () => {
  const NEEDS = [{ needs: 'manage_options', error: 'rest_forbidden' }];
  const permissions = { rules: { read: 'manage_options' }, list: NEEDS, retrieve: NEEDS };
  const schemas = [
    { name: 'note', path: 'notes', fields: { title: { type: 'string' } }, permissions: 'public-read' },
    { name: 'hook', path: 'hooks', fields: {}, traits: { webhook: {} }, permissions: 'public-read' },
    {
      name: 'delivery',
      path: 'deliveries',
      fields: {},
      traits: { 'webhook-delivery': { of: 'hook' } },
      search: { fields: ['type', 'error'] },
      list: { orderby: ['id', 'type'] },
      permissions,
    },
  ];
  const own = await startTestSchemas(schemas, {
    WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
    WEBHOOK_RETRY: '20ms',
    WEBHOOK_ATTEMPTS: '1',
  });
  try {
    const { headers: as } = administrator(own);
    const found = async (query: object) =>
      (await own.send('GET', '/deliveries', { as, query: { ...query }, status: 200 })).body.map(
        ({ type, state }: any) => `${type} ${state}`,
      );
    const failed = ['note.created failed'];
    const delivered = ['note.created delivered'];
    receiver.respond = ({ body }) => (body.type === 'note.created' ? 503 : 200);
    await own.send('POST', '/hooks', { as, body: { url: receiver.url, resources: ['note'] }, status: 201 });
    const { body: note } = await own.send('POST', '/notes', { as, body: { title: 'a' }, status: 201 });
    await own.send('PATCH', `/notes/${note.id}`, { as, body: { title: 'b' }, status: 200 });
    await when(
      () => found({ orderby: 'type', order: 'desc' }),
      (all) => all.join() === 'note.updated delivered,note.created failed',
    );
    expect(await found({ orderby: 'type', order: 'asc' })).toEqual([...failed, 'note.updated delivered']);
    expect(await found({ search: 'created' })).toEqual(failed);
    expect(await found({ search: '503' })).toEqual(failed);
    expect(await auditData(own.site.models, own.site.store, own.site.site)).toEqual([]);
    receiver.respond = () => 200;
    const [{ id }] = (await own.send('GET', '/deliveries', { as, query: { state: 'failed' } })).body;
    await own.send('POST', `/deliveries/${id}/replay`, { as, status: 200 });
    expect(await found({ search: '503' })).toEqual([]);
    await when(
      () => found({ search: 'created' }),
      (all) => all.join() === delivered.join(),
    );
    expect(await auditData(own.site.models, own.site.store, own.site.site)).toEqual([]);
  } finally {
    await own.close();
  }
});
