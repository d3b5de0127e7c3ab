// Nest's global exception filter: whatever a handler, guard, pipe or middleware throws becomes an error answer here.
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import type { ApiAdapter } from './api-adapter.js';
import { toErrorAnswer } from './error-answer.js';
import type { Log } from './logger.js';
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';
import type { ApiResponse } from './write-answer.js';

/** Writes errors in the shape of decisions 3 with the headers of every other answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly adapter: ApiAdapter;
  private readonly log: Log;

  constructor(adapter: ApiAdapter, log: Log) {
    this.adapter = adapter;
    this.log = log;
  }

  /** Called by Nest with everything thrown. */
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<ApiResponse>();
    const answer = toErrorAnswer(error, contextOf(http.getRequest<ApiRequest>()), this.log);
    // Half an answer cannot be taken back: a cut connection tells the client that it is none.
    if (response.headersSent) response.destroy();
    else this.adapter.reply(response, answer, answer.status);
  }
}
