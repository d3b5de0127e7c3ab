import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { bootSite } from '../../support/boot-site.js';
it('replays', async () => {
  const d = JSON.parse(readFileSync('/work/shared/reference/content.json','utf8'));
  const site = await bootSite('schemas', { PASSWORD_MIN_LENGTH: '1', API_ROOT: '/wp-json', API_NAMESPACE: 'wp/v2', RATE_LIMIT: 'none' });
  try {
    const { writer, hasher } = site.site;
    const hashes: string[] = []; for (const u of d.users) hashes.push(await hasher.hash(u.password));
    const existing = await writer.find('user', { id: 1 });
    await writer.batch(async ({ create, tx }) => {
      if (existing) { await tx.delete('users_roles', { op: 'true' }); await tx.delete('users', { op: 'true' }); }
      for (const [i, u] of d.users.entries()) await create('user', { username: u.login, email: u.email, name: u.name, url: u.url, slug: u.slug, password: hashes[i], roles: [u.role] }, { id: u.id });
      for (const m of d.media) await create('attachment', { title: m.title, status: 'inherit', author: m.author, date_gmt: m.date, slug: m.slug, }, { id: m.id, columns: { parent: m.post || 0 } });
      for (const p of d.pages) await create('page', { title: p.title, slug: p.slug, status: p.status, author: p.author, date_gmt: p.date, date: p.date, password: p.password ?? '', comment_status: p.comment_status, parent: p.parent }, { id: p.id });
      for (const p of d.posts) await create('post', { title: p.title, slug: p.slug, status: p.status, author: p.author, date_gmt: p.date, date: p.date, password: p.password ?? '', comment_status: p.comment_status }, { id: p.id });
      for (const c of d.comments) { const { id, meta, ...v } = c; await create('comment', v, { id }); }
      await create('post', { title: 'filler', status: 'draft' }, { id: 5000 });
    });
    const diffs: string[] = [];
    let n = 0, ok = 0;
    const users = new Map(d.users.map((u: any) => [u.login, u]));
    const created = new Map<number, number>();
    for (const line of readFileSync('/work/shared/reference/comments.jsonl', 'utf8').trim().split('\n')) {
      const r = JSON.parse(line); n++;
      const q = r.request;
      let url = q.url.replace('{base}', '/wp-json').replace('{ns}', '/wp/v2');
      url = url.replace(/comments\/(5\d\d)\b/, (_: string, id: string) => `comments/${created.get(Number(id)) ?? 1}`);
      const req = (site.http() as any)[q.method.toLowerCase()](url);
      req.set('User-Agent', 'cms-lab-recorder'); if (q.as) { const u: any = users.get(q.as); req.set('Authorization', 'Basic ' + Buffer.from(`${u.login}:${u.password}`).toString('base64')); }
      for (const [k, v] of Object.entries(q.headers ?? {})) req.set(k, v as string);
      const a = q.body !== undefined ? await req.send(q.body) : q.form ? await req.type('form').send(q.form) : await req;
      if (a.status === 201) created.set(r.body?.id, a.body.id);
      const simple = (b: any): any => Array.isArray(b) ? b.map((x) => x.id) : b?.code ? [b.code, Object.keys(b.data?.params ?? {})] : Object.fromEntries(Object.entries(b ?? {}).filter(([k]) => !['author_avatar_urls', '_links', 'schema', 'endpoints', 'meta','date','date_gmt','id','link'].includes(k)));
      const mine = JSON.stringify([a.status, simple(a.body), a.headers['x-wp-total']]);
      const keys = (o: any) => Object.keys(o).sort().reduce((x: any, k) => ({ ...x, [k]: o[k] }), {});
      const sort = (x: any) => (x && typeof x === 'object' && !Array.isArray(x) ? keys(x) : x);
      const A = JSON.stringify([a.status, sort(simple(a.body)), a.headers['x-wp-total']]);
      const B = JSON.stringify([r.status, sort(simple(r.body)), r.headers['x-wp-total']]);
      const links = (b: any) => JSON.stringify(Object.keys(b?._links ?? {}));
      if (A !== B) diffs.push(`${r.name} ${q.method} ${q.url} ${q.as} ${JSON.stringify(q.body)?.slice(0,200)}\n  ours ${A.slice(0,900)}\n  ref  ${B.slice(0,900)}`);
      else ok++;
      if (!Array.isArray(a.body) && links(a.body) !== links(r.body)) diffs.push(`${r.name} LINKS ${links(a.body)} ${links(r.body)}`);
      if ((a.headers['allow'] ?? '') !== (r.headers['allow'] ?? '')) diffs.push(`${r.name} ALLOW ${a.headers['allow']} | ${r.headers['allow']}`);
    }
    process.stdout.write(`\n${ok}/${n}\n` + diffs.join('\n') + '\n');
  } finally { await site.close(); }
});
