// What the OpenAPI document says about addresses that are no bound resource: the index, probes, tokens, and `me`. Called by openapi.ts.
import { refTo } from './openapi-components.js';
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
/** Completes the paths that Nest's scan has found; `root` is the path of the API root. */
export function completePaths(paths, routes, root) {
    for (const path of Object.keys(paths))
        if (/^\/docs(?:\/|-|$)/.test(path))
            delete paths[path];
    for (const route of routes)
        addAlias(paths, route);
    summarize(paths['/livez']?.get, 'Whether the process is up.');
    summarize(paths['/readyz']?.get, 'Whether schema and database are ready.');
    bodied(paths[`${root}/auth/token`]?.post, 'Get tokens for a name and password, or for a refresh token.', GRANTS, TOKENS);
    bodied(paths[`${root}/auth/revoke`]?.post, 'End the family of a token.', REVOCATION, REVOKED);
    for (const item of Object.values(paths)) {
        for (const operation of Object.values(item))
            if (!operation.summary)
                summarize(operation, 'What the API offers.');
    }
}
// Tools and people look for the address of the caller himself; the pattern of ids does not show it.
function addAlias(paths, route) {
    const alias = route.model.schema.selfAlias;
    const collection = `${route.base}${route.model.route}`.replaceAll(/:(\w+)/g, '{$1}');
    const item = paths[`${collection}/{${route.keyParam}}`];
    if (alias === undefined || !item)
        return;
    paths[`${collection}/${alias}`] = Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, aliased(operation, route.keyParam)]));
}
function aliased(operation, keyParam) {
    return {
        ...operation,
        operationId: `${operation.operationId}Self`,
        summary: `${operation.summary} The caller's own.`,
        parameters: (operation.parameters ?? []).filter(({ name }) => name !== keyParam),
    };
}
function summarize(operation, summary) {
    if (!operation)
        return;
    operation.summary = summary;
    operation['responses'] = {
        ...operation['responses'],
        '4XX': { description: 'Refused.', ...json(refTo('Error')) },
    };
}
function bodied(operation, summary, body, answer) {
    if (!operation)
        return;
    summarize(operation, summary);
    operation['security'] = [{}];
    operation['requestBody'] = {
        required: true,
        content: { 'application/json': { schema: body }, 'application/x-www-form-urlencoded': { schema: body } },
    };
    operation['responses'] = { ...operation['responses'], '200': { description: summary, ...json(answer) } };
}
function json(schema) {
    return { content: { 'application/json': { schema } } };
}
function text() {
    return { type: 'string' };
}
