// The shipped schemas with a bit of everything in every state. Used by the dump specs.
import { equals } from '../../../src/model/query.js';
import { PNG } from '../../cms/stage.js';
import { makeActor } from '../../support/actors.js';
import { start, Talk, type Place } from './dump-world.js';

/** What `fill` made, as far as specs name it. */
export type Made = Record<string, number>;

/** Starts a place, fills it through the API, and stops it. Returns ids by name. */
export async function fillCms(place: Place): Promise<Made> {
  const site = await start(place);
  try {
    const talk = new Talk(site);
    return await fill(talk);
  } finally {
    await site.close();
  }
}

async function fill(talk: Talk): Promise<Made> {
  const made: Made = {};
  const { writer } = talk.site.site;
  const author = await makeActor(talk.site, ['author', 'subscriber'], 'writer');
  made['author'] = author.id;
  await makeActor(talk.site, [], 'nobody');
  await writer.batch(({ tx }) =>
    tx.update('users', { extra: '{"moderate_comments":true,"edit_pages":false}' }, equals('id', author.id)),
  );
  await talk.send('POST', `/users/${author.id}`, {
    description: 'Writes <b>much</b>',
    url: 'https://example.org/',
    locale: 'en_US',
  });
  await talk.site.site.applicationPasswords.create(author.id, 'phone');

  made['fruit'] = await talk.make('/categories', { name: 'Fruit & more', description: 'First' });
  made['stone'] = await talk.make('/categories', { name: 'Stone fruit', parent: made['fruit'] });
  made['plum'] = await talk.make('/categories', { name: 'Plum', parent: made['stone'], slug: 'plums' });
  made['ripe'] = await talk.make('/tags', { name: 'Ripe "and" ready' });
  made['idle'] = await talk.make('/tags', { name: 'Идиот' });

  made['image'] = await talk.upload('grey.png', 'image/png', PNG);
  made['text'] = await talk.upload('notes.txt', 'text/plain', Buffer.from('Some notes.'));
  await talk.send('POST', `/media/${made['image']}`, {
    caption: 'A "grey" square',
    alt_text: 'grey',
    description: 'More\n\nof it',
  });

  const states = ['publish', 'draft', 'pending', 'private'];
  for (const status of states) {
    made[status] = await talk.make('/posts', {
      title: `Post in ${status} — "quoted"`,
      content: `Line one\n\nLine two 😀 \u2028 \\ "x" <b>bold</b>\n\n<!-- more -->\nrest ${status}`,
      status,
      categories: [made['stone'], made['plum']],
      tags: [made['ripe']],
      author: status === 'private' ? author.id : undefined,
    });
  }
  made['sticky'] = await talk.make('/posts', {
    title: 'Sticky',
    content: 'On top',
    excerpt: 'Short',
    status: 'publish',
    sticky: true,
    format: 'aside',
    featured_media: made['image'],
    date: '2024-07-10T10:00:00',
    liveblog_likes: 7,
  });
  made['future'] = await talk.make('/posts', {
    title: 'Later',
    content: 'x',
    status: 'publish',
    date: '2037-01-05T10:00:00',
  });
  made['locked'] = await talk.make('/posts', {
    title: 'Locked',
    content: 'Secret',
    status: 'publish',
    password: 'sesame',
  });
  made['floating'] = await talk.make('/posts', { title: 'Floats', status: 'draft' });
  made['trashed'] = await talk.make('/posts', {
    title: 'Away',
    content: 'gone',
    status: 'publish',
    categories: [made['fruit']],
  });
  made['plain'] = await talk.make('/posts', { title: '', content: 'No title at all', status: 'publish' });
  await talk.send('POST', `/media/${made['text']}`, { post: made['publish'], status: 'private' });

  for (const text of ['First change', 'Second change', 'Third change'])
    await talk.send('POST', `/posts/${made['publish']}`, { content: text });
  await talk.send('POST', `/posts/${made['sticky']}`, { title: 'Sticky still' });
  const revisions = await talk.send('GET', `/posts/${made['publish']}/revisions`);
  await talk.send('DELETE', `/posts/${made['publish']}/revisions/${revisions[0].id}`);

  made['about'] = await talk.make('/pages', { title: 'About', content: 'Us', status: 'publish', menu_order: 3 });
  made['team'] = await talk.make('/pages', { title: 'Team', content: 'We', status: 'publish' });
  made['board'] = await talk.make('/pages', {
    title: 'Board',
    content: 'They',
    status: 'publish',
    parent: made['team'],
  });
  // A parent with a higher id than its child.
  made['house'] = await talk.make('/pages', {
    title: 'House',
    content: 'Ours',
    status: 'publish',
    parent: made['about'],
  });
  await talk.send('POST', `/pages/${made['team']}`, { parent: made['house'], content: 'We all' });
  made['pageAway'] = await talk.make('/pages', { title: 'Old', content: 'x', status: 'publish', password: 'p' });
  await talk.send('DELETE', `/pages/${made['pageAway']}`);

  const comment = (body: object) => talk.make('/comments', body);
  made['comment'] = await comment({ post: made['publish'], content: 'Good <b>one</b>', date: '2024-01-01T01:00:00' });
  made['reply'] = await comment({ post: made['publish'], content: 'Thanks', parent: made['comment'] });
  made['held'] = await comment({
    post: made['publish'],
    content: 'Hm',
    status: 'hold',
    author_name: 'Guest',
    author_email: 'g@example.org',
  });
  made['spam'] = await comment({ post: made['sticky'], content: 'Buy', status: 'spam' });
  made['binned'] = await comment({ post: made['sticky'], content: 'Bin' });
  await talk.send('DELETE', `/comments/${made['binned']}`);
  made['onTrashed'] = await comment({ post: made['trashed'], content: 'Seen' });
  await comment({ post: made['trashed'], content: 'Held there', status: 'hold' });
  await talk.send('DELETE', `/posts/${made['trashed']}`);
  await talk.send('DELETE', `/media/${made['text']}`);

  made['entry'] = await talk.make(`/posts/${made['publish']}/meta`, { key: 'colour', value: 'red' });
  await talk.make(`/posts/${made['publish']}/meta`, { key: '5', value: 'a number for a name' });
  await talk.make(`/posts/${made['publish']}/meta`, { key: 'colour', value: 'green' });
  await talk.send('POST', `/posts/${made['publish']}/meta/${made['entry']}`, { value: 'dark red' });
  await writer.batch(async ({ tx }) => {
    const put = (table: string, owner_id: number, key: string, value: string, structured = 0) =>
      tx.insert(table, { owner_id, key, value, structured });
    await put('contents_meta', made['publish']!, '_hidden', 'protected');
    await put('contents_meta', made['about']!, '__proto__', 'odd');
    await put('contents_meta', made['image']!, 'list', 'a:1:{i:0;s:1:"x";}', 1);
    await put('contents_meta', 4711, 'orphan', 'of nobody');
    await put('terms_meta', made['ripe']!, 'colour', 'blue');
    await put('terms_meta', made['ripe']!, 'colour', 'blue');
    await put('users_meta', made['author']!, 'session', '{"a":1}', 1);
    await put('comments_meta', made['comment']!, 'mood', '');
  });
  return made;
}

/** Every list there is, in edit context, and items with parts that lists have not. */
export async function everyResponse(place: Place, made: Made, headers: Talk['headers']): Promise<object[]> {
  const site = await start(place);
  try {
    const talk = new Talk(site);
    talk.headers = headers;
    const statuses = 'status=publish,future,draft,pending,private,trash';
    const paths = [
      `/posts?context=edit&per_page=100&${statuses}`,
      '/posts?per_page=3&page=2&_embed=1',
      '/posts?search=line',
      '/posts?orderby=title&order=asc&context=edit',
      `/posts?categories=${made['stone']}&context=edit`,
      '/posts?sticky=true',
      `/pages?context=edit&per_page=100&${statuses}`,
      '/pages?orderby=menu_order&order=asc',
      `/media?context=edit&per_page=100&${statuses},inherit`,
      ...['approve', 'hold', 'spam', 'trash', 'all'].map(
        (status) => `/comments?context=edit&status=${status}&per_page=100`,
      ),
      '/users?context=edit&per_page=100',
      '/users?search=writ',
      '/categories?context=edit&per_page=100',
      `/categories?post=${made['publish']}`,
      '/tags?context=edit&per_page=100',
      '/types?context=edit',
      '/taxonomies?context=edit',
      `/posts/${made['publish']}/meta?context=edit`,
      `/posts/${made['publish']}/revisions?context=edit`,
      `/pages/${made['team']}/revisions?context=edit`,
      ...['publish', 'trashed', 'floating', 'locked'].map((name) => `/posts/${made[name]}?context=edit`),
      `/pages/${made['board']}?context=edit`,
      `/comments/${made['onTrashed']}?context=edit`,
      '/users/me?context=edit',
    ];
    const responses: object[] = [];
    for (const path of paths) responses.push(await talk.response(path));
    return responses;
  } finally {
    await site.close();
  }
}
