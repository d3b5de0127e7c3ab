// The module of the command `types` compiles as strictly as users may ask, and its types tell what the schemas say.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../support/built-program.js';
import { runCommand } from '../../support/run-command.js';
import { typeText } from '../../../src/cli/types/type-text.js';
import { BROWSER, compilerErrors, evaluate, typedModule } from '../../support/typed-client.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-types-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Names that differ in punctuation alone, words of the language, members of every object, and of the client. */
const NAMES = [
  'book-loan',
  'book_loan',
  'delete',
  'constructor',
  'then',
  'atomic',
  'post-view',
  'post',
  'list',
  'data',
];

function hostileSchemas(): string {
  const schemas = mkdtempSync(join(folder, 'hostile-'));
  NAMES.forEach((name, at) => {
    const fields = {
      class: { type: 'string', description: 'Ends a comment: */ export const x = 1; /*\nand a line.' },
      kind: { type: 'string', enum: ["it's", 'a "quote"', '${x}', '`'], nullable: true },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { 'unit-price': { type: 'number' }, 'it"s': { type: ['string', 'null'] } },
        },
      },
      parts: { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } },
    };
    const schema = { name, path: `path${at}`, description: 'A name.', fields, permissions: 'public-read' };
    writeFileSync(join(schemas, `${name}.json`), JSON.stringify(schema));
  });
  return schemas;
}

const USE = `
import { ApiError, createClient, etagOf, ref, type PostCreate, type PostEdit } from './shipped.js';
import { createClient as library } from './library.js';
import { createClient as ward } from './ward.js';
import { createClient as depot } from './depot.js';

const cms = createClient({ url: 'http://api.test', credentials: { token: async () => 'secret' } });
const books = library({ url: 'http://api.test' });
const wards = ward({ url: 'http://api.test', credentials: { username: 'a', password: 'b' } });
const stores = depot({ url: 'http://api.test' });
const is = <T>(_value: T): void => {};
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

// Contexts.
is<string>((await cms.post.retrieve(1)).title.rendered);
is<string>((await cms.post.retrieve(1, { context: 'edit' })).title.raw);
is<number>((await cms.post.list({ context: 'embed', per_page: 3, status: ['draft'] })).items[0]!.id);
// @ts-expect-error raw is for editors
(await cms.post.retrieve(1)).title.raw;
// @ts-expect-error content is not embedded
(await cms.post.retrieve(1, { context: 'embed' })).content;
// @ts-expect-error there is no such context
await cms.post.retrieve(1, { context: 'raw' });

// Queries and bodies.
// @ts-expect-error there is no such parameter
await cms.post.list({ nothing: 1 });
// @ts-expect-error there is no such order
await cms.post.list({ orderby: 'colour' });
// @ts-expect-error there is no such status
await cms.post.create({ title: 'x', status: 'lost' });
// @ts-expect-error a book has a title
await books.book.create({ pages: 3 });
await books.book.create({ title: 'x', isbn: null, authors: [1], blurb: { raw: 'x' } });
await books.book.update(1, {});
is<string | null>((await books.book.retrieve(1)).isbn);
is<'en' | 'de' | 'fr'>((await books.book.retrieve(1)).language);
is<PostCreate>({ title: 'x', tags: [1, 2] as const, slug: undefined });
// @ts-expect-error nobody sends ids
is<PostCreate>({ id: 1 });

// With _fields nothing is certain.
is<number | undefined>((await cms.post.retrieve(1, { _fields: ['id'] })).id);
// @ts-expect-error it may be left out
is<number>((await cms.post.retrieve(1, { _fields: ['id'] })).id);

// What a resource does not offer.
// @ts-expect-error types are read
cms.type.create({});
// @ts-expect-error revisions cannot be changed
cms.postRevision(1).update(1, {});
// @ts-expect-error media need a file
cms.attachment.create({});
// @ts-expect-error posts are no files
cms.post.upload(new Blob([]));
// @ts-expect-error the only action is another one
cms.postRevision(1).act(1, 'forget');
// @ts-expect-error only accounts know themselves
cms.post.retrieve('me');

// Lists by name, nested resources, accounts, files, deletions.
is<string>((await cms.type.list()).items['post']!.name);
is<PostEdit>(await cms.postRevision(1).act(2, 'restore'));
is<number>((await cms.user.retrieve('me')).id);
is<number>((await cms.attachment.upload(new Blob(['x']), { title: 'A' }, { filename: 'a.png' })).id);
const gone = await cms.post.remove(1, { force: true }, { ifMatch: etagOf(await cms.post.retrieve(1)) });
is<PostEdit>('deleted' in gone ? gone.previous : gone);
for await (const each of wards.visitAcross.all({ ward: [1] })) is<string>(each.start);
// @ts-expect-error pages are turned by the client
cms.post.all({ page: 2 });
// Who may see the balance decides the server.
is<Same<Awaited<ReturnType<typeof wards.patient.update>>['balance'], string | undefined>>(true);

// Saved queries.
is<string>((await stores.productCheap.list({ kind: 'toy', page: 2 })).items[0]!.price);
// @ts-expect-error it shows other fields
(await stores.productCheap.list()).items[0]!.stock;
// @ts-expect-error its order is fixed
await stores.productCheap.list({ orderby: 'name' });
// @ts-expect-error it is a list
stores.productCheap.retrieve(1);
await stores.product.list({ price: { gte: '4', lt: '10' }, kind: { in: ['toy'] }, maker: { country: { eq: 1 } }, season: { null: true } });
await stores.product.list({ kind: 'toy', or: [{ kind: 'toy' }, { stock: { gt: 5 } }] });
// @ts-expect-error there is no such operator
await stores.product.list({ price: { like: '4' } });
// @ts-expect-error kinds are texts
await stores.product.list({ kind: { eq: 5 } });
// Several sort keys, pages by cursor.
await stores.product.list({ orderby: ['-price', 'name'] });
await stores.product.list({ orderby: '-price' });
// @ts-expect-error there is no such sort key
await stores.product.list({ orderby: ['-colour'] });
is<string | undefined>((await stores.product.list({ cursor: '' })).cursor);
// @ts-expect-error cursors are followed by the client
stores.product.all({ cursor: '' });

// References.
const [long] = (await stores.orderLine(1).list({ expand: ['product.maker'] })).items;
const { product } = long!;
if (typeof product === 'object' && typeof product.maker === 'object') is<string>(product.maker.name);
// @ts-expect-error the caller may not read it
is<object>(product);
// @ts-expect-error without a request an id is an id
(await stores.orderLine(1).list()).items[0]!.product.name;
is<number>((await cms.post.retrieve(1)).author);
const whole = await cms.post.retrieve(1, { context: 'edit', expand: ['author', 'tags'] });
is<string>(whole.title.raw);
if (typeof whole.author === 'object') is<string>(whole.author.name);
// @ts-expect-error items in place of ids have no links
if (typeof whole.author === 'object') whole.author._links;
for (const each of whole.tags) is<string>(typeof each === 'number' ? '' : each.name);
is<Same<(typeof whole)['categories'], number[]>>(true);
const { author } = await cms.post.retrieve(1, { expand: ['author'], _fields: ['author'] });
if (typeof author === 'object') is<string>(author.slug);
for await (const each of cms.post.all({ expand: ['featured_media.author'] })) {
  if (typeof each.featured_media === 'object' && typeof each.featured_media.author === 'object') is<string>(each.featured_media.author.name);
}
// @ts-expect-error it is no reference
await cms.post.retrieve(1, { expand: ['title'] });
// @ts-expect-error nor is this one
await cms.post.list({ expand: ['author.name'] });
// @ts-expect-error there is nothing to expand
await cms.settings.retrieve({ expand: ['title'] });

// Summaries.
const [all] = await stores.product.aggregate({ aggregate: ['count', 'sum.stock', 'min.price'], stock: { gt: 0 } });
is<number>(all!.count);
is<number | string | null>(all!.sum.stock);
is<number | string | null>(all!.min.price);
// @ts-expect-error it was not asked for
all!.avg;
// @ts-expect-error there are no groups
all!.group;
for (const { count, group } of await stores.product.aggregate({ aggregate: ['count'], group: ['kind', 'maker'] })) is<unknown>([count, group.kind, group.maker]);
// @ts-expect-error texts have no sum
await stores.product.aggregate({ aggregate: ['sum.name'] });
// @ts-expect-error a list of one item has no summary
cms.settings.aggregate({ aggregate: ['count'] });
is<number>((await stores.orderLineSeveral(1).list()).items[0]!.quantity);
for await (const each of stores.orderLineAcrossSeveral.all()) is<number>(each.order);

// One item.
is<string | null>((await cms.settings.retrieve()).title);
is<number>((await cms.settings.update({ start_of_week: 1 })).start_of_week);
// @ts-expect-error there is one
cms.settings.list();

// Batches.
const [tag, post] = await cms.atomic([cms.tag.create({ name: 'x' }), cms.post.create({ tags: [ref(0)] })]);
is<string>(tag.slug);
is<boolean>(post.sticky);
const [made, removed] = await cms.batch([cms.tag.create({ name: 'x' }), cms.tag.remove(1, { force: true })]);
if (made.ok) is<number>(made.value.id);
else if (made.error?.code === 'term_exists') is<Readonly<Record<string, string>>>(made.error.params);
if (removed.ok) is<true>(removed.value.deleted);
is<number>(new ApiError({ status: 400, headers: new Headers(), body: null }).status);
`;

describe('the generated module', () => {
  it('compiles with the strictest settings, and its types match the schemas', () => {
    const files = {
      'examples/shipped.ts': typedModule(join(ROOT, 'schemas')),
      'examples/library.ts': typedModule(join(ROOT, 'examples/library')),
      'examples/ward.ts': typedModule(join(ROOT, 'examples/ward')),
      'examples/depot.ts': typedModule(join(ROOT, 'test/engine/query/schemas')),
      'examples/hostile.ts': typedModule(hostileSchemas()),
      'examples/use.ts': USE,
    };
    expect(compilerErrors(files, BROWSER)).toEqual([]);
  });

  it('compiles with the types of Node and the settings of the example', () => {
    const { config } = ts.parseConfigFileTextToJson('', text('examples/typed-client/tsconfig.json'));
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
    const files = {
      'examples/typed-client/cms.ts': typedModule(join(ROOT, 'schemas')),
      'examples/typed-client/main.ts': text('examples/typed-client/main.ts'),
    };
    expect(compilerErrors(files, { ...options, noEmit: true })).toEqual([]);
  });

  it('includes the error codes of schema files', () => {
    const schemas = mkdtempSync(join(folder, 'codes-'));
    const schema = {
      name: 'stall',
      path: 'stalls',
      fields: {
        name: { type: 'string' },
        slug: { type: 'slug' },
        next: { type: 'reference', to: 'stall', error: 'no_such_stall' },
      },
      traits: { sluggable: { from: 'name', taken: 'stall_taken' } },
      errors: { failed: { create: 'stall_lost' } },
      permissions: 'public-read',
    };
    writeFileSync(join(schemas, 'stall.json'), JSON.stringify(schema));
    const codes = /export type ErrorCode =[^;]*/.exec(typedModule(schemas))![0];
    for (const code of ['no_such_stall', 'stall_taken', 'stall_lost']) expect(codes).toContain(`"${code}"`);
  });

  it('expands through a resource whose lists have no query language', () => {
    const schemas = mkdtempSync(join(folder, 'through-'));
    const resource = (name: string, more: object) =>
      writeFileSync(
        join(schemas, `${name}.json`),
        JSON.stringify({ name, path: `${name}s`, fields: {}, permissions: 'public-read', ...more }),
      );
    resource('order', { fields: { buyer: { type: 'reference', to: 'buyer' } } });
    resource('buyer', { fields: { town: { type: 'reference', to: 'town' } }, list: { query: false } });
    resource('town', { fields: { name: { type: 'string' } } });
    const use = `
import { createClient } from './through.js';
const client = createClient({ url: 'http://api.test' });
const { buyer } = await client.order.retrieve(1, { expand: ['buyer.town'] });
if (typeof buyer === 'object' && typeof buyer.town === 'object') buyer.town.name satisfies string;
await client.order.list({ expand: ['buyer', 'buyer.town'] });
// @ts-expect-error it is no reference
await client.order.list({ expand: ['buyer.town.name'] });
// @ts-expect-error these lists have no query language
await client.buyer.list({ expand: ['town'] });
// @ts-expect-error nor have its items
await client.buyer.retrieve(1, { expand: ['town'] });
// @ts-expect-error there is nothing to expand
await client.town.list({ expand: ['name'] });
`;
    expect(compilerErrors({ 'through.ts': typedModule(schemas), 'use.ts': use }, BROWSER)).toEqual([]);
  });

  it('gives each resource a unique name', async () => {
    const { hostile } = await evaluate({ hostile: typedModule(hostileSchemas()) });
    const client = hostile.createClient({ url: 'http://api.test' });
    const own = ['account', 'atomic', 'atomic_', 'batch', 'bookLoan', 'bookLoan_', 'constructor_', 'data', 'delete'];
    expect(Object.keys(client).sort()).toEqual([...own, 'list', 'post', 'postView', 'then_']);
    const paths = Object.values<any>(client).map((each) => each.list?.().request.path);
    expect(paths.filter(Boolean).sort()).toEqual(
      expect.arrayContaining(NAMES.map((_, at) => `/cms/v2/path${at}`).sort()),
    );
  });
});

it('includes items created below a new one, and omits members that only code writes', () => {
  const schemas = mkdtempSync(join(folder, 'owned-'));
  const below = { resource: 'order', field: 'order' };
  const order = { type: 'reference', to: 'order', readOnly: true };
  for (const schema of [
    { name: 'order', path: 'orders', fields: { note: { type: 'string' }, paid: { type: 'boolean', write: false } } },
    { name: 'line', path: 'lines', parent: below, fields: { order, count: { type: 'integer', required: true } } },
  ])
    writeFileSync(join(schemas, `${schema.name}.json`), JSON.stringify({ ...schema, permissions: 'public-read' }));
  const use = `
    import { createClient } from './orders.js';
    const shop = createClient({ url: 'http://localhost' });
    const made = await shop.order.create({ note: 'x', lines: [{ count: 2 }] });
    export const [count, paid] = [made.lines?.[0]?.count ?? 0, made.paid];
    // @ts-expect-error: a line has a count
    await shop.order.create({ lines: [{}] });
    // @ts-expect-error: clients do not set it
    await shop.order.update(1, { paid: true });`;
  expect(compilerErrors({ 'orders.ts': typedModule(schemas), 'use.ts': use }, BROWSER)).toEqual([]);
});

describe('the command', () => {
  const said = (...args: string[]) =>
    runCommand(['types', ...args], {
      SCHEMAS_DIR: join(ROOT, 'examples/library'),
      ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
      SITE_DEFAULT_ROLE: 'reader',
      API_NAMESPACE: 'shelf/v1',
      TOKEN_SECRET: 'a secret that only tests know',
    });

  it('prints the module, or writes it to a file, with the namespace of the site', async () => {
    const { code, output } = await said();
    expect(code).toBe(0);
    expect(output).toContain("'/shelf/v1/books'");
    const file = join(folder, 'library.ts');
    expect(await said('--out', file)).toMatchObject({ code: 0, output: '' });
    expect(readFileSync(file, 'utf8')).toBe(output);
  });

  it('reports invalid options', async () => {
    const refused = await said('--output', 'x.ts');
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("unknown option '--output'");
    const missing = await said('--out', join(folder, 'no/such/folder/x.ts'));
    expect(missing.code).toBe(1);
    expect(missing.output).toContain('no/such/folder/x.ts');
  });
});

it('types an enumeration of one value as a literal', () => {
  expect(typeText({ anyOf: [{ type: 'string', enum: ['x'] }, { const: '' }] }, 'received')).toBe('"x" | ""');
});
