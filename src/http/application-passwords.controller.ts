// The application passwords of an account, below its item route (decisions 26.2). Mounted by the start of a site; the work is done in auth/.
import { Controller, Delete, Get, HttpCode, Param, Post, Put, Patch, Req, type Type } from '@nestjs/common';
import type { ApplicationPassword, ApplicationPasswords } from '../auth/application-passwords.js';
import { invalidParams, ResourceError } from '../errors/resource-error.js';
import { plainText } from '../text/plain.js';
import type { ResourceModel } from '../model/model.js';
import type { Site } from '../model/site.js';
import type { Store } from '../model/store.js';
import { and, equals } from '../model/query.js';
import { Answer, toAnswer } from './answer.js';
import { contextOf, type ApiRequest } from './request-context.js';
import { noRoute } from './refusals.js';

/** What the endpoints work with. */
export interface ApplicationPasswordParts {
  passwords: ApplicationPasswords;
  accounts: ResourceModel;
  store: Store;
  site: Site;
  /** Path of the namespace: `/cms/v2`. */
  root: string;
}

/** What a caller wants to do, as the last words of the error code that refuses it. */
type Deed =
  | 'list_application_passwords'
  | 'read_application_password'
  | 'create_application_passwords'
  | 'edit_application_password'
  | 'delete_application_passwords'
  | 'delete_application_password';

const UUID = /^[\w-]{1,64}$/;

/** Whoever gets an answer may use every method of its route (decisions 4.3). */
const ALLOW = { list: 'GET, POST, DELETE', item: 'GET, POST, PUT, PATCH, DELETE', introspection: 'GET' };

/** The controller of one site. */
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
    async list(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
      const owner = await ownerFor(parts, request, id, 'list_application_passwords');
      const context = contextFor(request);
      const entries = (await passwords.list(owner)).map((entry) => shown(entry, context));
      return answer(request, 200, entries, { Allow: ALLOW.list });
    }

    @Post()
    @HttpCode(201)
    async create(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
      const body = { ...contextOf(request).query, ...contextOf(request).body };
      const { name, appId } = texts(body, true);
      const owner = await ownerFor(parts, request, id, 'create_application_passwords');
      const made = await passwords.create(owner, name!, appId ?? '');
      return answer(request, 201, shown(made, 'edit'), { Allow: ALLOW.list, Location: address(owner, made.uuid) });
    }

    @Delete()
    async removeAll(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
      const owner = await ownerFor(parts, request, id, 'delete_application_passwords');
      return answer(request, 200, { deleted: true, count: await passwords.removeAll(owner) }, { Allow: ALLOW.list });
    }

    @Get('introspect')
    async introspect(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
      const owner = await ownerFor(parts, request, id, 'read_application_password');
      const { actor } = contextOf(request);
      const used = actor?.id === owner ? actor.applicationPassword : undefined;
      const found = used === undefined ? undefined : await passwords.get(owner, used);
      if (!found) throw new ResourceError('rest_no_authenticated_app_password');
      return answer(request, 200, shown(found, contextFor(request)), { Allow: ALLOW.introspection });
    }

    @Get(':uuid')
    async retrieve(@Req() request: ApiRequest, @Param('id') id: string, @Param('uuid') uuid: string): Promise<Answer> {
      const owner = await ownerFor(parts, request, id, 'read_application_password');
      const found = await existing(passwords, owner, uuid);
      return answer(request, 200, shown(found, contextFor(request)), { Allow: ALLOW.item });
    }

    @Post(':uuid')
    @HttpCode(200)
    post(@Req() request: ApiRequest, @Param('id') id: string, @Param('uuid') uuid: string): Promise<Answer> {
      return this.update(request, id, uuid);
    }

    @Put(':uuid')
    put(@Req() request: ApiRequest, @Param('id') id: string, @Param('uuid') uuid: string): Promise<Answer> {
      return this.update(request, id, uuid);
    }

    @Patch(':uuid')
    patch(@Req() request: ApiRequest, @Param('id') id: string, @Param('uuid') uuid: string): Promise<Answer> {
      return this.update(request, id, uuid);
    }

    @Delete(':uuid')
    async remove(@Req() request: ApiRequest, @Param('id') id: string, @Param('uuid') uuid: string): Promise<Answer> {
      const owner = await ownerFor(parts, request, id, 'delete_application_password');
      const previous = await existing(passwords, owner, uuid);
      await passwords.remove(owner, uuid);
      return answer(request, 200, { deleted: true, previous: view(previous, 'edit') }, { Allow: ALLOW.item });
    }

    private async update(request: ApiRequest, id: string, uuid: string): Promise<Answer> {
      const { name } = texts({ ...contextOf(request).query, ...contextOf(request).body }, false);
      const owner = await ownerFor(parts, request, id, 'edit_application_password');
      const before = await existing(passwords, owner, uuid);
      if (name !== undefined) await passwords.rename(owner, uuid, name);
      const after = { ...before, name: name ?? before.name };
      return answer(request, 200, shown(after, 'edit'), { Allow: ALLOW.item });
    }
  }
  return ApplicationPasswordsController;
}

/** Id of the account in the path, if the caller may edit it (26.2). */
async function ownerFor(parts: ApplicationPasswordParts, request: ApiRequest, id: string, deed: Deed): Promise<number> {
  const { accounts, store } = parts;
  const actor = contextOf(request).actor;
  if (id === accounts.schema.selfAlias) {
    if (!actor || actor.id === 0) throw new ResourceError('rest_not_logged_in');
    return actor.id;
  }
  if (!/^\d{1,16}$/.test(id)) throw noRoute();
  const mine = Object.entries(accounts.discriminator).map(([column, value]) => equals(column, value));
  const rule = accounts.rules.get('edit')!;
  const row = await store.reader.first(accounts.table!.name, ['id'], and(equals('id', Number(id)), ...mine), {
    mayEdit: actor ? rule(actor) : { op: 'false' },
  });
  if (!row) throw new ResourceError(accounts.errors.notFound, { status: 404, like: 'rest_user_invalid_id' });
  if (!row['mayEdit']) throw new ResourceError(`rest_cannot_${deed}`, { status: 'auth', like: 'rest_forbidden' });
  return Number(id);
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

/** Name and app id of a body (blank names are refused). */
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

function answer(request: ApiRequest, status: number, body: unknown, headers: Record<string, string>): Answer {
  return toAnswer({ status, body, headers }, contextOf(request));
}
