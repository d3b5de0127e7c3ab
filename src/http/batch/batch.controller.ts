// `POST {API_ROOT}/batch/v1`: several requests in one.
import { Controller, HttpCode, Options, Post, Req, type Type } from '@nestjs/common';
import { ANONYMOUS } from '../../model/actor.js';
import type { RouteDocument } from '../resource/options-document.js';
import { contextOf, type ApiRequest, type RequestContext } from '../request/request-context.js';
import { LargeBody } from '../response/large-body.js';
import { HttpResponse, toResponse } from '../response/response.js';
import { Batch, type BatchParts, type BatchResult } from './batch.js';
import { BATCH_ARGUMENTS, parseBatch } from './parse-batch.js';

/** Its path below the API root. */
export const BATCH_PATH = '/batch/v1';

/** The entry of the index; `url`: the URL of the batch. */
export function batchRoute(url: string): RouteDocument {
  return {
    namespace: '',
    methods: ['POST'],
    endpoints: [{ methods: ['POST'], args: BATCH_ARGUMENTS }],
    _links: { self: [{ href: url }] },
  };
}

/** The controller below the API root. */
export function batchControllerAt(parts: BatchParts): Type {
  @Controller(`${parts.root}${BATCH_PATH}`)
  class BatchController {
    @Post()
    @HttpCode(207)
    async run(@Req() request: ApiRequest): Promise<HttpResponse> {
      const context = contextOf(request);
      const { validation, requests } = parseBatch(context.body ?? {});
      const key = request.headers['idempotency-key'];
      const batch = new Batch(parts, context, context.actor ?? ANONYMOUS, key === undefined ? undefined : String(key));
      return respond(await batch.run(requests, validation), context);
    }

    @Options()
    describe(@Req() request: ApiRequest): HttpResponse {
      const body = batchRoute(`${parts.site.apiRoot}${BATCH_PATH}`);
      return toResponse({ status: 200, body, headers: { Allow: 'POST' } }, contextOf(request));
    }
  }
  return BatchController;
}

// The bodies are JSON texts already.
function respond({ failed, responses }: BatchResult, context: RequestContext): HttpResponse {
  const texts = responses.map((each) => (each ? textOf(each) : 'null'));
  const text = `{${failed ? `"failed":"${failed}",` : ''}"responses":[${texts.join(',')}]}`;
  const headers = { Allow: 'POST' };
  if (!context.envelope && !context.pretty) return new HttpResponse(207, headers, text);
  return toResponse({ status: 207, headers, body: JSON.parse(text) as unknown }, context);
}

function textOf({ status, headers, body }: HttpResponse): string {
  const text = body instanceof LargeBody ? Buffer.concat(body.chunks).toString() : (body ?? 'null');
  return `{"body":${text},"status":${status},"headers":${JSON.stringify(headers)}}`;
}
