// Requests that wait for a new application on connections that close while they wait.
import { expect, it } from '@jest/globals';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiAdapter } from '../../../../src/http/transport/api-adapter.js';
import { Gateway } from '../../../../src/http/transport/gateway.js';
import { HttpResponse } from '../../../../src/http/response/response.js';
import { createLogger } from '../../../../src/http/request/logger.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
/** Requests that one read of a connection brings. */
const AT_ONCE = 2_000;

it('pipelined requests of closed connections are not counted as waiting for ever', async () => {
  const log = createLogger({ level: 'silent', format: 'json' });
  const adapter = new ApiAdapter({ log, cors: '*', apiRoot: 'http://a/' });
  adapter.initHttpServer({});
  adapter.direct = (_request, response) => (adapter.reply(response, new HttpResponse(200, {}, '{}')), true);
  const gateway = new Gateway(adapter);
  await gateway.listen(0, '127.0.0.1');
  const { port } = gateway.server.address() as AddressInfo;
  await gateway.hold(0);
  for (let connections = 0; connections < 6; connections += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST.repeat(AT_ONCE)));
    await sleep(30);
    socket.destroy();
  }
  await sleep(30);
  gateway.release();
  const responses = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST.repeat(3)));
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.split('HTTP/1.1 200').length > 3) socket.destroy();
    });
    socket.on('close', () => resolve(text)).on('error', () => undefined);
  });
  gateway.server.close();
  expect(responses.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
});
