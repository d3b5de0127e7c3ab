// Which bodies each address takes (decisions 0.13, 2.15): a map built at boot, asked by the transport before routing.
import type { BodyRule } from './read-body.js';
import type { ApiRequest } from './request-context.js';
import type { ResourceRoute } from './resource-route.js';
import { takesFiles } from './upload-intake.js';

/** Limits in bytes, and addresses beyond the resources (batches) with theirs. */
export interface BodyRuleOptions {
  body: number;
  contentBody: number;
  extra?: Readonly<Record<string, BodyRule>>;
}

/** The rule for a request, by its path alone. */
export function bodyRules(
  routes: readonly ResourceRoute[],
  options: BodyRuleOptions,
): (request: ApiRequest) => BodyRule {
  const plain: BodyRule = { limit: options.body, uploads: false };
  const rules = new Map<string, BodyRule>();
  for (const route of routes) {
    const limit = [...route.model.fields.values()].some((field) => field.type === 'rendered')
      ? options.contentBody
      : options.body;
    const path = `${route.base}${route.model.route}`.replaceAll(/:\w+/g, '*').toLowerCase();
    rules.set(path, { limit, uploads: takesFiles(route) });
    rules.set(`${path}/*`, { limit, uploads: false });
  }
  for (const [path, rule] of Object.entries(options.extra ?? {})) rules.set(path.toLowerCase(), rule);
  const base = routes[0]?.base ?? '';
  return (request) => {
    const path = pathOf(request);
    return rules.get(path) ?? rules.get(wildcards(path, base.length)) ?? plain;
  };
}

function pathOf(request: ApiRequest): string {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  return (mark < 0 ? url : url.slice(0, mark)).replace(/\/+$/, '').toLowerCase();
}

// Below the namespace every second segment is a key.
function wildcards(path: string, base: number): string {
  const segments = path.slice(base + 1).split('/');
  return `${path.slice(0, base)}/${segments.map((segment, at) => (at % 2 === 1 ? '*' : segment)).join('/')}`;
}
