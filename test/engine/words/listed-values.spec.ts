// Parameters made by `filterable` of fields with an `enum`: a value that no item can have is refused; the result is not an empty list.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const TASK = {
  name: 'task',
  path: 'tasks',
  fields: {
    state: {
      type: 'string',
      enum: ['open', 'done'],
      allowStored: ['gone'],
      default: 'open',
      filterable: ['in', 'notIn'],
    },
    level: { type: 'integer', enum: [1, 2], nullable: true, filterable: 'equals' },
    marks: { type: 'strings', items: { type: 'string', enum: ['red', 'blue'] }, filterable: 'in' },
    kept: { type: 'string', enum: ['x'], allowStored: ['*'], default: 'x', filterable: 'in' },
    wide: {
      type: 'string',
      enum: ['x'],
      default: 'x',
      filterable: { in: { items: { type: 'string' } }, notIn: true },
    },
    free: { type: 'string', filterable: 'in' },
  },
  permissions: { rules: { read: true, create: true } },
};

let site: TestSite;
let as: Headers;
beforeAll(async () => {
  site = await startTestSchemas([TASK]);
  as = administrator(site).headers;
  for (const body of [{ state: 'open', level: 1, marks: ['red'] }, { state: 'done' }])
    await site.send('POST', '/tasks', { as, body, status: 201 });
});
afterAll(() => site?.close());

test.each([
  ['state=bogus', 'state', /"open", "done" or "gone"/],
  ['state=open,bogus', 'state', /open/],
  ['state_exclude=bogus', 'state_exclude', /open/],
  ['level=3', 'level', /1 or 2/],
  ['marks=green', 'marks', /"red" or "blue"/],
  ['wide_exclude=y', 'wide_exclude', /x/],
])('%s is refused', async (query, param, names) => {
  const { status, body } = await site.send('GET', `/tasks?${query}`, { as });
  expect([status, Object.keys(body.data.params)]).toEqual([400, [param]]);
  expect(body.data.params[param]).toMatch(names);
});

test.each([
  ['state=open,done', 2],
  ['state[]=done', 1],
  ['state=gone', 0],
  ['state_exclude=open', 1],
  ['level=1', 1],
  ['level=2', 0],
  ['marks=red,blue', 1],
  ['kept=whatever', 0],
  ['wide=whatever', 0],
  ['free=whatever', 0],
  ['state=', 2],
])('%s is accepted', async (query, count) => {
  expect((await site.send('GET', `/tasks?${query}`, { as, status: 200 })).body).toHaveLength(count);
});

test('OPTIONS and OpenAPI list the values', async () => {
  const { args } = (await site.send('OPTIONS', '/tasks', { as })).body.endpoints[0];
  expect(args.state.items.enum).toEqual(['open', 'done', 'gone']);
  expect(args.level.enum).toEqual([1, 2]);
  expect(args.marks.items.enum).toEqual(['red', 'blue']);
  expect(args.free.items).not.toHaveProperty('enum');
  const { paths } = (await site.send('GET', '//docs-json', { as })).body;
  const { parameters } = paths['/cms/v2/tasks'].get;
  const described = (name: string) => parameters.find((each: { name: string }) => each.name === name);
  expect(JSON.stringify(described('state'))).toContain('"enum":["open","done","gone"]');
  expect(JSON.stringify(described('level'))).toContain('"enum":[1,2]');
});
