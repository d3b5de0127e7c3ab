// Nest's global exception filter: turns errors of handlers, guards, pipes and middleware into error responses.
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import type { ApiAdapter } from './api-adapter.js';
import { toErrorResponse } from '../response/error-response.js';
import type { Log } from '../request/logger.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';
import type { ApiResponse } from '../response/write-response.js';

/** Writes errors in the common shape and with the default headers. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly adapter: ApiAdapter;
  private readonly log: Log;

  constructor(adapter: ApiAdapter, log: Log) {
    this.adapter = adapter;
    this.log = log;
  }

  /** Handles everything thrown. */
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<ApiResponse>();
    const answer = toErrorResponse(error, contextOf(http.getRequest<ApiRequest>()), this.log);
    // The response has already begun: closing the connection tells the client that it is incomplete.
    if (response.headersSent) response.destroy();
    else this.adapter.reply(response, answer, answer.status);
  }
}
