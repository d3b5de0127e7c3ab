// A server of the Model Context Protocol for one caller, made with the official SDK, which is loaded at its first use.
import { readFileSync } from 'node:fs';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Actor } from '../../model/actor.js';
import type { Site } from '../../model/site/site.js';
import type { ToolCalls } from './tool-calls.js';

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
 * The version that a client gets: the one it asks for, or the latest before it, which it is likely to know too; the latest of
 * all for what is no version.
 */
async function versionFor(asked: string): Promise<string> {
  const versions = await offeredVersions();
  return versions.find((version) => version <= asked) ?? versions[0]!;
}

/** A server that offers a caller the tools that they may use. */
export async function mcpServer(tools: ToolCalls, actor: Actor, info: ServerInfo): Promise<Server> {
  const [{ Server: SdkServer }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const about = { capabilities: { tools: {} }, instructions: INSTRUCTIONS };
  const server = new SdkServer(info, about);
  // In place of the handler of the SDK, which agrees to every version that it knows.
  server.setRequestHandler(types.InitializeRequestSchema, async ({ params }) => ({
    protocolVersion: await versionFor(params.protocolVersion),
    serverInfo: info,
    ...about,
  }));
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools.list(actor) as never }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    if (!tools.has(params.name))
      throw new types.McpError(types.ErrorCode.InvalidParams, `There is no tool "${params.name}".`);
    const { isError, data } = await tools.call(params.name, params.arguments ?? {}, actor);
    return { content: [{ type: 'text' as const, text: JSON.stringify(data) }], isError };
  });
  return server;
}
