// `/mcp`: the tools over Streamable HTTP, stateless: there are no sessions, and nothing is pushed.
import { Controller, Delete, Get, HttpCode, Post, Req, type Type } from '@nestjs/common';
import { ResourceError } from '../../errors/resource-error.js';
import { ANONYMOUS } from '../../model/actor.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import { HttpResponse } from '../response/response.js';
import { mcpServer, type ServerInfo } from './mcp-server.js';
import type { ToolCalls } from './tool-calls.js';

/** Path below the API root. */
export const MCP_PATH = '/mcp';

/** Creates the controller for an API root. */
export function mcpControllerAt(apiRoot: string, tools: ToolCalls, info: ServerInfo): Type {
  @Controller(`${apiRoot}${MCP_PATH}`)
  class McpController {
    @Post()
    @HttpCode(200)
    async message(@Req() request: ApiRequest): Promise<HttpResponse> {
      const { body, actor = ANONYMOUS } = contextOf(request);
      const { WebStandardStreamableHTTPServerTransport: Transport } =
        await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
      const transport = new Transport({ enableJsonResponse: true });
      const server = await mcpServer(tools, actor, info);
      try {
        await server.connect(transport as never);
        const response = await transport.handleRequest(webRequest(request), { parsedBody: { ...body } });
        const text = await response.text();
        const type = response.headers.get('content-type');
        const headers = { 'Cache-Control': 'no-store', ...(type === null ? {} : { 'Content-Type': type }) };
        return new HttpResponse(response.status, headers, text === '' ? undefined : text);
      } finally {
        await server.close();
      }
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
