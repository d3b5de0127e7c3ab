// References of a request in an atomic batch to earlier responses: `{"$ref": "#/responses/0/body/id"}` in place of a
// value, `{#/responses/0/body/id}` inside a path. What follows the `#` is a JSON Pointer (RFC 6901) into the response
// of the batch.
import { invalidParams, type ResourceError } from '../../errors/resource-error.js';
import type { Sent } from './parse-batch.js';

/** A response as references see it. */
export interface Earlier {
  body: unknown;
  status: number;
  headers: Record<string, unknown>;
}

const IN_PATH = /\{#([^{}]*)\}/g;

/**
 * The request with the values of its references.
 * @throws ResourceError 400 for a reference that cannot be resolved
 */
export function resolveReferences(request: Sent, at: number, earlier: readonly Earlier[]): Sent {
  const name = `requests[${at}]`;
  const path = request.path.replace(IN_PATH, (_, pointer: string) => {
    const value = follow(pointer, earlier, `${name}[path]`);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw leadsNowhere(`${name}[path]`, pointer, 'to a text or a number');
    return encodeURIComponent(value);
  });
  const body = request.body && (replaceIn(request.body, earlier, `${name}[body]`) as Record<string, unknown>);
  return { ...request, path, body };
}

// The depth of bodies is limited when they are read.
function replaceIn(value: unknown, earlier: readonly Earlier[], name: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const pointer = pointerOf(value);
  if (pointer !== undefined) return follow(pointer, earlier, name);
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, earlier, name));
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value)) copy[key] = replaceIn(member, earlier, `${name}[${key}]`);
  return copy;
}

function pointerOf(value: object): string | undefined {
  const { $ref: reference } = value as { $ref?: unknown };
  return typeof reference === 'string' && reference.startsWith('#/') && Object.keys(value).length === 1
    ? reference.slice(1)
    : undefined;
}

function follow(pointer: string, earlier: readonly Earlier[], name: string): unknown {
  const [start, root, ...rest] = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (start !== '' || root !== 'responses') throw leadsNowhere(name, pointer, 'into #/responses');
  let value: unknown = earlier;
  for (const part of rest) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      throw leadsNowhere(name, pointer, 'to a member of an earlier response');
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function leadsNowhere(param: string, pointer: string, where: string): ResourceError {
  const message = `${param} refers to #${pointer}, which does not lead ${where}.`;
  return invalidParams([{ param, code: 'rest_invalid_param', message }]);
}
