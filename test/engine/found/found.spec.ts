// Items of any resources found together: declared by schema files, without any code.
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { administrator, makeActor } from '../../support/actors.js';
import { startTestSite } from '../../support/start-test-site.js';
import { scenario, type SavedIds, type Row, type Stage } from '../../support/scenario.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
let stage: Stage;
const saved: SavedIds = {};

beforeAll(async () => {
  const site = await startTestSite(here('schemas'), { ROLES_FILE: here('roles.json') });
  stage = { site, actors: { lead: administrator(site), helper: await makeActor(site, 'helper', 'river') } };
});
afterAll(() => stage.site.close());

const make = (saveAs: string, path: string, body: object): Row => ({
  name: `${saveAs} is made`,
  as: 'lead',
  method: 'POST',
  path,
  body,
  status: 201,
  saveAs: saveAs,
});

/** The names of what a request finds, in this order, and how many there are. */
const finds = (query: string, names: string[], as?: string, total = names.length): Row => ({
  name: `${as ?? 'a visitor'} asks for ${query}`,
  ...(as === undefined ? {} : { as }),
  path: `/lookup?${query}`,
  status: 200,
  sends: { 'X-WP-Total': String(total) },
  check: ({ body }) => expect(body.map(({ name }: { name: string }) => name)).toEqual(names),
});

describe('search results of several resources', () => {
  scenario(
    () => stage,
    [
      make('drama', '/genres', { name: 'River drama' }),
      make('old', '/books', { title: 'Along the river', year: 1990 }),
      make('new', '/books', { title: 'Mountains', text: 'No river anywhere.', year: 2020 }),
      make('shut', '/books', { title: 'River in the cellar', year: 2010, open: false }),
      make('film', '/films', { name: 'River of no return', code: 'rnr', year: 1954, genre: '{drama}' }),
      make('dear', '/books', { title: 'Stamps', price: 'riverrun', year: 1800 }),

      finds('type=shelf&search=river', ['Along the river', 'River of no return', 'Mountains']),
      finds('type=shelf&search=river', ['River in the cellar', 'Along the river', 'River of no return'], 'helper', 4),
      finds('search=river', ['Along the river', 'River of no return', 'Mountains']),
      finds('search=river&per_page=2&page=2', ['Mountains'], undefined, 3),
      finds('search=river&subtype=movie', ['River of no return']),
      finds('search=river&subtype=book,movie', ['Along the river', 'River of no return', 'Mountains']),
      finds('search=RNR', ['River of no return']),
      finds('search=cellar', []),
      finds('search=cellar', ['River in the cellar'], 'helper'),
      finds('search=riverrun', []),
      finds('search=riverrun', ['Stamps'], 'lead'),
      finds('per_page=2', ['Mountains', 'Along the river'], undefined, 4),
      finds('type=genre&search=river', ['River drama']),
      {
        name: 'accounts, whose list is kept, are found by nobody else',
        as: 'helper',
        path: '/lookup?type=being',
        status: 200,
        sends: { 'X-WP-Total': '0' },
      },
      {
        name: 'accounts are found by who may list them, under their own name as the type',
        as: 'lead',
        path: '/lookup?type=being&search=river',
        status: 200,
        sends: { 'X-WP-Total': '1' },
        has: [{ name: 'river', type: 'person' }],
        hasNot: ['0.subtype'],
      },
      {
        name: 'a result has the names that its own fields give it, the URL of the item, and the links asked for',
        path: '/lookup?search=rnr',
        status: 200,
        check: ({ body: [film] }, { film: id, drama }) =>
          expect(film).toEqual({
            id,
            name: 'River of no return',
            address: 'http://api.test/cms/v2/films/rnr',
            type: 'shelf',
            subtype: 'movie',
            _links: {
              self: [{ embeddable: true, href: 'http://api.test/cms/v2/films/rnr' }],
              genre: [{ embeddable: true, href: `http://api.test/cms/v2/genres/${drama}` }],
              collection: [{ href: 'http://api.test/cms/v2/lookup' }],
            },
          }),
      },
      {
        name: 'what is found is embedded',
        path: '/lookup?search=rnr&_embed',
        status: 200,
        has: [{ _embedded: { self: [{ code: 'rnr' }], genre: [{ name: 'River drama' }] } }],
      },
      {
        name: 'a page beyond the last one is empty unless a code is written',
        path: '/lookup?search=river&page=9',
        status: 200,
        has: [],
        sends: { 'X-WP-Total': '3' },
      },
      { name: 'the schema limits the page', path: '/lookup?per_page=6', status: 400 },
      { name: 'a subtype of another type', path: '/lookup?type=being&subtype=movie', status: 400 },
      {
        name: 'types are written first, then named by resources',
        method: 'OPTIONS',
        path: '/lookup',
        status: 200,
        check: ({ body }) => {
          const { type, subtype } = body.endpoints[0].args;
          expect(type).toMatchObject({ enum: ['shelf', 'being', 'genre'], default: 'shelf' });
          expect([...subtype.items.enum].sort()).toEqual(['any', 'book', 'genre', 'movie', 'person']);
        },
      },
      {
        name: 'a resource of found items has rules of its own',
        path: '/everything',
        status: 200,
        has: [],
        sends: { 'X-WP-Total': '0' },
      },
      {
        name: 'an item is found by every resource that it names',
        as: 'helper',
        path: '/everything?search=river',
        status: 200,
        has: [{ id: '{drama}', title: 'River drama' }],
        hasNot: ['0.type', '0._links.genre'],
      },
      { name: 'a result cannot be read alone', path: '/lookup/{film}', status: 404, has: { code: 'rest_no_route' } },
      {
        name: 'nothing is written to what is found',
        as: 'lead',
        method: 'POST',
        path: '/lookup',
        body: {},
        status: 404,
      },
      { name: 'an item goes', as: 'lead', method: 'DELETE', path: '/films/rnr', status: 200 },
      finds('search=river', ['Along the river', 'Mountains']),
    ],
    saved,
  );
});
