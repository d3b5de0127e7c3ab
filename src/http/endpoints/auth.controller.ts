// The token endpoints below `{API_ROOT}/auth`; the logic is in auth/.
import { Controller, HttpCode, Inject, Optional, Options, Post, Req, type Type } from '@nestjs/common';
import { ActorSource } from '../../auth/actor-source.js';
import { CredentialLimits } from '../../auth/rate-limit/credential-limits.js';
import { BasicVerifier } from '../../auth/credentials.js';
import { Tokens } from '../../auth/tokens.js';
import { invalidParams, ResourceError, type ParamIssue } from '../../errors/resource-error.js';
import { ANONYMOUS, type Actor } from '../../model/actor.js';
import type { RouteDocument } from '../resource/options-document.js';
import { toResponse, type HttpResponse } from '../response/response.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import { GRANTS, MAX_VALUE_CHARACTERS, tokenRoute } from '../openapi/auth-documents.js';

type Body = Record<string, unknown>;

/** Injection token of the function that records logins. */
export const LOGINS = Symbol('logins');

/** Records that tokens are issued for the password of an account. */
export type RecordLogin = (account: number, actor: Actor) => Promise<void>;

/** Issues and revokes bearer tokens; accepts JSON or a form. */
@Controller()
export class AuthController {
  constructor(
    @Inject(Tokens) private readonly tokens: Tokens,
    @Inject(BasicVerifier) private readonly verifier: BasicVerifier,
    @Inject(ActorSource) private readonly actors: ActorSource,
    @Inject(CredentialLimits) private readonly limits: CredentialLimits,
    @Optional() @Inject(LOGINS) private readonly recordLogin?: RecordLogin,
  ) {}

  /** Issues tokens for a name and password, or for a refresh token. */
  @Post('token')
  @HttpCode(200)
  async token(@Req() request: ApiRequest & { ip?: string }): Promise<HttpResponse> {
    const address = this.actors.clientAddressOf(request);
    const headers = await this.limits.fromIpAddress(address);
    const admit = async (account: number) => Object.assign(headers, await this.limits.ofAccount('token', account));
    const tokens = await this.tokensFor(request, address, admit);
    return secretResponse(request, tokens, headers);
  }

  /** Ends the family of an access or refresh token. */
  @Post('revoke')
  @HttpCode(200)
  async revoke(@Req() request: ApiRequest & { ip?: string }): Promise<HttpResponse> {
    const headers = await this.limits.fromIpAddress(this.actors.clientAddressOf(request));
    const { token } = texts(contextOf(request).body ?? {}, 'token');
    await this.tokens.revoke(token, (account) => this.limits.ofAccount('revoke', account));
    return secretResponse(request, { revoked: true }, headers);
  }

  private async tokensFor(request: ApiRequest, address: string, admit: (account: number) => Promise<unknown>) {
    const body = contextOf(request).body ?? {};
    if (grantOf(body) === 'refresh_token') {
      const { refresh_token: token } = texts(body, 'refresh_token');
      return this.tokens.refresh(token, admit);
    }
    const { username, password } = texts(body, 'username', 'password');
    const { account } = await this.verifier.verifyAccount(username, password, address);
    await admit(account.id);
    await this.recordLogin?.(account.id, {
      ...ANONYMOUS,
      id: account.id,
      via: 'password',
      address,
      agent: request.headers['user-agent'] ?? '',
      requestId: contextOf(request).id,
    });
    return this.tokens.issue(account);
  }
}

/** The controller for an API root (`''` or `/wp-json`); `url`: the URL of that root. */
export function authControllerAt(apiRoot: string, url: string): Type<AuthController> {
  // A subclass: decorating the shared class would change the path for every other application in the process.
  class MountedAuthController extends AuthController {
    @Options('token')
    describeToken(@Req() request: ApiRequest): HttpResponse {
      return describe(request, tokenRoute('token', url));
    }

    @Options('revoke')
    describeRevoke(@Req() request: ApiRequest): HttpResponse {
      return describe(request, tokenRoute('revoke', url));
    }
  }
  Controller(`${apiRoot}/auth`)(MountedAuthController);
  return MountedAuthController;
}

function grantOf(body: Body): string {
  const grant = body['grant_type'] ?? (isAbsent(body['refresh_token']) ? 'password' : 'refresh_token');
  if (typeof grant === 'string' && GRANTS.includes(grant)) return grant;
  const message = `grant_type must be one of ${GRANTS.join(', ')}, or left out.`;
  throw invalidParams([{ param: 'grant_type', code: 'rest_not_in_enum', message }]);
}

function texts<Name extends string>(body: Body, ...names: Name[]): Record<Name, string> {
  const missing = names.filter((name) => isAbsent(body[name]));
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(', ')}. Send them too.`;
    throw new ResourceError('rest_missing_callback_param', { message, data: { status: 400, params: missing } });
  }
  const problems = names.flatMap((name) => problemOf(name, body[name]) ?? []);
  if (problems.length > 0) throw invalidParams(problems);
  return body as Record<Name, string>;
}

// As in every other body, null counts as absent.
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function problemOf(param: string, value: unknown): ParamIssue | undefined {
  if (typeof value !== 'string')
    return { param, code: 'rest_invalid_type', message: `${param} must be a string.`, data: { param } };
  if (value.length <= MAX_VALUE_CHARACTERS) return undefined;
  const message = `${param} must be at most ${MAX_VALUE_CHARACTERS} characters long.`;
  return { param, code: 'rest_too_long', message };
}

function describe(request: ApiRequest, body: RouteDocument): HttpResponse {
  return toResponse({ status: 200, body, headers: { Allow: 'POST' } }, contextOf(request));
}

function secretResponse(request: ApiRequest, body: unknown, headers: Record<string, string>): HttpResponse {
  const context = contextOf(request);
  context.confidential = true;
  return toResponse({ status: 200, body, headers }, context);
}
