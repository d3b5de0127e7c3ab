var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
// The token endpoints below `{API_ROOT}/auth` (decisions 0.21). Mounted by app.ts with authControllerAt; the work is done in auth/.
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ActorSource } from '../auth/actor-source.js';
import { BasicVerifier } from '../auth/credentials.js';
import { Tokens } from '../auth/tokens.js';
import { invalidParams, ResourceError } from '../errors/resource-error.js';
import { toAnswer } from './answer.js';
import { contextOf } from './request-context.js';
const GRANTS = ['password', 'refresh_token'];
const LONGEST = 4096;
/** Gives and revokes bearer tokens; takes JSON or a form. */
let AuthController = class AuthController {
    tokens;
    verifier;
    actors;
    constructor(tokens, verifier, actors) {
        this.tokens = tokens;
        this.verifier = verifier;
        this.actors = actors;
    }
    /** Tokens for a name and password, or for a refresh token. */
    async token(request) {
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
    async revoke(request) {
        const { token } = texts(contextOf(request).body ?? {}, 'token');
        await this.tokens.revoke(token);
        return secretAnswer(request, { revoked: true });
    }
};
__decorate([
    Post('token'),
    HttpCode(200),
    __param(0, Req()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], AuthController.prototype, "token", null);
__decorate([
    Post('revoke'),
    HttpCode(200),
    __param(0, Req()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], AuthController.prototype, "revoke", null);
AuthController = __decorate([
    Controller(),
    __param(0, Inject(Tokens)),
    __param(1, Inject(BasicVerifier)),
    __param(2, Inject(ActorSource)),
    __metadata("design:paramtypes", [Tokens,
        BasicVerifier,
        ActorSource])
], AuthController);
export { AuthController };
/** The controller for an API root (`''` or `/wp-json`). */
export function authControllerAt(apiRoot) {
    // A class of its own: decorating the shared one would move it for every other application of the process.
    class MountedAuthController extends AuthController {
    }
    Controller(`${apiRoot}/auth`)(MountedAuthController);
    return MountedAuthController;
}
function grantOf(body) {
    const grant = body['grant_type'] ?? ('refresh_token' in body ? 'refresh_token' : 'password');
    if (typeof grant === 'string' && GRANTS.includes(grant))
        return grant;
    throw refused('grant_type', 'rest_not_in_enum', `grant_type must be one of ${GRANTS.join(', ')}, or left out.`);
}
function texts(body, ...names) {
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
    return body;
}
function refused(param, code, message, data) {
    return invalidParams([{ param, code, message, data: data ?? null }]);
}
function secretAnswer(request, body) {
    const context = contextOf(request);
    context.confidential = true;
    return toAnswer({ status: 200, body }, context);
}
