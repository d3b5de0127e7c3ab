// A Nest application of a few routes on the transport, for its end-to-end tests.
import type { NestApplicationOptions } from '@nestjs/common';
import { All, Controller, ForbiddenException, Get, Module, Options, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ResourceError } from '../../../src/errors/resource-error.js';
import type { Actor } from '../../../src/model/actor.js';
import { HttpResponse, toResponse } from '../../../src/http/response/response.js';
import { ApiAdapter } from '../../../src/http/transport/api-adapter.js';
import { HealthController, READINESS } from '../../../src/http/endpoints/health.controller.js';
import { createLogger } from '../../../src/http/request/logger.js';
import type { ApiRequest } from '../../../src/http/request/request-context.js';
import { contextOf } from '../../../src/http/request/request-context.js';
import { configureTransport } from '../../../src/http/transport/configure-transport.js';
import type { TransportOptions } from '../../../src/http/transport/transport-options.js';

/** What tests change while the application runs. */
export const state = { ready: true, actor: undefined as Actor | undefined, late: [] as (() => void)[] };

/** The caller of everything below `/echo`. */
const WRITER: Actor = { id: 7, roles: [], capabilities: new Set(), address: '', agent: '' };

@Controller('echo')
class EchoController {
  @All()
  echo(@Req() request: ApiRequest): HttpResponse {
    const context = contextOf(request);
    const { method, query, body, mediaType, bodyKind } = context;
    return toResponse({ status: 200, body: { method, query, body, mediaType, bodyKind } }, context);
  }
}

@Controller('things')
class ThingsController {
  @Get()
  list(@Req() request: ApiRequest): HttpResponse {
    contextOf(request).actor = state.actor;
    const headers = { ETag: '"v1"', 'Last-Modified': 'yesterday' };
    return toResponse(
      { status: 200, body: [{ id: 1, title: 'é' }], total: 41, totalPages: 5, headers },
      contextOf(request),
    );
  }

  @Post()
  create(@Req() request: ApiRequest): HttpResponse {
    const title = String(contextOf(request).body?.['title']);
    const headers = { Location: `http://x/${title}`, Link: `<http://x/${title}>; rel="alternate"` };
    return toResponse({ status: 201, body: { title }, headers }, contextOf(request));
  }

  @Options()
  describe(): HttpResponse {
    return new HttpResponse(200, {}, '{"methods":["GET"]}');
  }

  @Get('crash')
  crash(): never {
    throw new Error('SELECT secret FROM /etc/passwd');
  }

  @Get('refused')
  refused(@Req() request: ApiRequest): never {
    contextOf(request).actor = state.actor;
    throw new ResourceError('rest_forbidden', {
      status: 'auth',
      message: 'No.',
      headers: { 'WWW-Authenticate': 'Basic' },
    });
  }

  @Get('guarded')
  guarded(): never {
    throw new ForbiddenException('Not you.');
  }

  @Get('circle')
  circle(@Req() request: ApiRequest): HttpResponse {
    const body: Record<string, unknown> = {};
    body['self'] = body;
    return toResponse({ status: 200, body }, contextOf(request));
  }

  @Get('plain')
  plain(): string {
    return 'plain';
  }

  @Get('own')
  own(@Res() response: { send(text: string): void; setHeader(name: string, value: string): void }): void {
    response.setHeader('Vary', 'Accept');
    response.send('<p>own</p>');
  }

  @Get('late')
  late(): Promise<HttpResponse> {
    return new Promise((resolve) => state.late.push(() => resolve(new HttpResponse(200, {}, '{"late":true}'))));
  }

  @Post('late')
  lateWrite(): Promise<HttpResponse> {
    return this.late();
  }

  @Get(':id')
  item(): HttpResponse {
    return new HttpResponse(200, {}, '{"id":1}');
  }
}

@Module({
  controllers: [EchoController, ThingsController, HealthController],
  providers: [
    {
      provide: READINESS,
      useValue: async () => (state.ready ? { ready: true } : { ready: false, reason: 'No database.' }),
    },
  ],
})
class TinyModule {
  readonly name = 'tiny';
}

/** A listening application; `lines` gathers its log. */
export async function start(options: Partial<TransportOptions> = {}, nest: NestApplicationOptions = {}) {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'json' }, { write: (line: string) => void lines.push(line) });
  const adapter = new ApiAdapter({ cors: '*', apiRoot: 'http://api.test/', log, ...options });
  const app = await NestFactory.create(TinyModule, adapter, { bodyParser: false, logger: false, ...nest });
  configureTransport(app, (request, _response, next) => {
    if (request.url?.startsWith('/echo')) contextOf(request).actor = WRITER;
    next();
  });
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer() as Server;
  return { app, adapter, server, lines, port: (server.address() as AddressInfo).port };
}
