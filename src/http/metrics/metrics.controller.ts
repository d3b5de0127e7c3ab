// `/metrics`: what monitoring reads (docs/operations.md#metrics).
import { Controller, Get, Req, type Type } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { ResourceError } from '../../errors/resource-error.js';
import type { ApiRequest } from '../request/request-context.js';
import { HttpResponse } from '../response/response.js';

/** Metrics as text, in the format that `type` names. */
export interface MetricsText {
  type: string;
  text: string;
}

/** Creates the controller; with a `token` it accepts only requests that send it. */
export function metricsController(read: () => Promise<MetricsText>, token?: string): Type {
  @Controller()
  class MetricsController {
    /** @throws ResourceError 401 without the token */
    @Get('metrics')
    async metrics(@Req() request: ApiRequest): Promise<HttpResponse> {
      if (token !== undefined && !bears(request.headers.authorization, token)) throw unauthorized();
      const { type, text } = await read();
      return new HttpResponse(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }, text);
    }
  }
  return MetricsController;
}

// Digests have one length whatever was sent, which timingSafeEqual requires.
function bears(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function unauthorized(): ResourceError {
  return new ResourceError('rest_metrics_token_required', {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer realm="metrics"', 'Cache-Control': 'no-store' },
  });
}
