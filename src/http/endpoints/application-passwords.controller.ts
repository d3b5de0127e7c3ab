// The application passwords of an account, below its item route.
import { Controller, Delete, Get, HttpCode, Options, Param, Post, Put, Patch, Req, type Type } from '@nestjs/common';
import type { ApplicationPassword, ApplicationPasswords } from '../../auth/application-passwords.js';
import type { CredentialLimits } from '../../auth/rate-limit/credential-limits.js';
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { plainText } from '../../text/plain.js';
import type { Actor } from '../../model/actor.js';
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
      const owner = await ownerFor(parts, request, id, 'rest_cannot_create_application_passwords');
      const left = await countCreation(parts.limits, contextOf(request).actor!);
      const made = await passwords.create(owner, name!, appId ?? '', contextOf(request).actor);
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
      const owner = await ownerFor(parts, request, id, 'rest_cannot_read_application_password');
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
): Promise<number> {
  const { accounts, store } = parts;
  const { actor, query } = contextOf(request);
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
  const { uuid, app_id, name, created, last_used, last_ip, password } = entry;
  if (context === 'embed') return { uuid, app_id, name };
  return {
    uuid,
    app_id,
    name,
    created,
    last_used,
    last_ip,
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
