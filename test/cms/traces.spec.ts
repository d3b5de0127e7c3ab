// OpenTelemetry: what a collector receives of requests and their statements, and that nothing is loaded without it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { context, trace } from '@opentelemetry/api';
import { ADMINISTRATOR, startTestSite, type TestSite } from '../support/start-test-site.js';
import { basic } from '../support/actors.js';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code: number };
}

const ADMIN = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

const spans: Span[] = [];
const services = new Set<string>();
let collector: Server;
let site: TestSite;

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((sent: any) => {
      expect(request.url).toBe('/v1/traces');
      for (const { resource, scopeSpans } of sent.resourceSpans) {
        services.add(attributesOf(resource)['service.name'] as string);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  site = await startTestSite('schemas', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: 'the blog',
  });
});

afterAll(() => {
  collector.close();
  collector.closeAllConnections();
});

test('spans of requests and statements are exported when the server stops, without values', async () => {
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const body = { title: 'A secret title', status: 'publish' };
  const created = await site.send('POST', '/posts', { as: ADMIN, headers: { traceparent }, body, status: 201 });
  await site.send('GET', `/posts/${created.body.id}?search=secret`, { headers: { 'X-Request-Id': 'request-7' } });
  await site.send('GET', '/secret', { headers: { traceparent: 'not one' }, status: 404 });
  await site.close();

  expect([...services]).toEqual(['the blog']);
  const requests = spans.filter(({ kind }) => kind === 2);
  expect(requests.map(({ name }) => name)).toEqual(['POST /cms/v2/posts', 'GET /cms/v2/posts/:id', 'GET unmatched']);
  const [create, read, missing] = requests as [Span, Span, Span];
  expect(create).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  expect(attributesOf(create)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/cms/v2/posts',
    'http.response.status_code': 201,
    'typecase.request_id': created.headers['x-request-id'],
  });
  expect(read.traceId).not.toBe(TRACE);
  expect(read.parentSpanId).toBeUndefined();
  expect(attributesOf(read)['typecase.request_id']).toBe('request-7');
  expect(attributesOf(missing)['http.response.status_code']).toBe(404);
  expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(3);

  const statements = spans.filter(({ kind }) => kind === 3);
  const ofCreate = statements.filter(({ parentSpanId }) => parentSpanId === create.spanId);
  expect(ofCreate.every(({ traceId }) => traceId === TRACE)).toBe(true);
  const insert = ofCreate.find(({ name }) => name === 'database insert')!;
  expect(attributesOf(insert)['db.query.text']).toMatch(/^INSERT INTO .*contents/);
  expect(BigInt(insert.startTimeUnixNano)).toBeGreaterThan(BigInt(create.startTimeUnixNano) - 5_000_000n);
  expect(BigInt(insert.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(insert.startTimeUnixNano));
  expect(statements.some(({ parentSpanId }) => parentSpanId === read.spanId)).toBe(true);
  // Background work of the scheduler creates no traces.
  const known = new Set(requests.map(({ spanId }) => spanId));
  expect(statements.filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''))).toEqual([]);
  expect(JSON.stringify(spans)).not.toMatch(/secret/i);
});

test('a collector that does not respond neither fails nor delays requests', async () => {
  const lost = await startTestSite('schemas', {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  });
  await lost.send('GET', '/posts', { status: 200 });
  await lost.close();
});

test.each<[string, Record<string, string>]>([
  ['without variables', {}],
  ['with none', { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }],
  ['disabled', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }],
])('traces are off %s', async (_name, environment) => {
  const plain = await startTestSite('schemas', environment);
  try {
    expect(plain.config.tracing).toBeUndefined();
    await plain.send('GET', '/posts', { status: 200 });
    // No provider and no context manager is registered.
    expect(trace.getTracer('any').startSpan('any').isRecording()).toBe(false);
    expect(
      context.with(context.active().setValue(Symbol.for('any'), 1), () => context.active().getValue(Symbol.for('any'))),
    ).toBeUndefined();
  } finally {
    await plain.close();
  }
});
