import { expect, it } from '@jest/globals';
import { bootSite } from '../../support/boot-site.js';
import { administrator, makeActors } from '../../support/actors.js';
it('boots', async () => {
  const site = await bootSite('schemas');
  try {
    const admin = administrator(site);
    const a = await makeActors(site, 'editor', 'author', 'subscriber', 'contributor');
    const post = async (path: string, body: any, headers = admin.headers) => { const r = await site.http().post(site.base + path).set(headers).send(body); console.log('POST', path, JSON.stringify(body), r.status, JSON.stringify(r.body)); return r.body; };
    const get = async (path: string, headers: any = {}) => { const r = await site.http().get(site.base + path).set(headers); console.log('GET', path, r.status, r.headers['allow'], r.headers['x-wp-total'], JSON.stringify(r.body)); return r.body; };
    const p = await post('/posts', { title: 'One', status: 'publish' });
    const c = await post('/comments', { post: p.id, content: 'Hello' });
    const d = await post('/comments', { post: p.id, content: 'Reply', parent: c.id }, a['subscriber']!.headers);
    await post('/comments', { post: p.id, content: 'Again', parent: c.id }, a['subscriber']!.headers);
    await post('/comments/' + d.id, { status: 'approve' });
    await get('/comments/' + c.id);
    await get('/comments?author=1&status=hold');
    await get('/comments?context=edit', admin.headers);
    await get('/comments?_embed=1', admin.headers);
  } finally { await site.close(); }
});
