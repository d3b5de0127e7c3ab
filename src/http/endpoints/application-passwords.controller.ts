// The application passwords of an account, below its item route.
import { Controller, Delete, Get, HttpCode, Options, Param, Post, Put, Patch, Req, type Type } from '@nestjs/common';
import type { ApplicationPassword, ApplicationPasswords } from '../../auth/application-passwords.js';
import type { CredentialLimits } from '../../auth/rate-limit/credential-limits.js';
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { plainText } from '../../text/plain.js';
import type { Actor, Scope } from '../../model/actor.js';
import type { View } from '../../model/operation.js';
import type { ResourceModel } from '../../model/model.js';
import type { Site } from '../../model/site.js';
import type { Store } from '../../model/store.js';
import { and, equals } from '../../model/query.js';
import { fieldSelection } from '../resource/field-selection.js';
import { passwordOptions, type PasswordRoute } from './application-passwords-document.js';
import { tagged } from '../response/etag.js';
import { HttpResponse, toResponse } from '../response/response.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import { noRoute } from '../http-errors.js';
import { itemNotFound } from '../../errors/not-found.js';

/** Dependencies of the controller. */
export interface ApplicationPasswordParts {
  passwords: ApplicationPasswords;
  limits: CredentialLimits;
  accounts: ResourceModel;
  store: Store;
  site: Site;
  /** Path of the namespace: `/cms/v2`. */
  root: string;
}

/** The error code of each action for callers who may not take it. */
type Refusal =
  | 'rest_cannot_list_application_passwords'
  | 'rest_cannot_read_application_password'
  | 'rest_cannot_create_application_passwords'
  | 'rest_cannot_edit_application_password'
  | 'rest_cannot_delete_application_passwords'
  | 'rest_cannot_delete_application_password';

const READS = new Set(['GET', 'HEAD']);
const UUID = /^[\w-]{1,64}$/;
/** Resources of one scope: their names have to fit into its column. */
const MOST_RESOURCES = 20;

/** Callers who pass the permission check may use every method of the route. */
const ALLOW = { list: 'GET, POST, DELETE', item: 'GET, POST, PUT, PATCH, DELETE', introspection: 'GET' };

/** Creates the controller class of one site. */
export function applicationPasswordsController(parts: ApplicationPasswordParts): Type {
  const { passwords, accounts, site } = parts;
  const base = `${parts.root}/${accounts.path}/:id/application-passwords`;
  const address = (owner: number, uuid = '') =>
    `${site.base}/${accounts.path}/${owner}/application-passwords${uuid && `/${uuid}`}`;
  const shown = (entry: ApplicationPassword & { password?: string }, context = 'view') => ({
    ...view(entry, context),
    _links: { self: [{ href: address(entry.account_id, entry.uuid) }] },
  });

  @Controller(base)
  class ApplicationPasswordsController {
    @Get()
    async list(@Req() request: ApiRequest, @Param('id') id: string): Promise<HttpResponse> {
      const owner = await ownerFor(parts, request, id, 'rest_cannot_list_application_passwords');
      const context = contextFor(request);
      const entries = (await passwords.list(owner)).map((entry) => shown(entry, context));
      return answer(request, 200, entries, { Allow: ALLOW.list });
    }

    @Options()
    describe(@Req() request: ApiRequest, @Param('id') id: string): Promise<HttpResponse> {
      return described(parts, request, id, 'list');
    }

    @Options('introspect')
    describeIntrospection(@Req() request: ApiRequest, @Param('id') id: string): Promise<HttpResponse> {
      return described(parts, request, id, 'introspection');
    }

    @Options(':uuid')
    describeItem(@Req() request: ApiRequest, @Param('id') id: string): Promise<HttpResponse> {
      return described(parts, request, id, 'item');
    }

    @Post()
    @HttpCode(201)
    async create(@Req() request: ApiRequest, @Param('id') id: string): Promise<HttpResponse> {
      const body = { ...contextOf(request).query, ...contextOf(request).body };
      const { name, appId } = texts(body, true);
      const scope = scopeOf(body['scope'], accounts);
      const owner = await ownerFor(parts, request, id, 'rest_cannot_create_application_passwords');
      const left = await countCreation(parts.limits, contextOf(request).actor!);
      const made = await passwords.create(owner, name!, appId ?? '', contextOf(request).actor, scope);
      const headers = { ...left, Allow: ALLOW.list, Location: address(owner, made.uuid) };
      return answer(request, 201, shown(made, 'edit'), headers);
    }

    @Delete()
    async removeAll(@Req() request: ApiRequest, @Param('id') id: string): Promise<HttpResponse> {
      const owner = await ownerFor(parts, request, id, 'rest_cannot_delete_application_passwords');
      return answer(
        request,
        200,
        { deleted: true, count: await passwords.removeAll(owner, contextOf(request).actor) },
        { Allow: ALLOW.list },
      );
    }

    @Get('introspect')
    async introspect(@Req() request: ApiRequest, @Param('id') id: string): Promise<HttpResponse> {
      const owner = await ownerFor(parts, request, id, 'rest_cannot_read_application_password', true);
      const { actor } = contextOf(request);
      const used = actor?.id === owner ? actor.applicationPassword : undefined;
      const found = used === undefined ? undefined : await passwords.get(owner, used);
      if (!found) throw new ResourceError('rest_no_authenticated_app_password');
      return answer(request, 200, shown(found, contextFor(request)), { Allow: ALLOW.introspection });
    }

    @Get(':uuid')
    async retrieve(
      @Req() request: ApiRequest,
      @Param('id') id: string,
      @Param('uuid') uuid: string,
    ): Promise<HttpResponse> {
      const owner = await ownerFor(parts, request, id, 'rest_cannot_read_application_password');
      const found = await existing(passwords, owner, uuid);
      return answer(request, 200, shown(found, contextFor(request)), { Allow: ALLOW.item });
    }

    @Post(':uuid')
    @HttpCode(200)
    post(@Req() request: ApiRequest, @Param('id') id: string, @Param('uuid') uuid: string): Promise<HttpResponse> {
      return this.update(request, id, uuid);
    }

    @Put(':uuid')
    put(@Req() request: ApiRequest, @Param('id') id: string, @Param('uuid') uuid: string): Promise<HttpResponse> {
      return this.update(request, id, uuid);
    }

    @Patch(':uuid')
    patch(@Req() request: ApiRequest, @Param('id') id: string, @Param('uuid') uuid: string): Promise<HttpResponse> {
      return this.update(request, id, uuid);
    }

    @Delete(':uuid')
    async remove(
      @Req() request: ApiRequest,
      @Param('id') id: string,
      @Param('uuid') uuid: string,
    ): Promise<HttpResponse> {
      const owner = await ownerFor(parts, request, id, 'rest_cannot_delete_application_password');
      const previous = await existing(passwords, owner, uuid);
      await passwords.remove(owner, uuid, contextOf(request).actor);
      return answer(request, 200, { deleted: true, previous: view(previous, 'edit') }, { Allow: ALLOW.item });
    }

    private async update(request: ApiRequest, id: string, uuid: string): Promise<HttpResponse> {
      const { name } = texts({ ...contextOf(request).query, ...contextOf(request).body }, false);
      const owner = await ownerFor(parts, request, id, 'rest_cannot_edit_application_password');
      const before = await existing(passwords, owner, uuid);
      if (name !== undefined) await passwords.rename(owner, uuid, name, contextOf(request).actor);
      const after = { ...before, name: name ?? before.name };
      return answer(request, 200, shown(after, 'edit'), { Allow: ALLOW.item });
    }
  }
  return ApplicationPasswordsController;
}

/** OPTIONS: needs no permission; `Allow` names the methods of callers who may edit the account. */
async function described(
  parts: ApplicationPasswordParts,
  request: ApiRequest,
  id: string,
  kind: PasswordRoute,
): Promise<HttpResponse> {
  const mayUse = await ownerFor(parts, request, id, 'rest_cannot_list_application_passwords').then(
    () => true,
    (error: unknown) => {
      if (error instanceof ResourceError && error.code !== 'rest_no_route') return false;
      throw error;
    },
  );
  const headers: Record<string, string> = mayUse ? { Allow: ALLOW[kind] } : {};
  return toResponse({ status: 200, body: passwordOptions(kind, parts.site), headers }, contextOf(request));
}

/** Id of the account in the path, if the caller may edit it. */
async function ownerFor(
  parts: ApplicationPasswordParts,
  request: ApiRequest,
  id: string,
  refusal: Refusal,
  isIntrospection = false,
): Promise<number> {
  const { accounts, store } = parts;
  const { actor, query } = contextOf(request);
  // Else it could make one without limits.
  if (actor?.scope && !isIntrospection) throw new ResourceError('rest_forbidden_scope');
  // Reject an invalid `_fields` before anything is written.
  fieldSelection(query['_fields']);
  if (id === accounts.schema.selfAlias) {
    if (!actor || actor.id === 0) throw new ResourceError('rest_not_logged_in');
    return actor.id;
  }
  if (!/^\d{1,16}$/.test(id)) throw noRoute();
  const rule = accounts.rules.get('edit')!;
  const row = await store.reader.first(accounts.table!.name, ['id'], and(equals('id', Number(id)), accounts.rowScope), {
    mayEdit: actor ? rule(actor) : { op: 'false' },
  });
  if (!row)
    throw itemNotFound({ labels: accounts.labels, code: accounts.errors.notFound, like: 'rest_user_invalid_id' }, id);
  if (!row['mayEdit']) throw new ResourceError(refusal, { status: 'auth', like: 'rest_forbidden' });
  return Number(id);
}

/** Counts a new password against the limits of its creator and of the client address. */
async function countCreation(limits: CredentialLimits, actor: Actor): Promise<Record<string, string>> {
  await limits.fromAddress(actor.address);
  return limits.ofAccount('application', actor.id);
}

async function existing(passwords: ApplicationPasswords, owner: number, uuid: string): Promise<ApplicationPassword> {
  const found = UUID.test(uuid) ? await passwords.get(owner, uuid) : undefined;
  if (!found) throw new ResourceError('rest_application_password_not_found');
  return found;
}

function view(entry: ApplicationPassword & { password?: string }, context: string): Record<string, unknown> {
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

function contextFor(request: ApiRequest): string {
  const asked = contextOf(request).query['context'] ?? 'view';
  if (asked === 'view' || asked === 'embed' || asked === 'edit') return asked;
  throw invalidParams([
    { param: 'context', code: 'rest_not_in_enum', message: 'context must be one of view, embed, edit.' },
  ]);
}

/** What a password may be used for: `{"read_only": true, "resources": ["posts"]}`; undefined for everything. */
function scopeOf(sent: unknown, { site }: ResourceModel): Scope | undefined {
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
  const unknown = resources.find((path) => typeof path !== 'string' || !known.has(path));
  if (unknown !== undefined) throw refuse(`scope.resources: there is no resource at /${String(unknown)}.`);
  return { readOnly, resources: [...new Set(resources as string[])] };
}

function shownScope({ readOnly, resources }: Scope): Record<string, unknown> {
  return { read_only: readOnly, ...(resources ? { resources } : {}) };
}

/** Name and app id of a body; blank names are rejected. */
function texts(body: Record<string, unknown>, needed: boolean): { name?: string; appId?: string } {
  const { name, app_id: appId } = body;
  if (name === undefined || name === null) {
    if (needed)
      throw new ResourceError('rest_missing_callback_param', {
        message: 'Missing parameter(s): name. Send them too.',
        data: { status: 400, params: ['name'] },
      });
  } else if (typeof name !== 'string' || plainText(name).trim() === '' || name.length > 200) {
    throw invalidParams([
      { param: 'name', code: 'rest_invalid_pattern', message: 'name must be a text of 1 to 200 characters.' },
    ]);
  }
  if (
    appId !== undefined &&
    appId !== null &&
    appId !== '' &&
    !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(appId))
  ) {
    throw invalidParams([{ param: 'app_id', code: 'rest_invalid_uuid', message: 'app_id must be a uuid.' }]);
  }
  return {
    ...(typeof name === 'string' ? { name: plainText(name) } : {}),
    ...(typeof appId === 'string' ? { appId } : {}),
  };
}

function answer(request: ApiRequest, status: number, body: unknown, headers: Record<string, string>): HttpResponse {
  const context = contextOf(request);
  const fields = fieldSelection(context.query['_fields']);
  const pick = (item: unknown) => (fields ? fields.pick(item as View) : item);
  const made = toResponse({ status, body: Array.isArray(body) ? body.map(pick) : pick(body), headers }, context);
  return READS.has(request.method ?? '') ? tagged(made, context) : made;
}
