// What the caller of the pages may do, so that they neither offer nor request what would be refused.
import { Controller, Get, Req, type Type } from '@nestjs/common';
import { formatProblem, type Problem } from '../../errors/problem.js';
import { ANONYMOUS, type Actor } from '../../model/actor.js';
import { PAGES_FOLDER } from '../../model/functions/paths.js';
import type { Site } from '../../model/site/site.js';
import { noRoute } from '../http-errors.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { tagged } from '../response/etag.js';
import { toResponse, type HttpResponse } from '../response/response.js';
import { rightsByRole, rightsOf } from './describe-rights.js';

/** Name below the folder of the pages. */
export const RIGHTS = 'rights.json';

/** Why the schemas that were saved last are not served. */
export interface RefusedFiles {
  /** Empty when they are served. */
  problems(): readonly Problem[];
  /** Who may see the problems, and with them paths of files. */
  isFor(actor: Actor): boolean;
}

/**
 * The controller of `GET {API_ROOT}/_page/rights.json`; With `of`, the path of a list, it returns what each role may do
 * there. Without it administrators also see what is wrong with the files that were saved last.
 */
export function rightsController(
  root: string,
  routes: readonly ResourceRoute[],
  site: Site,
  refused?: RefusedFiles,
): Type {
  const mine = (actor: Actor) => {
    const lines = refused?.isFor(actor) ? refused.problems().map(formatProblem) : [];
    return { ...rightsOf(routes, actor), ...(lines.length > 0 && { problems: lines }) };
  };
  @Controller(`${root}/${PAGES_FOLDER}`)
  class RightsController {
    @Get(RIGHTS)
    rights(@Req() request: ApiRequest): HttpResponse {
      const context = contextOf(request);
      const { of } = context.query;
      const { actor = ANONYMOUS } = context;
      const body = of === undefined ? mine(actor) : typeof of === 'string' && rightsByRole(routes, of, site, actor);
      if (!body) throw noRoute();
      const headers = { Allow: 'GET', 'Cache-Control': 'private, no-cache' };
      return tagged(toResponse({ status: 200, body, headers }, context), context);
    }
  }
  return RightsController;
}
