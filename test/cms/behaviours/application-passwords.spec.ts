// Behaviour A-01: application passwords in OPTIONS and the index, and `_fields` on them.
import { expect } from '@jest/globals';
import { world } from './harness.js';

const { behaviour } = world({ actors: ['author', 'subscriber'] });
const AT = '/users/me/application-passwords';

behaviour('A-01 OPTIONS describes the routes, without permission', [
  [
    `OPTIONS ${AT} as author`,
    200,
    {
      sends: { Allow: 'GET, POST, DELETE' },
      has: { methods: ['GET', 'POST', 'DELETE'], schema: { title: 'application-password', required: ['name'] } },
      check: ({ endpoints }) =>
        expect(endpoints[1].args).toMatchObject({ name: { required: true }, app_id: { format: 'uuid' } }),
    },
  ],
  [`OPTIONS ${AT}`, 200, { sends: { Allow: null } }],
  ['OPTIONS /users/{admin}/application-passwords as subscriber', 200, { sends: { Allow: null } }],
  [
    'OPTIONS /users/{author}/application-passwords/x as admin',
    200,
    { sends: { Allow: 'GET, POST, PUT, PATCH, DELETE' } },
  ],
  [`OPTIONS ${AT}/introspect as author`, 200, { has: { methods: ['GET'] }, sends: { Allow: 'GET' } }],
  ['OPTIONS /users/nobody/application-passwords', 404, 'rest_no_route'],
  [
    'GET //',
    200,
    {
      check: ({ authentication, routes }) => {
        expect(authentication['application-passwords']).toEqual({ endpoints: {} });
        const names = Object.keys(routes).filter((name) => name.includes('application-passwords'));
        expect(names).toHaveLength(3);
        for (const name of names) expect(() => new RegExp(name.replaceAll('?P<', '?<'))).not.toThrow();
      },
    },
  ],
]);

behaviour('A-01 lists and items have tags, which a change moves', async (site) => {
  const { body: created } = await site.sendRequest(`POST ${AT} as subscriber`, { body: { name: 'Tagged' } });
  for (const path of [AT, `${AT}/${created.uuid}`]) {
    const read = (tag: string) => site.sendRequest(`GET ${path} as subscriber`, { headers: { 'If-None-Match': tag } });
    const { headers } = await read('"none"');
    expect(headers['etag']).toMatch(/^"[^"]+"$/);
    expect((await read(String(headers['etag']))).status).toBe(304);
    await site.sendRequest(`POST ${AT}/${created.uuid} as subscriber`, { body: { name: `Seen at ${path}` } });
    expect((await read(String(headers['etag']))).status).toBe(200);
  }
  expect(created).toHaveProperty('password');
});

behaviour('A-01 _fields keeps some members; a wrong one writes nothing', [
  [`POST ${AT}?_fields=name,password as author`, 201, { body: { name: 'Phone' }, members: ['name', 'password'] }],
  [`GET ${AT}?_fields=name as author`, 200, { check: (body) => expect(body).toEqual([{ name: 'Phone' }]) }],
  [`POST ${AT}?_fields=a.b.c.d.e.f.g.h.i.j as author`, 400, { body: { name: 'Lost' }, code: 'rest_invalid_param' }],
  [`GET ${AT}?_fields=name as author`, 200, { check: (body) => expect(body).toHaveLength(1) }],
]);

behaviour('A-01 an app id that is no text of a uuid is refused, and nothing is made', [
  // All errors are reported at once, with the codes of the schema.
  [
    `POST ${AT} as author`,
    400,
    { body: { name: 5, app_id: 'x' }, details: { name: 'rest_invalid_type', app_id: 'rest_invalid_uuid' } },
  ],
  [`POST ${AT} as author`, 400, { body: { name: '' }, details: { name: 'rest_too_short' } }],
  [`POST ${AT} as author`, 400, { body: { name: '  ' }, details: { name: 'rest_invalid_pattern' } }],
  [`POST ${AT} as author`, 400, { body: { name: 'a\0b' }, details: { name: 'rest_invalid_pattern' } }],
  [`POST ${AT} as author`, 400, { body: { name: 'a\ud800' }, details: { name: 'rest_invalid_pattern' } }],
  [`POST ${AT}?name=Odd&app_id[raw]=5 as author`, 400, 'rest_invalid_param'],
  [`POST ${AT} as author`, 400, { body: { name: 'Odd', app_id: { toString: 1 } }, code: 'rest_invalid_param' }],
  [
    `POST ${AT} as author`,
    400,
    { body: { name: 'Odd', app_id: ['0c5ad8a3-52a2-4e4b-8f1e-5c5d3a8f4b11'] }, code: 'rest_invalid_param' },
  ],
  [`GET ${AT} as author`, 200, { check: (body) => expect(JSON.stringify(body)).not.toContain('Odd') }],
]);
