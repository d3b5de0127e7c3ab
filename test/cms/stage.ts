// The shipped schemas, running, with one or two items of every kind. Called by specification.spec.ts; other cms suites may use it too.
import { fileURLToPath } from 'node:url';
import { administrator, makeActor, type TestActor } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { sendRow, type SavedIds, type Row } from '../support/scenario.js';

const root = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Folder of the shipped schemas. */
export const SCHEMAS = root('schemas');

/** A grey square of four pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADklEQVQImWPoAAMGCAUALK4GYSSeFPoAAAAASUVORK5CYII=',
  'base64',
);

/** A running site with its callers and the ids of its items. */
export interface Cms {
  site: TestSite;
  actors: Record<'admin' | 'writer', TestActor>;
  saved: SavedIds;
}

/** Starts the shipped schemas without any content. */
export function openCms(environment: Record<string, string> = {}): Promise<TestSite> {
  return startTestSite(SCHEMAS, { ROLES_FILE: root('roles.json'), ...environment });
}

/** Starts them with content. */
export async function openFilledCms(): Promise<Cms> {
  const site = await openCms();
  try {
    const actors = { admin: administrator(site), writer: await makeActor(site, 'author', 'writer') };
    const cms: Cms = { site, actors, saved: { admin: actors.admin.id, writer: actors.writer.id } };
    await fillCms(cms);
    return cms;
  } catch (error) {
    await site.close();
    throw error;
  }
}

async function fillCms(cms: Cms): Promise<void> {
  await upload(cms, 'media', 'grey.png', 'image/png', PNG);
  await upload(cms, 'file', 'notes.txt', 'text/plain', Buffer.from('Some notes.'));
  for (const row of CONTENT) await fill(cms, row);
  const { body } = await sendRow(
    cms,
    { name: '', as: 'admin', path: '/posts/{post}/revisions', status: 200 },
    cms.saved,
  );
  cms.saved['revision'] = body[0]?.id;
}

async function upload(cms: Cms, name: string, filename: string, type: string, content: Buffer): Promise<void> {
  const response = await cms.site.send('POST', '/media', {
    as: cms.actors.admin.headers,
    file: { name: filename, type, content },
  });
  if (response.status !== 201)
    throw new Error(`upload of ${filename}: ${response.status} ${JSON.stringify(response.body)}`);
  cms.saved[name] = response.body.id;
}

async function fill(cms: Cms, row: Row): Promise<void> {
  const response = await sendRow(cms, row, cms.saved);
  if (response.status !== row.status)
    throw new Error(`${row.name}: ${response.status} ${JSON.stringify(response.body)}`);
  if (row.saveAs) cms.saved[row.saveAs] = response.body.id;
}

const make = (saveAs: string, path: string, body: object, as = 'admin'): Row => ({
  name: `POST ${path} for ${saveAs}`,
  as,
  method: 'POST',
  path,
  body,
  status: 201,
  saveAs: saveAs,
});

const CONTENT: Row[] = [
  make('category', '/categories', { name: 'Alpha', description: 'First' }),
  make('sub', '/categories', { name: 'Beta', parent: '{category}' }),
  make('tag', '/tags', { name: 'Apple' }),
  make('idle', '/tags', { name: 'Zebra' }),
  make('post', '/posts', {
    title: 'Apricot',
    content: 'A juicy text.',
    status: 'publish',
    date: '2024-01-10T10:00:00',
    categories: ['{category}'],
    tags: ['{tag}'],
    sticky: true,
    featured_media: '{media}',
  }),
  make(
    'other',
    '/posts',
    { title: 'Banana', content: 'Another text.', status: 'publish', date: '2024-03-10T10:00:00' },
    'writer',
  ),
  make('draft', '/posts', { title: 'Cherry', content: 'Not yet.', status: 'draft' }),
  make('page', '/pages', {
    title: 'About',
    content: 'About us, juicy.',
    status: 'publish',
    date: '2024-01-10T10:00:00',
    menu_order: 3,
    author: '{writer}',
  }),
  make('child', '/pages', {
    title: 'Board',
    content: 'Who leads.',
    status: 'publish',
    date: '2024-03-10T10:00:00',
    parent: '{page}',
  }),
  make('pageDraft', '/pages', { title: 'Later', status: 'draft' }),
  {
    name: 'attach',
    as: 'admin',
    method: 'POST',
    path: '/media/{media}',
    body: { post: '{post}', title: 'Grey juicy', date: '2024-01-10T10:00:00' },
    status: 200,
  },
  {
    name: 'give away',
    as: 'admin',
    method: 'POST',
    path: '/media/{file}',
    body: { author: '{writer}', date: '2024-03-10T10:00:00' },
    status: 200,
  },
  make('comment', '/comments', { post: '{post}', content: 'A juicy remark.', date: '2024-01-10T10:00:00' }),
  make('reply', '/comments', {
    post: '{other}',
    content: 'An answer.',
    date: '2024-03-10T10:00:00',
    author: '{writer}',
  }),
  make('under', '/comments', { post: '{post}', parent: '{comment}', content: 'Below.', date: '2024-02-10T10:00:00' }),
  make('held', '/comments', { post: '{post}', content: 'Wait.', status: 'hold' }),
  make('entry', '/posts/{post}/meta', { key: 'colour', value: 'red' }),
  {
    name: 'revise',
    as: 'admin',
    method: 'POST',
    path: '/posts/{post}',
    body: { content: 'A very juicy text.' },
    status: 200,
  },
];
