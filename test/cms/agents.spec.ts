// Tools of agents accept the parameters that the OpenAPI document describes for the same operation.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator } from '../support/actors.js';
import type { TestSite } from '../support/start-test-site.js';
import { OpenApiDocument, type Operation, type Schema } from '../support/openapi-document.js';
import { openCms } from './stage.js';

let site: TestSite;
let document: OpenApiDocument;
let tools: { name: string; inputSchema: Schema }[];

beforeAll(async () => {
  site = await openCms({ MCP: 'on' });
  document = await OpenApiDocument.of(site);
  const response = await site.send('POST', '//mcp', {
    as: administrator(site).headers,
    headers: { Accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    status: 200,
  });
  ({ tools } = response.body.result);
});
afterAll(() => site?.close());

/** The body and the query parameters of an operation, by name. */
function membersOf({ described }: Operation): Record<string, Schema> {
  const sent: Schema | undefined = described['requestBody']?.content['application/json'].schema;
  const query = (described['parameters'] ?? []).filter((parameter: Schema) => parameter['in'] === 'query');
  return {
    ...Object.fromEntries(query.map(({ name, schema }: Schema) => [name, schema])),
    ...(sent ? document.resolve(sent)['properties'] : {}),
  };
}

/** Texts, numbers and lists that one of two schemas may take and the other not. */
const LENGTHS = [0, 1, 3, 7, 8, 50, 51, 60, 61, 100, 101, 200, 201, 250, 251, 255, 256, 4096, 4097];
const TEXTS = [
  'a\\b c d e f',
  'draft',
  'open',
  'publish',
  'a@example.org',
  'http://example.org/',
  'en_US',
  '#fff',
  '0',
];
const MOMENTS = ['2026-01-01T00:00:00', '2026-01-01T00:00:00Z', '2026-01-01', '10:00', 'F j, Y'];
const OTHERS = [-1, 0, 1, 1.5, 7, 101, null, true, [], ['x'], [1], {}, { raw: 'x' }, { raw: 1 }, { none: 1 }];
const VALUES: unknown[] = [...LENGTHS.map((length) => 'x'.repeat(length)), ...TEXTS, ...MOMENTS, ...OTHERS];

test('a tool that writes accepts the values of its operation', () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const operation of document.operations) {
    const [, verb, what] = /^(create|update)([A-Z]\w*)$/.exec(operation.described['operationId']) ?? [];
    const name = what && `${verb}_${what.replaceAll(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}`;
    const tool = tools.find((each) => each.name === name);
    if (!tool || operation.path.endsWith('/me')) continue;
    const members = membersOf(operation);
    for (const [argument, schema] of Object.entries<Schema>(tool.inputSchema['properties'])) {
      const member = members[argument];
      if (!member) continue;
      compared++;
      for (const value of VALUES) {
        const [taken, described] = [document.problems(member, value), document.problems(schema, value)];
        if ((taken.length === 0) !== (described.length === 0))
          wrong.push(
            `${name} ${argument} ${JSON.stringify(value).slice(0, 40)}: ${taken.join()} | ${described.join()}`,
          );
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(90);
});
