// Starts the server of a bundle, sends it some requests, and ends, so that V8 has compiled the functions used.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'typecase-bundle-'));
const PASSWORD = 'correct horse battery';
Object.assign(process.env, {
  SCHEMAS_DIR: join(ROOT, 'schemas'),
  ROLES_FILE: join(ROOT, 'roles.json'),
  DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
  MEDIA_DIR: join(folder, 'media'),
  ADMIN_PASSWORD: PASSWORD,
  LOG_LEVEL: 'warn',
});
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const { load } = await import(pathToFileURL(join(process.argv[2], 'dist/load-bundle.mjs')).href);
process.env.PORT = String(await freePort());
const { serve } = await load('main');
await serve();
const url = `http://127.0.0.1:${process.env.PORT}/cms/v2`;
const headers = {
  authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
  'content-type': 'application/json',
};
const body = JSON.stringify({ title: 'One', content: 'A <b>text</b>.', status: 'publish' });
try {
  await request('/posts', { method: 'POST', headers, body });
  await request('/posts?search=text&_fields=id,title', { headers });
  await request('/posts/1', { method: 'PATCH', headers, body: JSON.stringify({ title: 'Two' }) });
  await request('/posts/1', { method: 'DELETE', headers });
  process.kill(process.pid, 'SIGTERM');
} catch (error) {
  console.error(error);
  process.exit(1);
}

async function request(path, init) {
  const response = await fetch(url + path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
