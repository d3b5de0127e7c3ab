// Controllers of the index, the namespace index and, where the API has a root of its own, the root of the site.
import { Controller, Get, Options, Req, type Type } from '@nestjs/common';
import { tagged } from '../response/etag.js';
import { HttpResponse, toResponse } from '../response/response.js';
import { fieldSelection } from '../resource/field-selection.js';
import { CONTEXT, type IndexDocument } from './index-document.js';
import { invalidParams } from '../../errors/resource-error.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';

/** URLs of one API. */
export interface IndexUrls {
  /** '' or `/wp-json`. */
  root: string;
  namespace: string;
  /** Absolute URLs for the document at the root of the site. */
  apiUrl: string;
  docsUrl: string;
}

/** Creates the index controllers; the root of the site has one of its own when the API lies below it. */
export function indexControllers(document: IndexDocument, urls: IndexUrls): Type[] {
  const index = indexController(document, urls);
  return urls.root === '' ? [index] : [index, siteRootController(urls)];
}

function indexController(document: IndexDocument, { root, namespace }: IndexUrls): Type {
  @Controller(root)
  class IndexController {
    @Get()
    index(@Req() request: ApiRequest): HttpResponse {
      return respond(request, document.root(wantsHelp(request)));
    }

    @Get(namespace)
    namespace(@Req() request: ApiRequest): HttpResponse {
      return respond(request, document.namespace(wantsHelp(request)));
    }

    @Options()
    describeIndex(@Req() request: ApiRequest): HttpResponse {
      return respond(request, { ...document.description('root') });
    }

    @Options(namespace)
    describeNamespace(@Req() request: ApiRequest): HttpResponse {
      return respond(request, { ...document.description('namespace') });
    }
  }
  return IndexController;
}

function siteRootController({ root, apiUrl, docsUrl }: IndexUrls): Type {
  const href = apiUrl.slice(0, -root.length);
  @Controller()
  class SiteRootController {
    @Get()
    urls(@Req() request: ApiRequest): HttpResponse {
      return respond(request, { api: apiUrl, docs: docsUrl });
    }

    @Options()
    describe(@Req() request: ApiRequest): HttpResponse {
      const endpoints = [{ methods: ['GET'], args: {} }];
      return respond(request, { namespace: '', methods: ['GET'], endpoints, _links: { self: [{ href }] } });
    }
  }
  return SiteRootController;
}

function respond(request: ApiRequest, document: Record<string, unknown>): HttpResponse {
  const context = contextOf(request);
  const fields = fieldSelection(context.query['_fields']);
  const body = fields ? fields.pick(document) : document;
  return tagged(toResponse({ status: 200, body, headers: { Allow: 'GET' } }, context), context);
}

/** @throws ResourceError 400 for another context, as lists do */
function wantsHelp(request: ApiRequest): boolean {
  const { context = CONTEXT.default } = contextOf(request).query;
  if (typeof context === 'string' && CONTEXT.enum.includes(context)) return context === 'help';
  const message = `context must be one of ${CONTEXT.enum.map((each) => `"${each}"`).join(' or ')}.`;
  throw invalidParams([{ param: 'context', code: 'rest_not_in_enum', message }]);
}
