// The application passwords of an account, below its item route.
import { Controller, Delete, Get, HttpCode, Options, Param, Post, Put, Patch, Req, type Type } from '@nestjs/common';
import type { ApplicationPasswords } from '../../auth/application-passwords.js';
import type { CredentialLimits } from '../../auth/rate-limit/credential-limits.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { Actor } from '../../model/actor.js';
import type { View } from '../../model/operation.js';
import { fieldSelection } from '../resource/field-selection.js';
import { passwordOptions, type PasswordRoute } from './application-passwords-document.js';
import { tagged } from '../response/etag.js';
import { HttpResponse, toResponse } from '../response/response.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import { contextFor, passwordView, scopeOf, texts, type ShownPassword } from './application-password-fields.js';
import { type ApplicationPasswordParts, ownerFor } from './application-password-owner.js';
import { repeatable } from './repeatable-password.js';
import type { ApplicationPassword } from '../../auth/application-password-rows.js';

const READS = new Set(['GET', 'HEAD']);
const UUID = /^[\w-]{1,64}$/;

/** Callers who pass the permission check may use every method of the route. */
const ALLOW = { list: 'GET, POST, DELETE', item: 'GET, POST, PUT, PATCH, DELETE', introspection: 'GET' };

/** Manages the application passwords of an account: of the caller's own, or of one that the caller may edit. */
class ApplicationPasswordsController {
  constructor(private readonly parts: ApplicationPasswordParts) {}

  @Get()
  async list(@Req() request: ApiRequest, @Param('user_id') id: string): Promise<HttpResponse> {
    const owner = await ownerFor(this.parts, request, id, 'rest_cannot_list_application_passwords');
    const context = contextFor(request);
    const entries = (await this.parts.passwords.list(owner)).map((entry) => this.toView(entry, context));
    return respond(request, 200, entries, { Allow: ALLOW.list });
  }

  @Options()
  describe(@Req() request: ApiRequest, @Param('user_id') id: string): Promise<HttpResponse> {
    return describe(this.parts, request, id, 'list');
  }

  @Options('introspect')
  describeIntrospection(@Req() request: ApiRequest, @Param('user_id') id: string): Promise<HttpResponse> {
    return describe(this.parts, request, id, 'introspection');
  }

  @Options(':uuid')
  describeItem(@Req() request: ApiRequest, @Param('user_id') id: string): Promise<HttpResponse> {
    return describe(this.parts, request, id, 'item');
  }

  @Post()
  @HttpCode(201)
  async create(@Req() request: ApiRequest, @Param('user_id') id: string): Promise<HttpResponse> {
    const body = { ...contextOf(request).query, ...contextOf(request).body };
    const { name, appId } = texts(body, true);
    const scope = scopeOf(body['scope'], this.parts.accounts);
    const owner = await ownerFor(this.parts, request, id, 'rest_cannot_create_application_passwords');
    const { passwords, limits } = this.parts;
    const { actor } = contextOf(request);
    const once = repeatable(request, this.parts, owner, body);
    // A retry creates nothing, so it counts against no limit.
    const first = once && (await passwords.findRepeated(owner, once));
    const left = first ? {} : await countCreation(limits, actor!);
    const created = first ?? (await passwords.create(owner, name!, appId ?? '', actor, scope, once));
    const headers: Record<string, string> = {
      ...left,
      Allow: ALLOW.list,
      Location: this.urlOf(owner, created.uuid),
    };
    if (created.isRepeated) headers['Idempotency-Replayed'] = 'true';
    return respond(request, 201, this.toView(created, 'edit'), headers);
  }

  @Delete()
  async removeAll(@Req() request: ApiRequest, @Param('user_id') id: string): Promise<HttpResponse> {
    const owner = await ownerFor(this.parts, request, id, 'rest_cannot_delete_application_passwords');
    return respond(
      request,
      200,
      { deleted: true, count: await this.parts.passwords.removeAll(owner, contextOf(request).actor) },
      { Allow: ALLOW.list },
    );
  }

  @Get('introspect')
  async introspect(@Req() request: ApiRequest, @Param('user_id') id: string): Promise<HttpResponse> {
    const owner = await ownerFor(this.parts, request, id, 'rest_cannot_read_application_password', true);
    const { actor } = contextOf(request);
    const used = actor?.id === owner ? actor.applicationPassword : undefined;
    const found = used === undefined ? undefined : await this.parts.passwords.get(owner, used);
    if (!found)
      throw new ResourceError('rest_no_authenticated_app_password', { headers: { Allow: ALLOW.introspection } });
    return respond(request, 200, this.toView(found, contextFor(request)), { Allow: ALLOW.introspection });
  }

  @Get(':uuid')
  async retrieve(
    @Req() request: ApiRequest,
    @Param('user_id') id: string,
    @Param('uuid') uuid: string,
  ): Promise<HttpResponse> {
    const owner = await ownerFor(this.parts, request, id, 'rest_cannot_read_application_password');
    const found = await requirePassword(this.parts.passwords, owner, uuid);
    return respond(request, 200, this.toView(found, contextFor(request)), { Allow: ALLOW.item });
  }

  @Post(':uuid')
  @HttpCode(200)
  post(@Req() request: ApiRequest, @Param('user_id') id: string, @Param('uuid') uuid: string): Promise<HttpResponse> {
    return this.update(request, id, uuid);
  }

  @Put(':uuid')
  put(@Req() request: ApiRequest, @Param('user_id') id: string, @Param('uuid') uuid: string): Promise<HttpResponse> {
    return this.update(request, id, uuid);
  }

  @Patch(':uuid')
  patch(@Req() request: ApiRequest, @Param('user_id') id: string, @Param('uuid') uuid: string): Promise<HttpResponse> {
    return this.update(request, id, uuid);
  }

  @Delete(':uuid')
  async remove(
    @Req() request: ApiRequest,
    @Param('user_id') id: string,
    @Param('uuid') uuid: string,
  ): Promise<HttpResponse> {
    const owner = await ownerFor(this.parts, request, id, 'rest_cannot_delete_application_password');
    const previous = await requirePassword(this.parts.passwords, owner, uuid);
    // Another request may have revoked it since.
    if (!(await this.parts.passwords.remove(owner, uuid, contextOf(request).actor))) throw notFound();
    return respond(request, 200, { deleted: true, previous: passwordView(previous, 'edit') }, { Allow: ALLOW.item });
  }

  private async update(request: ApiRequest, id: string, uuid: string): Promise<HttpResponse> {
    const { name } = texts({ ...contextOf(request).query, ...contextOf(request).body }, false);
    const owner = await ownerFor(this.parts, request, id, 'rest_cannot_edit_application_password');
    const before = await requirePassword(this.parts.passwords, owner, uuid);
    if (name !== undefined && !(await this.parts.passwords.rename(owner, uuid, name, contextOf(request).actor)))
      throw notFound();
    const after = { ...before, name: name ?? before.name };
    return respond(request, 200, this.toView(after, 'edit'), { Allow: ALLOW.item });
  }

  private toView(entry: ShownPassword, context = 'view') {
    return {
      ...passwordView(entry, context),
      _links: { self: [{ href: this.urlOf(entry.account_id, entry.uuid) }] },
    };
  }

  private urlOf(owner: number, uuid = ''): string {
    const { site, accounts } = this.parts;
    return `${site.base}/${accounts.path}/${owner}/application-passwords${uuid && `/${uuid}`}`;
  }
}

/** The controller class of one site. */
export function applicationPasswordsController(parts: ApplicationPasswordParts): Type {
  // A subclass: decorating the shared class would change the path for every other application in the process.
  class MountedApplicationPasswords extends ApplicationPasswordsController {
    constructor() {
      super(parts);
    }
  }
  Controller(`${parts.root}/${parts.accounts.path}/:user_id/application-passwords`)(MountedApplicationPasswords);
  return MountedApplicationPasswords;
}

/** OPTIONS: needs no permission; `Allow` names the methods of callers who may edit the account. */
async function describe(
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

/** Counts a new password against the limits of its creator and of the client's IP address. */
async function countCreation(limits: CredentialLimits, actor: Actor): Promise<Record<string, string>> {
  await limits.fromIpAddress(actor.address);
  return limits.ofAccount('application', actor.id);
}

async function requirePassword(
  passwords: ApplicationPasswords,
  owner: number,
  uuid: string,
): Promise<ApplicationPassword> {
  const found = UUID.test(uuid) ? await passwords.get(owner, uuid) : undefined;
  if (!found) throw notFound();
  return found;
}

function notFound(): ResourceError {
  return new ResourceError('rest_application_password_not_found', { headers: { Allow: ALLOW.item } });
}

function respond(request: ApiRequest, status: number, body: unknown, headers: Record<string, string>): HttpResponse {
  const context = contextOf(request);
  const fields = fieldSelection(context.query['_fields']);
  const pick = (item: unknown) => (fields ? fields.pick(item as View) : item);
  const response = toResponse({ status, body: Array.isArray(body) ? body.map(pick) : pick(body), headers }, context);
  return READS.has(request.method ?? '') ? tagged(response, context) : response;
}
