// Application passwords in requests and responses.
import { invalidParams, type ParamIssue, ResourceError } from '../../errors/resource-error.js';
import { plainText } from '../../text/plain.js';
import type { Scope } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import type { ApplicationPassword } from '../../auth/application-password-rows.js';

/** An application password; with the secret only in the response that created it. */
export type ShownPassword = ApplicationPassword & { password?: string };

/** Resources of one scope: their names have to fit into its column. */
export const MOST_RESOURCES = 20;

/** What a response shows of an application password. */
export function passwordView(entry: ShownPassword, context: string): Record<string, unknown> {
  const { uuid, app_id, name, created, last_used, last_ip, password, scope } = entry;
  if (context === 'embed') return { uuid, app_id, name };
  return {
    uuid,
    app_id,
    name,
    created,
    last_used,
    last_ip,
    ...(scope ? { scope: shownScope(scope) } : {}),
    ...(context === 'edit' && password !== undefined ? { password } : {}),
  };
}

/** The requested context. */
export function contextFor(request: ApiRequest): string {
  const requested = contextOf(request).query['context'] ?? 'view';
  if (requested === 'view' || requested === 'embed' || requested === 'edit') return requested;
  throw invalidParams([
    { param: 'context', code: 'rest_not_in_enum', message: 'context must be one of view, embed, edit.' },
  ]);
}

/** What a password may be used for: `{"read_only": true, "resources": ["posts"]}`; undefined for everything. */
export function scopeOf(sent: unknown, { site }: ResourceModel): Scope | undefined {
  if (sent === undefined || sent === null) return undefined;
  const refuse = (message: string) => invalidParams([{ param: 'scope', code: 'rest_invalid_param', message }]);
  if (typeof sent !== 'object' || Array.isArray(sent)) throw refuse('scope must be an object.');
  const { read_only: readOnly = false, resources, ...others } = sent as Record<string, unknown>;
  const [strange] = Object.keys(others);
  if (strange !== undefined) throw refuse(`scope has the members read_only and resources, and no ${strange}.`);
  if (typeof readOnly !== 'boolean') throw refuse('scope.read_only must be true or false.');
  if (resources === undefined) return readOnly ? { readOnly } : undefined;
  const known = new Set([...site.byName.values()].map(({ path }) => path));
  if (!Array.isArray(resources) || resources.length === 0 || resources.length > MOST_RESOURCES)
    throw refuse(`scope.resources must be a list of 1 to ${MOST_RESOURCES} paths of resources.`);
  if (!resources.every((path) => typeof path === 'string')) throw refuse('scope.resources must be a list of strings.');
  const unknown = resources.find((path) => !known.has(path));
  if (unknown !== undefined) throw refuse(`scope.resources: there is no resource at /${unknown}.`);
  return { readOnly, resources: [...new Set(resources)] };
}

function shownScope({ readOnly, resources }: Scope): Record<string, unknown> {
  return { read_only: readOnly, ...(resources ? { resources } : {}) };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LONGEST_NAME = 200;

/**
 * Name and app id of a body; blank names are rejected.
 * @throws ResourceError 400 with everything that is wrong
 */
export function texts(body: Record<string, unknown>, needed: boolean): { name?: string; appId?: string } {
  const name = body['name'] ?? undefined;
  const appId = body['app_id'] ?? undefined;
  if (needed && name === undefined) {
    throw new ResourceError('rest_missing_callback_param', {
      message: 'Missing parameter(s): name. Send them too.',
      data: { status: 400, params: ['name'] },
    });
  }
  const issues = [issueOf('name', name, nameCode), issueOf('app_id', appId, appIdCode)].filter((each) => each !== null);
  if (issues.length > 0) throw invalidParams(issues);
  return {
    ...(typeof name === 'string' ? { name: plainText(name) } : {}),
    ...(typeof appId === 'string' ? { appId } : {}),
  };
}

/** What is wrong with the name of an application password; undefined for nothing. */
export function nameProblem(name: string): string | undefined {
  return nameCode(name) === undefined ? undefined : MUST.name;
}

const MUST = {
  name: `name must be a text of 1 to ${LONGEST_NAME} characters, without NUL and unpaired surrogates.`,
  app_id: 'app_id must be a uuid.',
};

function issueOf(
  param: keyof typeof MUST,
  value: unknown,
  codeOf: (text: string) => string | undefined,
): ParamIssue | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') return { param, code: 'rest_invalid_type', message: MUST[param], data: { param } };
  const code = codeOf(value);
  return code === undefined ? null : { param, code, message: MUST[param] };
}

function nameCode(name: string): string | undefined {
  if (name === '') return 'rest_too_short';
  if (name.length > LONGEST_NAME) return 'rest_too_long';
  // No database can store a text with NUL or an unpaired surrogate.
  const isStorable = name.isWellFormed() && !name.includes('\0');
  return isStorable && plainText(name).trim() !== '' ? undefined : 'rest_invalid_pattern';
}

function appIdCode(appId: string): string | undefined {
  return appId === '' || UUID.test(appId) ? undefined : 'rest_invalid_uuid';
}
