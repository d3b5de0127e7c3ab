import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { ActorSource } from '../../../src/auth/actor-source.js';
import { MemoryCounters } from '../../../src/auth/rate-limit/memory-counters.js';
import { CredentialLimits } from '../../../src/auth/rate-limit/credential-limits.js';
import { BasicVerifier } from '../../../src/auth/credentials.js';
import { Tokens } from '../../../src/auth/tokens.js';
import { ApiAdapter } from '../../../src/http/transport/api-adapter.js';
import { authControllerAt } from '../../../src/http/endpoints/auth.controller.js';
import { createLogger } from '../../../src/http/request/logger.js';
import { configureTransport } from '../../../src/http/transport/configure-transport.js';
import { makeWorld, type World } from './world.js';

let world: World;
let app: INestApplication;

beforeAll(async () => {
  world = await makeWorld({ throttled: true });
  await world.add({ nick: 'ann', email: 'ann@example.org', pass_hash: await world.hasher.hash('open sesame') }, [
    'helper',
  ]);
  @Module({
    controllers: [authControllerAt('/root', 'http://x/root'), authControllerAt('', 'http://x')],
    providers: [
      { provide: Tokens, useValue: world.tokens },
      { provide: BasicVerifier, useValue: world.basic },
      { provide: ActorSource, useValue: world.actors },
      { provide: CredentialLimits, useValue: new CredentialLimits(new MemoryCounters()) },
    ],
  })
  class TestModule {}
  const log = createLogger({ level: 'silent', format: 'json' } as never);
  const adapter = new ApiAdapter({ log, cors: '*', apiRoot: 'http://x/' });
  app = await NestFactory.create(TestModule, adapter, { bodyParser: false, logger: false });
  configureTransport(app);
  await app.init();
});
afterAll(async () => {
  await app.close();
  await world.end();
});

const post = (path: string, body: object | string) => request(app.getHttpServer()).post(path).send(body);

describe('the token endpoints', () => {
  it.each(['/auth', '/root/auth'])('below %s issue, refresh and revoke tokens', async (path) => {
    const given = await post(`${path}/token`, { username: 'ann', password: 'open sesame' });
    expect(given.status).toBe(200);
    expect(given.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
    });
    expect(given.headers['cache-control']).toContain('no-store');
    const renewed = await post(`${path}/token`, { refresh_token: given.body.refresh_token });
    expect(renewed.status).toBe(200);
    const revoked = await post(`${path}/revoke`, { token: renewed.body.access_token });
    expect([revoked.status, revoked.body]).toEqual([200, { revoked: true }]);
    const late = await post(`${path}/token`, { refresh_token: renewed.body.refresh_token });
    expect([late.status, late.body.code]).toEqual([401, 'rest_invalid_token']);
    expect(late.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('accept form bodies', async () => {
    const given = await post('/auth/token', 'grant_type=password&username=ann%40example.org&password=open+sesame');
    expect(given.status).toBe(200);
  });

  it.each<[string, string, object, number, string]>([
    ['a wrong password', 'token', { username: 'ann', password: 'no' }, 401, 'incorrect_password'],
    ['nothing', 'token', {}, 400, 'rest_missing_callback_param'],
    ['no password', 'token', { username: 'ann' }, 400, 'rest_missing_callback_param'],
    ['a number', 'token', { username: 'ann', password: 5 }, 400, 'rest_invalid_param'],
    ['an object', 'token', { username: { $ne: '' }, password: 'x' }, 400, 'rest_invalid_param'],
    ['null, which is absent', 'token', { refresh_token: null }, 400, 'rest_missing_callback_param'],
    ['another grant', 'token', { grant_type: 'implicit' }, 400, 'rest_invalid_param'],
    ['a grant without its token', 'token', { grant_type: 'refresh_token' }, 400, 'rest_missing_callback_param'],
    ['a very long password', 'token', { username: 'ann', password: 'p'.repeat(5000) }, 400, 'rest_invalid_param'],
    ['a forged token', 'token', { refresh_token: 'x' }, 401, 'rest_invalid_token'],
    ['no token', 'revoke', {}, 400, 'rest_missing_callback_param'],
  ])('refuse %s', async (_, path, body, status, code) => {
    const response = await post(`/auth/${path}`, body);
    expect([response.status, response.body.code, response.body.data.status]).toEqual([status, code, status]);
  });

  it('revoke unknown tokens without an error', async () => {
    expect((await post('/auth/revoke', { token: 'x' })).body).toEqual({ revoked: true });
  });

  it('limit the rate of guesses', async () => {
    const codes = [];
    for (let i = 0; i < 12; i++) codes.push((await post('/auth/token', { username: 'zoe', password: `${i}` })).status);
    expect(codes).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const response = await post('/auth/token', { username: 'zoe', password: 'x' });
    expect([response.body.code, Number(response.headers['retry-after']) > 0]).toEqual(['rest_too_many_requests', true]);
    expect(response.headers['ratelimit-limit']).toBe('10');
  });
});
