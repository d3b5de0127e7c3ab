import { test } from '@jest/globals';
import { readFileSync, cpSync, writeFileSync, rmSync } from 'node:fs';
import { bootSite } from '../../support/boot-site.js';
import { traits } from '../../../src/traits/registry.js';
test('replay', async () => {
  const dir = '/tmp/try/schemas2';
  rmSync(dir, { recursive: true, force: true });
  cpSync('schemas', dir, { recursive: true });
  const c = JSON.parse(readFileSync(`${dir}/comment.json`, 'utf8'));
  c.traits = Object.fromEntries(Object.entries(c.traits).filter(([k]) => traits.has(k)));
  writeFileSync(`${dir}/comment.json`, JSON.stringify(c));
  const u = JSON.parse(readFileSync(`${dir}/user.json`, 'utf8'));
  u.fields.meta.keys = { pronouns: { type: 'string', description: 'x' } };
  writeFileSync(`${dir}/user.json`, JSON.stringify(u));
  const t = await bootSite(dir, { API_ROOT: '/wp-json', API_NAMESPACE: 'wp/v2', PASSWORD_MIN_LENGTH: '1' });
  const content = JSON.parse(readFileSync('/work/shared/reference/content.json', 'utf8'));
  await t.site.writer.batch(async (b) => {
    await b.tx.delete('users', { op: 'true' });
    await b.tx.delete('users_roles', { op: 'true' });
    for (const x of content.users) {
      await b.create('user', { username: x.login, email: x.email, name: x.name, first_name: x.first_name, last_name: x.last_name, nickname: x.nickname, slug: x.slug, url: x.url, description: x.description, registered_date: x.registered, locale: x.locale, roles: [x.role], meta: x.meta, password: await t.site.hasher.hash(x.password) }, { id: x.id });
    }
    for (const p of content.posts) await b.create('post', { title: p.title?.raw ?? p.title, status: p.status, author: p.author, slug: p.slug, date: p.date }, { id: p.id });
    for (const p of content.pages) await b.create('page', { title: p.title?.raw ?? p.title, status: p.status, author: p.author, slug: p.slug, date: p.date }, { id: p.id });
  });
  const run = async (r: any) => {
    const url = r.url.replace('{base}{ns}', '/wp-json/wp/v2').replace('{base}', '/wp-json');
    let q = (t.http() as any)[r.method.toLowerCase()](url);
    if (r.as) { const x = content.users.find((y: any) => y.login === r.as); q = q.auth(x.login, x.password); }
    if (r.body) q = q.send(r.body); else if (r.form) q = q.type('form').send(r.form);
    return q;
  };
  const mk = await run({ method: 'POST', url: '{base}{ns}/users', as: 'admin', body: { username: 'labuser', email: 'labuser@example.test', password: 'pw', first_name: 'Lab', last_name: 'User', nickname: 'labby', url: 'https://lab.example.test', roles: ['author'], meta: { pronouns: 'she/her' } } });
  console.log(mk.status, JSON.stringify(mk.body));
  const lab = mk.body.id;
  for (const line of readFileSync('/work/shared/reference/users.jsonl', 'utf8').trim().split('\n')) {
    const d = JSON.parse(line);
    d.request.url = d.request.url.replace('/users/50', `/users/${lab}`);
    const a = await run(d.request);
    const strip = (s: any) => JSON.stringify(s ?? null, (k, v) => (['message', '_links', 'avatar_urls', 'link', 'persisted_preferences', 'registered_date', 'params'].includes(k) ? undefined : v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v)).replaceAll(`"id":${lab}`, '"id":50');
    const ok = a.status === d.status && strip(a.body) === strip(d.body) && a.headers.allow === d.headers.allow && a.headers['x-wp-total'] === d.headers['x-wp-total'];
    if (!ok) process.stdout.write(`${d.name}\n  want ${d.status} ${d.headers.allow} ${d.headers['x-wp-total']} ${strip(d.body).slice(0, 900)}\n  got  ${a.status} ${a.headers.allow} ${a.headers['x-wp-total']} ${strip(a.body).slice(0, 900)}\n`);
  }
  const o = await run({ method: 'OPTIONS', url: '{base}{ns}/users', as: 'admin' });
  writeFileSync('/tmp/try/options.json', JSON.stringify(o.body, null, 1));
  const miss = await run({ method: 'DELETE', url: '{base}{ns}/users/5' });
  console.log(miss.status, JSON.stringify(miss.body));
  const me = await run({ method: 'GET', url: '{base}{ns}/users/me' });
  console.log(me.status, JSON.stringify(me.body));
  await t.close();
}, 60000);
