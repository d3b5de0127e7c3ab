// The token endpoints below `{API_ROOT}/auth` (decisions 0.21). Mounted by app.ts with authControllerAt; the work is done in auth/.
import { Controller, HttpCode, Inject, Post, Req, type Type } from '@nestjs/common';
import { ActorSource } from '../auth/actor-source.js';
import { BasicVerifier } from '../auth/credentials.js';
import { Tokens } from '../auth/tokens.js';
import { invalidParams, ResourceError } from '../errors/resource-error.js';
import { toAnswer, type Answer } from './answer.js';
import { contextOf, type ApiRequest } from './request-context.js';

type Body = Record<string, unknown>;

const GRANTS = ['password', 'refresh_token'];
const LONGEST = 4096;

/** Gives and revokes bearer tokens; takes JSON or a form. */
@Controller()
export class AuthController {
  constructor(
    @Inject(Tokens) private readonly tokens: Tokens,
    @Inject(BasicVerifier) private readonly verifier: BasicVerifier,
    @Inject(ActorSource) private readonly actors: ActorSource,
  ) {}

  /** Tokens for a name and password, or for a refresh token. */
  @Post('token')
  @HttpCode(200)
  async token(@Req() request: ApiRequest & { ip?: string }): Promise<Answer> {
    const body = contextOf(request).body ?? {};
    if (grantOf(body) === 'refresh_token') {
      const { refresh_token: token } = texts(body, 'refresh_token');
      return secretAnswer(request, await this.tokens.refresh(token));
    }
    const { username, password } = texts(body, 'username', 'password');
    const { account } = await this.verifier.verifyAccount(username, password, this.actors.addressOf(request));
    return secretAnswer(request, await this.tokens.issue(account));
  }

  /** Ends the family of a token, whatever token it is. */
  @Post('revoke')
  @HttpCode(200)
  async revoke(@Req() request: ApiRequest): Promise<Answer> {
    const { token } = texts(contextOf(request).body ?? {}, 'token');
    await this.tokens.revoke(token);
    return secretAnswer(request, { revoked: true });
  }
}

/** The controller for an API root (`''` or `/wp-json`). */
export function authControllerAt(apiRoot: string): Type<AuthController> {
  // A class of its own: decorating the shared one would move it for every other application of the process.
  class MountedAuthController extends AuthController {}
  Controller(`${apiRoot}/auth`)(MountedAuthController);
  return MountedAuthController;
}

function grantOf(body: Body): string {
  const grant = body['grant_type'] ?? ('refresh_token' in body ? 'refresh_token' : 'password');
  if (typeof grant === 'string' && GRANTS.includes(grant)) return grant;
  throw refused('grant_type', 'rest_not_in_enum', `grant_type must be one of ${GRANTS.join(', ')}, or left out.`);
}

function texts<Name extends string>(body: Body, ...names: Name[]): Record<Name, string> {
  const missing = names.filter((name) => body[name] === undefined);
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(', ')}.`;
    throw new ResourceError('rest_missing_callback_param', { message, data: { status: 400, params: missing } });
  }
  for (const name of names) {
    const value = body[name];
    if (typeof value !== 'string')
      throw refused(name, 'rest_invalid_type', `${name} must be a string.`, { param: name });
    if (value.length > LONGEST)
      throw refused(name, 'rest_too_long', `${name} must be at most ${LONGEST} characters long.`);
  }
  return body as Record<Name, string>;
}

function refused(param: string, code: string, message: string, data?: Record<string, unknown>): ResourceError {
  return invalidParams([{ param, code, message, data: data ?? null }]);
}

function secretAnswer(request: ApiRequest, body: unknown): Answer {
  const context = contextOf(request);
  context.confidential = true;
  return toAnswer({ status: 200, body }, context);
}
