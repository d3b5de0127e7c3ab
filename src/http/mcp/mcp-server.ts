// A server of the Model Context Protocol for one caller, made with the official SDK, which is loaded at its first use.
import { readFileSync } from 'node:fs';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Actor } from '../../model/actor.js';
import type { Site } from '../../model/site/site.js';
import type { Carrier, ToolCalls } from './tool-calls.js';

/** How the server presents itself. */
export interface ServerInfo {
  name: string;
  version: string;
}

/** How the server of a site presents itself. */
export function serverInfo({ settings }: Site): ServerInfo {
  const file = new URL('../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return { name: settings.title, version };
}

const INSTRUCTIONS =
  'Each tool is one operation of one resource, under your own permissions. Lists take conditions in where and return a next_cursor. ' +
  'Before you change an item, get it, and send its etag as if_match. An error says in params what each argument allows.';

/** The version of the protocol whose servers have to take several messages in one; those before and after it have none. */
const WITH_BATCHES = '2025-03-26';

/** The versions of the protocol that are spoken, the latest first. */
export async function offeredVersions(): Promise<string[]> {
  const { SUPPORTED_PROTOCOL_VERSIONS } = await import('@modelcontextprotocol/sdk/types.js');
  return SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== WITH_BATCHES);
}

/**
 * The protocol version for a client: the requested one, or the latest before it, which it is likely to support too; the
 * latest of all for what is no version.
 */
async function versionFor(requested: string): Promise<string> {
  const versions = await offeredVersions();
  return versions.find((version) => version <= requested) ?? versions[0]!;
}

/**
 * A server that offers a caller the tools that they may use; without a `carrier` the messages come from a local program.
 * `textOf`: what messages have in the place of a result.
 */
export async function mcpServer(
  tools: ToolCalls,
  actor: Actor,
  info: ServerInfo,
  carrier?: Carrier,
  textOf: (data: unknown) => string = (data) => JSON.stringify(data),
): Promise<Server> {
  const [{ Server: SdkServer }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const about = { capabilities: { tools: {} }, instructions: INSTRUCTIONS };
  const server = new SdkServer(info, about);
  const invalid = (message: string) => new types.McpError(types.ErrorCode.InvalidParams, message);
  // The SDK agrees to every version that it knows, and calls parameters in a wrong form an error of the server: its own
  // handlers are not used.
  server.removeRequestHandler('initialize');
  server.fallbackRequestHandler = async (request) => {
    switch (request.method) {
      case 'initialize': {
        const { params } = parseMessage(types.InitializeRequestSchema, request, invalid);
        return { protocolVersion: await versionFor(params.protocolVersion), serverInfo: info, ...about };
      }
      case 'tools/list':
        parseMessage(types.ListToolsRequestSchema, request, invalid);
        return { tools: tools.list(actor) };
      case 'tools/call': {
        const { name } = parseMessage(types.CallToolRequestSchema, request, invalid).params;
        if (!tools.has(name)) throw invalid(`There is no tool "${name}".`);
        // As they were sent: the checked copy has lost some names.
        const given = (request.params?.['arguments'] ?? {}) as Record<string, unknown>;
        const { isError, data } = await tools.call(name, given, actor, carrier);
        return { content: [{ type: 'text', text: textOf(data) }], isError };
      }
      default:
        throw new types.McpError(types.ErrorCode.MethodNotFound, `There is no method "${request.method}".`);
    }
  };
  return server;
}

/** What is used of a schema of the SDK. */
interface MessageSchema<T> {
  safeParse(message: unknown): {
    data?: T;
    error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] };
  };
}

/** A request in the form that its method has; an error of the protocol names the member that is wrong. */
function parseMessage<T>(schema: MessageSchema<T>, request: unknown, invalid: (message: string) => Error): T {
  const { data, error } = schema.safeParse(request);
  if (data !== undefined) return data;
  const issues = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw invalid(`${issues.join('; ')}.`);
}
