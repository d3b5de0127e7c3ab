// Values that a caller may not see have no effect on any response that he gets: random rights, rows and callers, against a model
// of the rules that shares no code with the engine.
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { runs } from '../../support/runs.js';

type Rule = string | boolean | { signedIn: true } | { is: object } | { any: Rule[] } | { all: Rule[] } | { not: Rule };

interface Caller {
  name: string;
  id: number;
  can: string[];
  headers: Record<string, string>;
}

/** What rules look at; never changed afterwards. */
interface Basis {
  state: 'open' | 'closed';
  owner: number;
}

interface Item extends Basis {
  id: number;
}

const simple: fc.Arbitrary<Rule> = fc.constantFrom<Rule>(
  'see_secrets',
  'trade',
  false,
  { signedIn: true },
  { is: { owner: '$me' } },
  { is: { state: 'open' } },
  { is: { state: ['open'], owner: '$me' } },
);
const rule: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 3, arbitrary: simple },
  { weight: 2, arbitrary: fc.tuple(simple, simple).map((any) => ({ any })) },
  { weight: 1, arbitrary: fc.tuple(simple, simple).map((all) => ({ all })) },
  { weight: 1, arbitrary: simple.map((not) => ({ not })) },
);

/** The independent model: whether a rule holds for a caller and an item. */
function holds(rule: Rule, { id, can }: Caller, item: Basis): boolean {
  if (typeof rule === 'boolean') return rule;
  if (typeof rule === 'string') return can.includes(rule);
  if ('signedIn' in rule) return id > 0;
  if ('any' in rule) return rule.any.some((part) => holds(part, { id, can } as Caller, item));
  if ('all' in rule) return rule.all.every((part) => holds(part, { id, can } as Caller, item));
  if ('not' in rule) return !holds(rule.not, { id, can } as Caller, item);
  return Object.entries(rule.is).every(([name, value]) =>
    [value].flat().some((one) => (one === '$me' ? id > 0 && item.owner === id : item[name as 'state'] === one)),
  );
}

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember'];
const word = fc.constantFrom(...WORDS);
const number = fc.integer({ min: 0, max: 5 });
const VALUES = {
  label: word,
  body: fc.tuple(word, word).map((words) => words.join(' ')),
  rank: number,
  tags: fc.uniqueArray(word, { maxLength: 2 }),
  peers: fc.uniqueArray(fc.integer({ min: 1, max: 2 }), { maxLength: 2 }),
} as const;
type Name = keyof typeof VALUES;
const NAMES = Object.keys(VALUES) as Name[];
const MEMBERS = ['inner', 'cost'] as const;

const values = fc.record({ ...VALUES, inner: number, cost: number });
type Values = Record<Name | (typeof MEMBERS)[number], unknown>;

const world = fc.record({
  rules: fc.record({ label: rule, body: rule, rank: rule, tags: rule, peers: rule, inner: rule, cost: rule }),
  rows: fc.array(fc.tuple(values, fc.constantFrom('open', 'closed'), fc.nat(2)), { minLength: 4, maxLength: 6 }),
  changes: fc.array(values, { minLength: 6, maxLength: 6 }),
});

function schemaOf(rules: Record<string, Rule>): object {
  return {
    name: 'thing',
    path: 'things',
    fields: {
      state: { type: 'string', enum: ['open', 'closed'], default: 'open' },
      owner: { type: 'reference', to: 'person' },
      label: { type: 'string', read: rules['label'], filterable: { contains: { param: 'labelled' } } },
      body: { type: 'text', read: rules['body'] },
      rank: { type: 'integer', read: rules['rank'] },
      tags: { type: 'strings', read: rules['tags'] },
      peers: { type: 'references', to: 'person', onMissing: 'keep', read: rules['peers'] },
      address: { type: 'computed', function: 'path-link', options: { prefix: 'things', column: 'label' } },
      box: {
        type: 'object',
        properties: { inner: { type: 'integer', read: rules['inner'] }, free: { type: 'integer' } },
      },
      list: {
        type: 'array',
        items: {
          type: 'object',
          properties: { cost: { type: 'integer', read: rules['cost'] } },
          additionalProperties: false,
        },
      },
    },
    search: { fields: ['label', 'body'] },
    list: { orderby: ['rank', 'label', 'id', 'relevance'], defaultOrderby: 'rank', defaultOrder: 'asc', perPage: 3 },
    params: {
      label: { filter: 'equals' },
      holds: { filter: 'contains', field: 'body' },
      rank_min: { filter: 'gte', field: 'rank' },
      tags: { filter: 'in', items: { type: 'string' } },
      tags_not: { filter: 'notIn', field: 'tags', items: { type: 'string' } },
      peers: { filter: 'in' },
    },
    permissions: { rules: { read: true, create: 'trade', edit: 'trade' } },
    views: {
      high: { where: { rank: { gte: 3 } }, orderby: '-rank,label' },
      tagged: { where: { or: [{ tags: 'amber' }, { label: 'amber' }] } },
    },
    links: { ranked: { to: 'thing', query: { rank_min: 'rank' } } },
  };
}

function stored({ inner, cost, ...rest }: Values): Record<string, unknown> {
  return { ...rest, box: { inner, free: 1 }, list: [{ cost }, { cost: 7 }] };
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function withSite(rules: Record<string, Rule>, work: (site: TestSite) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-rights-'));
  const person = {
    name: 'person',
    path: 'people',
    fields: {
      username: { type: 'string', required: true },
      email: { type: 'string', format: 'email', required: true, contexts: ['edit'] },
      password: { type: 'password', required: true },
      roles: { type: 'strings', contexts: ['edit'] },
      thing: { type: 'reference', to: 'thing', onMissing: 'keep' },
    },
    traits: { account: { promote: 'manage_people', keep: 'manage_people' } },
    params: { peer_of: { filter: 'referencedIn', resource: 'thing', field: 'peers' } },
    permissions: { rules: { read: true } },
  };
  writeFileSync(join(folder, 'person.json'), JSON.stringify(person));
  writeFileSync(join(folder, 'thing.json'), JSON.stringify(schemaOf(rules)));
  const site = await startTestSite(folder, { ROLES_FILE: here('roles.json') });
  try {
    await work(site);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function questions(items: readonly Item[]): string[] {
  return [
    '',
    '?context=embed',
    '?context=edit',
    '?_fields=id,label,rank,box.inner,list',
    '?per_page=2&page=2',
    ...['rank', 'label', 'id'].flatMap((by) => ['asc', 'desc'].map((order) => `?orderby=${by}&order=${order}`)),
    ...WORDS.flatMap((text) => [
      `?search=${text}`,
      `?search=-${text}`,
      `?search=${text}&orderby=relevance`,
      `?label=${text}`,
      `?holds=${text}`,
      `?tags=${text}`,
      `?tags_not=${text}`,
    ]),
    ...[1, 3, 5].map((rank) => `?rank_min=${rank}&orderby=id`),
    ...[1, 2].map((id) => `?peers=${id}`),
    ...items.flatMap(({ id }) => [`/${id}`, `/${id}?context=edit`, `/${id}?_fields=address,tags`]),
    ...inTheLanguage(),
  ]
    .map((rest) => `/things${rest}`)
    .concat(items.map(({ id }) => `/people?peer_of=${id}`))
    .concat(['/things/views/high', '/things/views/tagged', '/things/views/high?aggregate=count'])
    .concat(throughReferences());
}

const COMPARED: Record<Name | 'state' | 'address' | 'box', readonly [words: string[], values: string[]]> = {
  label: [
    ['eq', 'ne', 'in', 'nin', 'contains', 'startswith', 'endswith'],
    ['amber', 'e'],
  ],
  body: [
    ['eq', 'ne', 'contains', 'startswith', 'endswith'],
    ['cedar', 'a'],
  ],
  rank: [
    ['eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte'],
    ['0', '2', '4'],
  ],
  tags: [
    ['eq', 'ne', 'in', 'nin'],
    ['birch', 'ember'],
  ],
  peers: [
    ['eq', 'ne', 'in', 'nin'],
    ['1', '2'],
  ],
  state: [['eq', 'ne'], ['open']],
  address: [['eq', 'contains'], ['amber']],
  box: [['eq'], ['1']],
};

/** Every operator, order, summary, expansion and page of the query language. */
function inTheLanguage(): string[] {
  const conditions = Object.entries(COMPARED).flatMap(([name, [words, values]]) => [
    ...words.flatMap((word) => values.map((value) => `${name}[${word}]=${value}`)),
    `${name}[null]=true`,
    `${name}[null]=false`,
  ]);
  const groups = NAMES.map((name) => `or[0][${name}][ne]=1&or[1][state]=open`);
  const orders = NAMES.flatMap((name) => [`orderby=-${name}`, `orderby=${name},id`, `orderby=state,-${name}`]);
  const cursors = ['rank', 'label'].flatMap((name) => [
    `cursor=&per_page=2&orderby=-${name}`,
    `cursor=&orderby=${name},-id`,
  ]);
  const summaries = [...NAMES, 'state', 'owner', 'address'].flatMap((name) => [
    `aggregate=count,sum.${name}`,
    `aggregate=avg.${name},min.${name},max.${name}&group=state`,
    `aggregate=count&group=${name}`,
    `aggregate=count&group=state,${name}`,
  ]);
  const joined = [
    'rank[between]=1,3',
    'rank[gte]=2&aggregate=count',
    'owner[username][contains]=a',
    'owner[email][contains]=a',
  ];
  const expansions = [
    'expand=peers',
    'expand=owner,peers',
    'expand=label',
    'expand=owner&_fields=id,owner.email,peers',
  ];
  return [
    ...conditions,
    ...groups,
    ...orders,
    ...cursors,
    'cursor=&per_page=1',
    ...summaries,
    ...joined,
    ...expansions,
  ].map((query) => `?${query}`);
}

/** Conditions on things from the accounts that refer to them. */
function throughReferences(): string[] {
  const behind = ['rank][gt]=2', 'label][eq]=amber', 'tags][in]=birch', 'peers][eq]=1', 'state][eq]=open'];
  return behind
    .map((rest) => `/people?thing[${rest}`)
    .concat([
      '/people?expand=thing&orderby=id',
      '/people?expand=thing.owner&_fields=id,thing',
      '/people?aggregate=count&thing[rank][lte]=3',
    ]);
}

const EXPORTS = [
  '/things',
  '/things?orderby=-rank',
  '/things?expand=peers&_fields=id,rank,label,peers',
  '/things?aggregate=count&group=rank',
];

async function responsesFor(site: TestSite, caller: Caller, items: readonly Item[]): Promise<Map<string, string>> {
  const responses = new Map<string, string>();
  for (const path of questions(items)) {
    const { status, text, headers } = await site.send('GET', path, { as: caller.headers });
    const revealing = ['etag', 'x-wp-total', 'x-wp-totalpages', 'link', 'allow'].map((name) => headers[name]);
    // An unknown error would hide everything.
    if (status >= 500) throw new Error(`${path}: ${text}`);
    responses.set(path, JSON.stringify([status, text, revealing]));
  }
  for (const path of EXPORTS) {
    for (const accept of ['application/x-ndjson', 'text/csv']) {
      const { status, text } = await site.send('GET', path, { as: caller.headers, headers: { Accept: accept } });
      if (status >= 500) throw new Error(`${path}: ${text}`);
      responses.set(`${accept} ${path}`, JSON.stringify([status, text]));
    }
  }
  return responses;
}

/** The values of an item that a caller sees, by the model. */
function seen(rules: Record<string, Rule>, caller: Caller, item: Basis): string[] {
  return [...NAMES, ...MEMBERS].filter((name) => holds(rules[name]!, caller, item));
}

function shownIn(view: Record<string, any>): string[] {
  const members = [
    ...('inner' in (view['box'] ?? {}) ? ['inner'] : []),
    ...(view['list']?.some((line: object) => 'cost' in line) ? ['cost'] : []),
  ];
  return [...NAMES.filter((name) => name in view), ...members];
}

/** Writes of fields that the caller may set and not see: the response is the same whatever was there before. */
async function writesRevealNothing(
  site: TestSite,
  caller: Caller,
  items: readonly Item[],
  current: Values[],
  rules: Record<string, Rule>,
  guesses: Values,
): Promise<void> {
  const { writer } = site.site;
  for (const [index, item] of items.slice(0, 2).entries()) {
    const unseen = NAMES.filter((name) => !holds(rules[name]!, caller, item));
    for (const name of unseen) {
      const write = async () => {
        const path = `/things/${item.id}`;
        const { status, text, headers } = await site.send('PATCH', path, {
          as: caller.headers,
          body: { [name]: guesses[name] },
        });
        return [caller.name, name, status, text, headers['etag']];
      };
      const changing = await write();
      // The second time the value is the stored one.
      expect(await write()).toEqual(changing);
      current[index]![name] = guesses[name];
      await writer.batch(({ update }) => update('thing', item.id, stored(current[index]!)));
    }
  }
}

const callerOf = (name: string, { id, headers }: TestActor, can: string[]): Caller => ({ name, id, headers, can });

test('no response depends on data that its reader may not see', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ rules, rows, changes }) => {
      await withSite(rules, async (site) => {
        const boss = administrator(site);
        const ann = await makeActor(site, 'clerk', 'ann');
        const guest = await makeActor(site, 'subscriber', 'guest');
        const callers = [
          { name: 'nobody', id: 0, can: [], headers: {} },
          callerOf('guest', guest, ['subscriber']),
          callerOf('ann', ann, ['trade', 'clerk']),
          callerOf('boss', boss, ['trade', 'see_secrets', 'set_prices', 'manage_people', 'boss']),
        ];
        const owners = [boss.id, ann.id, guest.id];
        const { writer } = site.site;
        const items: Item[] = [];
        for (const [own, state, owner] of rows) {
          const basis: Basis = { state: state as 'open', owner: owners[owner]! };
          const id = await writer.batch(({ create }) => create('thing', { ...stored(own), ...basis }));
          items.push({ id, ...basis });
        }
        for (const [at, id] of owners.entries())
          await writer.batch(({ update }) => update('person', id, { thing: items[at]!.id }));
        const current = rows.map(([own]) => ({ ...own }) as Values);
        for (const caller of callers) {
          const before = await responsesFor(site, caller, items);
          for (const item of items) {
            const [, text] = JSON.parse(before.get(`/things/${item.id}`)!) as [number, string];
            const view = JSON.parse(text) as Record<string, any>;
            expect(shownIn(view).sort()).toEqual(seen(rules, caller, item).sort());
            expect('address' in view).toBe(holds(rules['label']!, caller, item));
          }
          for (const [index, item] of items.entries()) {
            const visible = seen(rules, caller, item);
            for (const name of [...NAMES, ...MEMBERS])
              if (!visible.includes(name)) current[index]![name] = changes[index]![name];
            await writer.batch(({ update }) => update('thing', item.id, stored(current[index]!)));
          }
          const after = await responsesFor(site, caller, items);
          for (const [path, response] of before)
            expect([caller.name, path, after.get(path)]).toEqual([caller.name, path, response]);
          if (caller.can.includes('trade')) await writesRevealNothing(site, caller, items, current, rules, changes[0]!);
        }
      });
    }),
    { numRuns: runs(15), endOnFailure: true },
  );
});
