// Several sites on the server of one host.
import { expect, test } from '@jest/globals';
import { Server } from 'node:http';
import type { ApiAdapter } from '../../../../src/http/transport/api-adapter.js';
import { mount } from '../../../../src/server/embed/mount.js';

/** A server with these paths mounted in order; `ask` returns who gets a request, and with which URL. */
function hosting(...paths: string[]): (url: string) => string {
  const server = new Server();
  let told = '';
  server.on('request', (request) => (told = `host ${request.url}`));
  for (const path of paths) {
    const adapter = { adopt: (request: { url: string }) => (told = `${path} ${request.url}`) } as unknown as ApiAdapter;
    mount(server, path, adapter, () => undefined);
  }
  return (url) => {
    server.emit('request', { url }, {});
    return told;
  };
}

test.each([
  ['above first', ['/site', '/site/shop']],
  ['below first', ['/site/shop', '/site']],
])('a site below another serves its own path: %s', (_, paths) => {
  const ask = hosting(...paths);
  expect(ask('/site/posts')).toBe('/site /posts');
  expect(ask('/site/shop/posts?a=1')).toBe('/site/shop /posts?a=1');
  expect(ask('/site/shopping')).toBe('/site /shopping');
  expect(ask('/sites')).toBe('host /sites');
});

test('two sites at the same path are refused', () => {
  expect(() => hosting('/site', '/site')).toThrow('another site is served at "/site" already');
});
