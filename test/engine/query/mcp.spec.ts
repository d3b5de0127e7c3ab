// Agents: the operations of resources as tools of the Model Context Protocol, over HTTP and over standard input and
// output, and application passwords with a scope that allows less than their account.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ResourceService } from '../../../src/engine/resource.service.js';
import { CHEAP_HASHES } from '../../support/start-test-site.js';
import { bundledProgram } from '../../support/built-program.js';
import { openDepot, SCHEMAS, type Depot } from './stage.js';

let depot: Depot;
const clients: Client[] = [];

beforeAll(async () => {
  depot = await openDepot({ MCP: 'on' });
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await depot?.site.close();
});

async function connect(headers: Record<string, string> = {}): Promise<Client> {
  const { port } = depot.site.server.address() as AddressInfo;
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as never);
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: object = {}): Promise<{ isError: boolean; data: any }> {
  const { content, isError } = await client.callTool({ name, arguments: args as Record<string, unknown> });
  return { isError: isError === true, data: JSON.parse((content as { text: string }[])[0]!.text) };
}

/** A message without a client, which would negotiate the version itself. */
const message = (sent: object, headers: Record<string, string> = {}) =>
  depot.site.send('POST', '//mcp', {
    as: { ...depot.actors.boss.headers, ...headers },
    headers: { Accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, ...sent },
  });

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe('over HTTP', () => {
  test('a client gets the tools that it may use', async () => {
    const boss = await namesOf(await connect(depot.actors.boss.headers));
    expect(boss).toEqual(
      expect.arrayContaining([
        'list_products',
        'get_product',
        'create_product',
        'update_product',
        'delete_product',
        'list_products_cheap',
        'list_order_lines',
        'create_order_line',
      ]),
    );
    const anonymous = await namesOf(await connect());
    expect(anonymous).toContain('list_products');
    expect(anonymous).not.toContain('create_product');
    expect(anonymous).not.toContain('list_products_fresh');
  });

  test('a tool describes its arguments and results', async () => {
    const { tools } = await (await connect(depot.actors.clerk.headers)).listTools();
    const list = tools.find(({ name }) => name === 'list_products')!;
    expect(list.description).toContain('price');
    expect(list.description).not.toContain('cost');
    expect(list.annotations).toMatchObject({ readOnlyHint: true });
    const create = tools.find(({ name }) => name === 'create_product')!;
    expect(create.inputSchema.required).toEqual(['name']);
    expect(create.inputSchema.properties).toMatchObject({ kind: { enum: ['tool', 'toy', 'book'] } });
  });

  test('lists accept conditions, orders, references and pages', async () => {
    const client = await connect(depot.actors.boss.headers);
    const where = { stock: { gte: 2 }, or: [{ kind: 'toy' }, { price: { lt: 5 } }], maker: { rating: { gte: 1 } } };
    const args = { where, orderby: '-price,name', per_page: 2, expand: 'maker', _fields: 'id,price,maker.name' };
    const { data } = await call(client, 'list_products', args);
    const wanted = depot.products.filter(
      ({ stock, kind, price, maker }) =>
        stock >= 2 &&
        (kind === 'toy' || Number(price) < 5) &&
        (depot.makers.find(({ id }) => id === maker)?.rating ?? 0) >= 1,
    );
    expect([data.total, data.items.length]).toEqual([wanted.length, Math.min(2, wanted.length)]);
    expect(data.items[0].maker).toEqual({ name: expect.any(String) });
    const seen = data.items.map(({ id }: { id: number }) => id);
    let cursor = data.next_cursor;
    while (cursor) {
      const page = await call(client, 'list_products', { ...args, cursor });
      seen.push(...page.data.items.map(({ id }: { id: number }) => id));
      cursor = page.data.next_cursor;
    }
    expect([...seen].sort((a, b) => a - b)).toEqual(wanted.map(({ id }) => id));
    const { data: summary } = await call(client, 'list_products', { aggregate: 'count', group: 'kind' });
    expect(summary.groups).toEqual(['book', 'tool', 'toy'].map((kind) => ({ group: { kind }, count: 10 })));
    expect((await call(client, 'list_products_cheap', { per_page: 1 })).data.items[0]).toHaveProperty('price');
  });

  test('items are read, updated with their ETag, and deleted', async () => {
    const client = await connect(depot.actors.boss.headers);
    const made = await call(client, 'create_product', { name: 'Made by an agent', price: '3.00' });
    expect(made).toMatchObject({
      isError: false,
      data: { etag: expect.any(String), item: { name: 'Made by an agent' } },
    });
    const { id } = made.data.item;
    const read = await call(client, 'get_product', { id });
    expect(read.data.item).not.toHaveProperty('_links');
    const changed = await call(client, 'update_product', { id, price: '4.00', if_match: read.data.etag });
    expect(changed.data.item.price).toBe('4.00');
    const late = await call(client, 'update_product', { id, price: '5.00', if_match: read.data.etag });
    expect([late.isError, late.data.status, late.data.code]).toEqual([true, 412, 'rest_precondition_failed']);
    expect((await call(client, 'delete_product', { id })).isError).toBe(false);
    expect((await call(client, 'get_product', { id })).data.status).toBe(404);
  });

  test('a field may have the name of an argument of other tools', async () => {
    const client = await connect(depot.actors.boss.headers);
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'create_quiet')!;
    expect(tool.inputSchema.properties!['where']).toMatchObject({ type: 'string' });
    const made = await call(client, 'create_quiet', { name: 'Meeting', where: 'Room 1' });
    expect(made.data).toMatchObject({ item: { where: 'Room 1' } });
    const { data } = await call(client, 'create_quiet', { name: 'Meeting', where: { name: { eq: 'x' } } });
    expect(data.params).toEqual({ where: 'where must be a string.' });
  });

  test('creations with a key happen once, with their nested items', async () => {
    const client = await connect(depot.actors.clerk.headers);
    const args = { title: 'By an agent', lines: [{ quantity: 2 }], idempotency_key: 'agent-1' };
    const first = await call(client, 'create_order', args);
    const second = await call(client, 'create_order', args);
    expect(second.data.item.id).toBe(first.data.item.id);
    const lines = await call(client, 'list_order_lines', { parent_id: first.data.item.id });
    expect(lines.data.total).toBe(1);
  });

  test('a refusal has a reason', async () => {
    const client = await connect(depot.actors.clerk.headers);
    const wrong = await call(client, 'create_product', { kind: 'car', stock: 'many' });
    expect(wrong.data).toMatchObject({ status: 400, code: 'rest_missing_callback_param', params: ['name'] });
    const values = await call(client, 'create_product', { name: 'x', kind: 'car' });
    expect(Object.keys(values.data.params)).toEqual(['kind']);
    const unknown = await call(client, 'create_product', { name: 'x', colour: 'red' });
    expect([unknown.data.code, Object.keys(unknown.data.params)]).toEqual(['rest_unknown_param', ['colour']]);
    const condition = await call(client, 'list_products', { where: { cost: { gt: 1 } } });
    expect([condition.isError, condition.data.status]).toEqual([true, 400]);
    expect((await call(client, 'update_product', { id: depot.products[0]!.id, stock: 5 })).data.status).toBe(403);
    expect((await call(await connect(), 'create_product', { name: 'x' })).data.status).toBe(401);
    // The first is an object that JavaScript cannot turn into a text.
    for (const id of [{ toString: 1, valueOf: 1 }, [1], -1, 1.5, '', '1/lines', 'first']) {
      const { data } = await call(client, 'get_product', { id });
      expect([data.status, data.code, Object.keys(data.params)]).toEqual([400, 'rest_invalid_param', ['id']]);
    }
    for (const name of ['get_product', 'update_product', 'delete_product'])
      expect((await call(client, name)).data).toMatchObject({ code: 'rest_missing_callback_param', params: ['id'] });
    const lines = await call(client, 'get_order_line', { id: null });
    expect(lines.data).toMatchObject({ code: 'rest_missing_callback_param', params: ['id', 'parent_id'] });
    expect((await call(client, 'get_product', { id: 999_999 })).data).toMatchObject({ status: 404 });
    await expect(client.callTool({ name: 'drop_products' })).rejects.toThrow('no tool');
  });

  test('a large result is written in pieces, and is the list', async () => {
    const about = `"quoted" \\ 😀 \u2028 <b>bold</b>\n\n`.repeat(1_000);
    const ids: number[] = [];
    await depot.site.site.writer.batch(async ({ create }) => {
      for (let at = 0; at < 12; at++) ids.push(await create('product', { name: `Large ${at}`, about }));
    });
    const sizes: number[] = [];
    depot.site.server.prependOnceListener('request', (_request, response) => {
      for (const name of ['write', 'end'] as const) {
        const send = response[name];
        response[name] = ((...piece: any[]) => {
          if (piece[0] !== undefined) sizes.push(Buffer.byteLength(piece[0]));
          return Reflect.apply(send, response, piece);
        }) as never;
      }
    });
    const given = { where: { id: { in: ids } }, orderby: 'id', per_page: 20 };
    const { body } = await message({ method: 'tools/call', params: { name: 'list_products', arguments: given } });
    const { items, total } = JSON.parse(body.result.content[0].text);
    const query = `?id[in]=${ids.join()}&orderby=id&order=asc&per_page=20`;
    const listed = await depot.site.send('GET', `/products${query}`, { as: depot.actors.boss.headers, status: 200 });
    expect([items, total]).toEqual([listed.body.map(({ _links, ...item }: any) => item), ids.length]);
    expect(Math.max(...sizes)).toBeLessThan(256 * 1024);
    for (const id of ids)
      await depot.site.send('DELETE', `/products/${id}?force=true`, { as: depot.actors.boss.headers, status: 200 });
  });

  test('an error of the server names the request, for its log', async () => {
    const service = depot.site.site.app.get(ResourceService);
    const failing = jest.spyOn(service, 'retrieve').mockRejectedValue(new Error('lost'));
    try {
      const called = { method: 'tools/call', params: { name: 'get_product', arguments: { id: 1 } } };
      const { headers, body } = await message(called, { 'X-Request-Id': 'agent-7' });
      expect(JSON.parse(body.result.content[0].text)).toMatchObject({ status: 500, request_id: 'agent-7' });
      expect(headers['x-request-id']).toBe('agent-7');
    } finally {
      failing.mockRestore();
    }
  });

  test('unknown arguments are refused', async () => {
    const client = await connect(depot.actors.boss.headers);
    const { id } = depot.products[0]!;
    const named = async (name: string, args: object) => {
      const { isError, data } = await call(client, name, args);
      return [isError, data.status, data.code, ...Object.keys(data.params ?? {})];
    };
    const wrong = [true, 400, 'rest_invalid_param'];
    for (const where of ['{"price":{"lt":10}}', [{ price: { lt: 10 } }], 7, true])
      expect(await named('list_products', { where })).toEqual([...wrong, 'where']);
    expect(await named('list_products', { _fields: { id: true } })).toEqual([...wrong, '_fields']);
    expect(await named('update_product', { id, stock: 4, if_match: 5 })).toEqual([...wrong, 'if_match']);
    expect(await named('delete_product', { id, if_match: {} })).toEqual([...wrong, 'if_match']);
    expect(await named('create_product', { name: 'Twice', idempotency_key: 5 })).toEqual([...wrong, 'idempotency_key']);
    expect((await call(client, 'list_products', { where: { name: { eq: 'Twice' } } })).data.total).toBe(0);
    const idle = [true, 400, 'rest_unknown_param'];
    for (const name of ['page', 'offset']) expect(await named('list_products', { [name]: 2 })).toEqual([...idle, name]);
    expect(await named('list_products', { orderby: 'price', order: 'desc' })).toEqual([...idle, 'order']);
    expect(await named('list_products', { where: { stock: { gt: 0 } }, and: [{}] })).toEqual([...idle, 'and']);
    expect(await named('get_product', { id, _embed: true })).toEqual([...idle, '_embed']);
    // Arguments of other tools.
    expect(await named('list_quiet', { where: { id: 1 } })).toEqual([...idle, 'where']);
    expect(await named('get_product', { id, if_match: '"1"' })).toEqual([...idle, 'if_match']);
    expect(await named('delete_product', { id, idempotency_key: 'k' })).toEqual([...idle, 'idempotency_key']);
    expect(await named('create_product', { name: 'Twice', if_match: '*' })).toEqual([...idle, 'if_match']);
    // Errors of conditions name the argument that was sent.
    const { data } = await call(client, 'list_products', { where: { or: [{ price: 1 }, { price: { like: 1 } }] } });
    expect(Object.keys(data.params)).toEqual(['where[or][1][price][like]']);
    expect(JSON.stringify(data)).not.toContain('and[');
    // What clients send for nothing.
    const nothing = { where: null, _fields: null, cursor: '' };
    expect((await call(client, 'list_products', nothing)).isError).toBe(false);
    expect((await call(client, 'list_products', { where: {}, _fields: ['id', 'name'] })).isError).toBe(false);
  });

  test('a malformed message is an error of the client, with the invalid member', async () => {
    const errorOf = async (sent: object) => {
      const { status, body } = await message(sent);
      return [status, body.error?.code, body.error?.message];
    };
    for (const wrong of [[], 'x', 5, true, null]) {
      const params = { name: 'list_products', arguments: wrong };
      expect(await errorOf({ method: 'tools/call', params })).toEqual([
        200,
        -32602,
        expect.stringContaining('params.arguments: '),
      ]);
    }
    const named = { method: 'tools/call', params: { name: 5 } };
    expect(await errorOf(named)).toEqual([200, -32602, expect.stringContaining('params.name: ')]);
    expect((await errorOf({ method: 'tools/call' }))[1]).toBe(-32602);
    expect((await errorOf({ method: 'initialize', params: {} }))[1]).toBe(-32602);
    expect((await errorOf({ method: 'tools/drop', params: {} }))[1]).toBe(-32601);
    expect((await message({ method: 'ping' })).body.result).toEqual({});
  });

  test('names of JavaScript object properties are refused everywhere', async () => {
    const client = await connect(depot.actors.boss.headers);
    const before = await call(client, 'list_products', { aggregate: 'count' });
    for (const name of ['constructor', '__proto__', 'prototype'])
      for (const [tool, args] of [
        ['list_products', `{"${name}":1}`],
        ['list_products', `{"where":{"${name}":{"eq":"x"}}}`],
        ['get_product', `{"id":1,"${name}":{}}`],
        ['create_product', `{"name":"Lost","${name}":1}`],
      ] as const) {
        const { isError, data } = await call(client, tool, JSON.parse(args) as object);
        expect([tool, isError, data.code, Object.keys(data.params)]).toEqual([
          tool,
          true,
          'rest_unknown_param',
          [name],
        ]);
      }
    expect(await call(client, 'list_products', { aggregate: 'count' })).toEqual(before);
  });

  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    // Its servers have to take several messages in one: clients of it know the one before, too.
    ['2025-03-26', '2024-11-05'],
    ['2024-11-05', '2024-11-05'],
    ['2099-01-01', '2025-11-25'],
    ['1.0', '2025-11-25'],
  ])('a client that requests the version %s gets %s', async (asked, given) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const { body } = await message({ method: 'initialize', params });
    expect(body.result).toMatchObject({ protocolVersion: given, capabilities: { tools: {} }, serverInfo: {} });
    expect(body.result.instructions).toContain('if_match');
    const list = { method: 'tools/list', params: {} };
    expect((await message(list, { 'MCP-Protocol-Version': given })).status).toBe(200);
  });

  test.each(['2025-03-26', 'x'])('a request in the version %s is refused', async (version) => {
    const refused = await message({ method: 'tools/list', params: {} }, { 'MCP-Protocol-Version': version });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/one of 2025-11-25, /)]);
    expect(refused.body.error.message).not.toContain('2025-03-26');
    expect((await message({ method: 'tools/list', params: {} })).status).toBe(200);
  });

  test('OPTIONS and the index describe the endpoint', async () => {
    const { body, headers } = await depot.site.send('OPTIONS', '//mcp', { status: 200 });
    expect([headers['allow'], body.methods]).toEqual(['POST', ['POST']]);
    expect((await depot.site.send('GET', '//', { status: 200 })).body.routes['/mcp']).toEqual(body);
  });

  test('streams and sessions are not supported, and wrong credentials are refused', async () => {
    expect((await depot.site.send('GET', '//mcp')).status).toBe(405);
    await expect(connect({ Authorization: 'Basic eDp5' })).rejects.toThrow();
    expect((await depot.site.send('POST', '//mcp', { body: { hello: 1 } })).status).toBeGreaterThanOrEqual(400);
  });
});

describe('an application password with a scope', () => {
  async function scoped(scope: object): Promise<Record<string, string>> {
    const as = depot.actors.boss.headers;
    const { body } = await depot.site.send('POST', `/people/${depot.actors.boss.id}/application-passwords`, {
      as,
      body: { name: 'agent', scope },
      status: 201,
    });
    expect(body.scope).toBeDefined();
    const me = await depot.site.send('GET', `/people/${depot.actors.boss.id}`, { as, status: 200 });
    return { Authorization: `Basic ${Buffer.from(`${me.body.username}:${body.password}`).toString('base64')}` };
  }

  test('for reading cannot write', async () => {
    const as = await scoped({ read_only: true });
    expect((await namesOf(await connect(as))).filter((name) => !/^(list|get)_/.test(name))).toEqual([]);
    expect((await depot.site.send('GET', '/products?cost[gt]=0', { as })).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/products'],
      ['PATCH', `/products/${depot.products[0]!.id}`],
      ['DELETE', `/products/${depot.products[0]!.id}?force=true`],
    ] as const) {
      const { status, body } = await depot.site.send(method, path, { as, body: { name: 'x' } });
      expect([method, status, body.code]).toEqual([method, 403, 'rest_forbidden_scope']);
    }
    const sent = { requests: [{ method: 'POST', path: '/cms/v2/products', body: { name: 'x' } }] };
    const batch = await depot.site.send('POST', '//batch/v1', { as, body: sent });
    expect(batch.body.responses[0].status).toBe(403);
    const allow = (await depot.site.send('GET', '/products', { as })).headers['allow'];
    expect(allow).toBe('GET');
  });

  test('for some resources gives no access to others, even behind references', async () => {
    const as = await scoped({ resources: ['products'] });
    expect(
      new Set((await namesOf(await connect(as))).map((name) => name.replace(/^[a-z]+_products?.*/, 'product'))),
    ).toEqual(new Set(['product']));
    expect((await depot.site.send('GET', '/makers', { as })).status).toBe(403);
    expect((await depot.site.send('GET', `/makers/${depot.makers[0]!.id}`, { as })).status).toBe(403);
    const { body } = await depot.site.send('GET', '/products?expand=maker&_embed', { as, status: 200 });
    expect(body.every(({ maker }: { maker: unknown }) => typeof maker === 'number')).toBe(true);
    expect(JSON.stringify(body)).not.toContain('Maker A');
    expect((await depot.site.send('GET', '/products?maker[name][contains]=a', { as })).status).toBe(400);
    expect((await depot.site.send('GET', '/products/views/cheap', { as })).status).toBe(200);
  });

  test('cannot create passwords', async () => {
    const as = await scoped({ resources: ['people', 'products'] });
    const path = `/people/${depot.actors.boss.id}/application-passwords`;
    expect((await depot.site.send('POST', path, { as, body: { name: 'wider' } })).status).toBe(403);
    expect((await depot.site.send('DELETE', path, { as })).status).toBe(403);
    const { body } = await depot.site.send('GET', `${path}/introspect`, { as, status: 200 });
    expect(body.scope).toEqual({ read_only: false, resources: ['people', 'products'] });
  });

  test.each([
    [1],
    [{ read_only: 'yes' }],
    [{ resources: [] }],
    [{ resources: ['nothing'] }],
    [{ resources: [{ toString: 1, valueOf: 1 }] }],
    [{ write: true }],
  ])('is refused: %j', async (scope) => {
    const path = `/people/${depot.actors.boss.id}/application-passwords`;
    const response = await depot.site.send('POST', path, { as: depot.actors.boss.headers, body: { name: 'x', scope } });
    expect([response.status, Object.keys(response.body.data?.params ?? {})]).toEqual([400, ['scope']]);
  });
});

describe('over standard input and output', () => {
  test('an account gets its tools, and anonymous callers theirs', async () => {
    const program = join(bundledProgram(), 'dist', 'cli.js');
    const folder = mkdtempSync(join(tmpdir(), 'typecase-mcp-'));
    const env = {
      PATH: process.env['PATH']!,
      SCHEMAS_DIR: SCHEMAS,
      ROLES_FILE: fileURLToPath(new URL('roles.json', import.meta.url)),
      DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
      MEDIA_DIR: join(folder, 'media'),
      ADMIN_PASSWORD: 'correct horse battery',
      ...CHEAP_HASHES,
    };
    const open = async (...args: string[]) => {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', ...args], env });
      await client.connect(transport as never);
      return client;
    };
    try {
      const admin = await open('--as', 'admin');
      expect((await call(admin, 'create_product', { name: 'Typed' })).data.item.name).toBe('Typed');
      const where = JSON.parse('{"__proto__":{"eq":"x"}}') as object;
      expect((await call(admin, 'list_products', { where })).data.code).toBe('rest_unknown_param');
      await admin.close();
      const reader = await open('--as', 'admin', '--read-only', '--resources', 'products');
      expect(new Set((await namesOf(reader)).map((name) => name.split('_')[0]))).toEqual(new Set(['list', 'get']));
      expect((await call(reader, 'list_products', { where: { name: { contains: 'typ' } } })).data.total).toBe(1);
      expect((await call(reader, 'create_product', { name: 'x' })).data.status).toBe(403);
      await reader.close();
      const nobody = await open();
      expect(await namesOf(nobody)).not.toContain('create_product');
      await nobody.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
