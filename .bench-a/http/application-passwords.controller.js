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
// The application passwords of an account, below its item route (decisions 26.2). Mounted by the start of a site; the work is done in auth/.
import { Controller, Delete, Get, HttpCode, Param, Post, Put, Patch, Req } from '@nestjs/common';
import { invalidParams, ResourceError } from '../errors/resource-error.js';
import { plainText } from '../text/plain.js';
import { and, equals } from '../model/query.js';
import { Answer, toAnswer } from './answer.js';
import { contextOf } from './request-context.js';
import { noRoute } from './refusals.js';
const UUID = /^[\w-]{1,64}$/;
/** The controller of one site. */
export function applicationPasswordsController(parts) {
    const { passwords, accounts, site } = parts;
    const base = `${parts.root}/${accounts.path}/:id/application-passwords`;
    const address = (owner, uuid = '') => `${site.base}/${accounts.path}/${owner}/application-passwords${uuid && `/${uuid}`}`;
    const shown = (entry, context = 'view') => ({
        ...view(entry, context),
        _links: { self: [{ href: address(entry.account_id, entry.uuid) }] },
    });
    let ApplicationPasswordsController = class ApplicationPasswordsController {
        async list(request, id) {
            const owner = await ownerFor(parts, request, id, 'list_application_passwords');
            const context = contextFor(request);
            return answer(request, 200, (await passwords.list(owner)).map((entry) => shown(entry, context)));
        }
        async create(request, id) {
            const body = { ...contextOf(request).query, ...contextOf(request).body };
            const { name, appId } = texts(body, true);
            const owner = await ownerFor(parts, request, id, 'create_application_passwords');
            const made = await passwords.create(owner, name, appId ?? '');
            return answer(request, 201, shown(made, 'edit'), { Location: address(owner, made.uuid) });
        }
        async removeAll(request, id) {
            const owner = await ownerFor(parts, request, id, 'delete_application_passwords');
            return answer(request, 200, { deleted: true, count: await passwords.removeAll(owner) });
        }
        async introspect(request, id) {
            const owner = await ownerFor(parts, request, id, 'read_application_password');
            const { actor } = contextOf(request);
            const used = actor?.id === owner ? actor.applicationPassword : undefined;
            const found = used === undefined ? undefined : await passwords.get(owner, used);
            if (!found)
                throw new ResourceError('rest_no_authenticated_app_password');
            return answer(request, 200, shown(found, contextFor(request)));
        }
        async retrieve(request, id, uuid) {
            const owner = await ownerFor(parts, request, id, 'read_application_password');
            return answer(request, 200, shown(await existing(passwords, owner, uuid), contextFor(request)));
        }
        post(request, id, uuid) {
            return this.update(request, id, uuid);
        }
        put(request, id, uuid) {
            return this.update(request, id, uuid);
        }
        patch(request, id, uuid) {
            return this.update(request, id, uuid);
        }
        async remove(request, id, uuid) {
            const owner = await ownerFor(parts, request, id, 'delete_application_password');
            const previous = await existing(passwords, owner, uuid);
            await passwords.remove(owner, uuid);
            return answer(request, 200, { deleted: true, previous: view(previous, 'edit') });
        }
        async update(request, id, uuid) {
            const { name } = texts({ ...contextOf(request).query, ...contextOf(request).body }, false);
            const owner = await ownerFor(parts, request, id, 'edit_application_password');
            const before = await existing(passwords, owner, uuid);
            if (name !== undefined)
                await passwords.rename(owner, uuid, name);
            return answer(request, 200, shown({ ...before, name: name ?? before.name }, 'edit'));
        }
    };
    __decorate([
        Get(),
        __param(0, Req()),
        __param(1, Param('id')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "list", null);
    __decorate([
        Post(),
        HttpCode(201),
        __param(0, Req()),
        __param(1, Param('id')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "create", null);
    __decorate([
        Delete(),
        __param(0, Req()),
        __param(1, Param('id')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "removeAll", null);
    __decorate([
        Get('introspect'),
        __param(0, Req()),
        __param(1, Param('id')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "introspect", null);
    __decorate([
        Get(':uuid'),
        __param(0, Req()),
        __param(1, Param('id')),
        __param(2, Param('uuid')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "retrieve", null);
    __decorate([
        Post(':uuid'),
        HttpCode(200),
        __param(0, Req()),
        __param(1, Param('id')),
        __param(2, Param('uuid')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "post", null);
    __decorate([
        Put(':uuid'),
        __param(0, Req()),
        __param(1, Param('id')),
        __param(2, Param('uuid')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "put", null);
    __decorate([
        Patch(':uuid'),
        __param(0, Req()),
        __param(1, Param('id')),
        __param(2, Param('uuid')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "patch", null);
    __decorate([
        Delete(':uuid'),
        __param(0, Req()),
        __param(1, Param('id')),
        __param(2, Param('uuid')),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object, String, String]),
        __metadata("design:returntype", Promise)
    ], ApplicationPasswordsController.prototype, "remove", null);
    ApplicationPasswordsController = __decorate([
        Controller(base)
    ], ApplicationPasswordsController);
    return ApplicationPasswordsController;
}
/** Id of the account in the path, if the caller may edit it (26.2). */
async function ownerFor(parts, request, id, deed) {
    const { accounts, store } = parts;
    const actor = contextOf(request).actor;
    if (id === accounts.schema.selfAlias) {
        if (!actor || actor.id === 0)
            throw new ResourceError('rest_not_logged_in');
        return actor.id;
    }
    if (!/^\d{1,16}$/.test(id))
        throw noRoute();
    const mine = Object.entries(accounts.discriminator).map(([column, value]) => equals(column, value));
    const rule = accounts.rules.get('edit');
    const row = await store.reader.first(accounts.table.name, ['id'], and(equals('id', Number(id)), ...mine), {
        mayEdit: actor ? rule(actor) : { op: 'false' },
    });
    if (!row)
        throw new ResourceError(accounts.errors.notFound, { status: 404 });
    if (!row['mayEdit'])
        throw new ResourceError(`rest_cannot_${deed}`, { status: 'auth', like: 'rest_forbidden' });
    return Number(id);
}
async function existing(passwords, owner, uuid) {
    const found = UUID.test(uuid) ? await passwords.get(owner, uuid) : undefined;
    if (!found)
        throw new ResourceError('rest_application_password_not_found');
    return found;
}
function view(entry, context) {
    const { uuid, app_id, name, created, last_used, last_ip, password } = entry;
    if (context === 'embed')
        return { uuid, app_id, name };
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
function contextFor(request) {
    const asked = contextOf(request).query['context'] ?? 'view';
    if (asked === 'view' || asked === 'embed' || asked === 'edit')
        return asked;
    throw invalidParams([
        { param: 'context', code: 'rest_not_in_enum', message: 'context must be one of view, embed, edit.' },
    ]);
}
/** Name and app id of a body (blank names are refused). */
function texts(body, needed) {
    const { name, app_id: appId } = body;
    if (name === undefined || name === null) {
        if (needed)
            throw new ResourceError('rest_missing_callback_param', {
                message: 'Missing parameter(s): name. Send them too.',
                data: { status: 400, params: ['name'] },
            });
    }
    else if (typeof name !== 'string' || plainText(name).trim() === '' || name.length > 200) {
        throw invalidParams([
            { param: 'name', code: 'rest_invalid_pattern', message: 'name must be a text of 1 to 200 characters.' },
        ]);
    }
    if (appId !== undefined &&
        appId !== null &&
        appId !== '' &&
        !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(appId))) {
        throw invalidParams([{ param: 'app_id', code: 'rest_invalid_uuid', message: 'app_id must be a uuid.' }]);
    }
    return {
        ...(typeof name === 'string' ? { name: plainText(name) } : {}),
        ...(typeof appId === 'string' ? { appId } : {}),
    };
}
function answer(request, status, body, headers = {}) {
    return toAnswer({ status, body, headers }, contextOf(request));
}
