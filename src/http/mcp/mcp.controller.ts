// `/mcp`: the tools over Streamable HTTP, stateless: there are no sessions, and nothing is pushed.
import { Controller, Delete, Get, HttpCode, Options, Post, Req, type Type } from '@nestjs/common';
import { ResourceError } from '../../errors/resource-error.js';
import { ANONYMOUS } from '../../model/actor.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import type { RouteDocument } from '../resource/options-document.js';
import { HttpResponse, toResponse } from '../response/response.js';
import { LargeResult } from './large-result.js';
import { mcpServer, offeredVersions, type ServerInfo } from './mcp-server.js';
import type { ToolCalls } from './tool-calls.js';

/** Path below the API root. */
export const MCP_PATH = '/mcp';

/** The entry of the index; `url`: the URL of the tools. */
export function mcpRoute(url: string): RouteDocument {
  return {
    namespace: '',
    methods: ['POST'],
    endpoints: [{ methods: ['POST'], args: {} }],
    _links: { self: [{ href: url }] },
  };
}

/** Creates the controller for an API root; `url`: its URL. */
export function mcpControllerAt(apiRoot: string, url: string, tools: ToolCalls, info: ServerInfo): Type {
  @Controller(`${apiRoot}${MCP_PATH}`)
  class McpController {
    @Post()
    @HttpCode(200)
    async message(@Req() request: ApiRequest): Promise<HttpResponse> {
      const context = contextOf(request);
      const { body, actor = ANONYMOUS } = context;
      const refusal = await refusalOf(request);
      if (refusal) return refusal;
      const { WebStandardStreamableHTTPServerTransport: Transport } =
        await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
      const transport = new Transport({ enableJsonResponse: true });
      const result = new LargeResult();
      const server = await mcpServer(tools, actor, info, context, result.textOf);
      try {
        await server.connect(transport as never);
        const response = await transport.handleRequest(webRequest(request), { parsedBody: { ...body } });
        const text = await response.text();
        const type = response.headers.get('content-type');
        const headers = { 'Cache-Control': 'no-store', ...(type === null ? {} : { 'Content-Type': type }) };
        return new HttpResponse(response.status, headers, text === '' ? undefined : await result.inserted(text));
      } finally {
        await server.close();
      }
    }

    @Options()
    describe(@Req() request: ApiRequest): HttpResponse {
      return toResponse({ status: 200, body: mcpRoute(url), headers: { Allow: 'POST' } }, contextOf(request));
    }

    @Get()
    stream(): never {
      throw notOffered();
    }

    @Delete()
    end(): never {
      throw notOffered();
    }
  }
  return McpController;
}

/** The response to a request in a version that is not spoken, in the form of the SDK, which would name those that it knows. */
async function refusalOf({ headers }: ApiRequest): Promise<HttpResponse | undefined> {
  const version = headers['mcp-protocol-version'];
  const versions = await offeredVersions();
  if (version === undefined || versions.includes(String(version))) return undefined;
  const message = `Bad Request: the header MCP-Protocol-Version must be one of ${versions.join(', ')}.`;
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
  return new HttpResponse(400, { 'Cache-Control': 'no-store', 'Content-Type': 'application/json' }, body);
}

function notOffered(): ResourceError {
  const message = 'There are no sessions and no streams here. Send each message with POST.';
  return new ResourceError('rest_no_route', { status: 405, message, headers: { Allow: 'POST' } });
}

/** The request as the SDK reads it: its body has been parsed. */
function webRequest({ headers }: ApiRequest): Request {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(?:accept|content-type|mcp-[\w-]+)$/.test(name) ? [[name, value]] : [],
  );
  return new Request('http://localhost/mcp', { method: 'POST', headers: sent });
}
