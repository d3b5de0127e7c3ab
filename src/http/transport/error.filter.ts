// Nest's global exception filter: turns errors of handlers, guards, pipes and middleware into error responses.
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import { ResourceError } from '../../errors/resource-error.js';
import type { ApiAdapter } from './api-adapter.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';
import type { ApiResponse } from '../response/write-response.js';

/** Writes errors in the common shape and with the default headers. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly adapter: ApiAdapter;

  constructor(adapter: ApiAdapter) {
    this.adapter = adapter;
  }

  /** Handles everything thrown. */
  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const response = http.getResponse<ApiResponse>();
    const request = http.getRequest<ApiRequest>();
    this.adapter.replyError(request, response, await this.withAllow(error, request));
  }

  /** The error, with the methods that are allowed; that of finding them out, if this fails. */
  private async withAllow(error: unknown, request: ApiRequest): Promise<unknown> {
    try {
      if (error instanceof ResourceError && isOfBody(error, request)) await this.addAllow(error, request);
      return error;
    } catch (failure) {
      return failure;
    }
  }

  private async addAllow(error: ResourceError, request: ApiRequest): Promise<void> {
    const allow = (await this.adapter.transport.allowed?.(request)) ?? [];
    if (allow.length > 0) error.headers['Allow'] = allow.join(', ');
  }
}

// An error of the body, after authentication: too large, invalid JSON, unsupported type. A 429 must not cause any
// queries.
function isOfBody({ status, code }: ResourceError, request: ApiRequest): boolean {
  return typeof status === 'number' && status >= 400 && status < 429 && code !== 'rest_no_route' && isKnown(request);
}

const isKnown = (request: ApiRequest): boolean => contextOf(request).actor !== undefined;
