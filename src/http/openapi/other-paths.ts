// OpenAPI path items that belong to no bound resource: the index, probes, tokens, and `me`.
import { refTo } from './components.js';
import type { ResourceRoute } from '../resource/resource-route.js';

type Operation = Record<string, unknown> & { operationId?: string; summary?: string; parameters?: { name?: string }[] };

/** Path items of the document, by path. */
export type Paths = Record<string, Record<string, Operation>>;

const TOKENS = {
  type: 'object',
  properties: {
    access_token: { type: 'string' },
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'Seconds.' },
    refresh_token: { type: 'string' },
  },
  required: ['access_token', 'token_type', 'expires_in', 'refresh_token'],
};

const GRANTS = {
  oneOf: [
    { type: 'object', properties: { username: text(), password: text() }, required: ['username', 'password'] },
    { type: 'object', properties: { refresh_token: text() }, required: ['refresh_token'] },
  ],
};

const REVOCATION = { type: 'object', properties: { token: text() }, required: ['token'] };
const REVOKED = { type: 'object', properties: { revoked: { type: 'boolean' } }, required: ['revoked'] };

/** Adds them to the paths found by Nest's scan; `root` is the path of the API root. */
export function completePaths(paths: Paths, routes: readonly ResourceRoute[], root: string): void {
  for (const path of Object.keys(paths)) if (/^\/docs(?:\/|-|$)/.test(path)) delete paths[path];
  for (const route of routes) addAlias(paths, route);
  summarize(paths['/livez']?.get, 'Whether the process is up.');
  summarize(paths['/readyz']?.get, 'Whether schema and database are ready.');
  bodied(
    paths[`${root}/auth/token`]?.post,
    'Get tokens for a name and password, or for a refresh token.',
    GRANTS,
    TOKENS,
  );
  bodied(paths[`${root}/auth/revoke`]?.post, 'End the family of a token.', REVOCATION, REVOKED);
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) if (!operation.summary) summarize(operation, 'What the API offers.');
  }
}

// The pattern of ids does not show that `me` is valid too.
function addAlias(paths: Paths, route: ResourceRoute): void {
  const alias = route.model.schema.selfAlias;
  const collection = `${route.base}${route.model.route}`.replaceAll(/:(\w+)/g, '{$1}');
  const item = paths[`${collection}/{${route.keyParam}}`];
  if (alias === undefined || !item) return;
  paths[`${collection}/${alias}`] = Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, aliased(operation, route.keyParam)]),
  );
}

function aliased(operation: Operation, keyParam: string): Operation {
  return {
    ...operation,
    operationId: `${operation.operationId}Self`,
    summary: `${operation.summary} The caller's own.`,
    parameters: (operation.parameters ?? []).filter(({ name }) => name !== keyParam),
  };
}

function summarize(operation: Operation | undefined, summary: string): void {
  if (!operation) return;
  operation.summary = summary;
  operation['responses'] = {
    ...(operation['responses'] as object),
    '4XX': { description: 'Refused.', ...json(refTo('Error')) },
  };
}

function bodied(operation: Operation | undefined, summary: string, body: object, answer: object): void {
  if (!operation) return;
  summarize(operation, summary);
  operation['security'] = [{}];
  operation['requestBody'] = {
    required: true,
    content: { 'application/json': { schema: body }, 'application/x-www-form-urlencoded': { schema: body } },
  };
  operation['responses'] = { ...(operation['responses'] as object), '200': { description: summary, ...json(answer) } };
}

function json(schema: object): object {
  return { content: { 'application/json': { schema } } };
}

function text(): object {
  return { type: 'string' };
}
