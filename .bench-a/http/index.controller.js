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
// Answers the index, the namespace index and, where the API has a root of its own, the root of the site (decisions 4.1, 4.4, 0.26).
import { Controller, Get, Options, Req } from '@nestjs/common';
import { Answer, toAnswer } from './answer.js';
import { fieldSelection } from './field-selection.js';
import { contextOf } from './request-context.js';
/** Controllers of the index; the root of the site has one of its own when the API lies below it. */
export function indexControllers(document, addresses) {
    const index = indexController(document, addresses);
    return addresses.root === '' ? [index] : [index, siteRootController(addresses)];
}
function indexController(document, { root, namespace }) {
    let IndexController = class IndexController {
        index(request) {
            return answer(request, document.root(wantsHelp(request)));
        }
        namespace(request) {
            return answer(request, document.namespace(wantsHelp(request)));
        }
        describeIndex(request) {
            return answer(request, { ...document.description('root') });
        }
        describeNamespace(request) {
            return answer(request, { ...document.description('namespace') });
        }
    };
    __decorate([
        Get(),
        __param(0, Req()),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object]),
        __metadata("design:returntype", Answer)
    ], IndexController.prototype, "index", null);
    __decorate([
        Get(namespace),
        __param(0, Req()),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object]),
        __metadata("design:returntype", Answer)
    ], IndexController.prototype, "namespace", null);
    __decorate([
        Options(),
        __param(0, Req()),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object]),
        __metadata("design:returntype", Answer)
    ], IndexController.prototype, "describeIndex", null);
    __decorate([
        Options(namespace),
        __param(0, Req()),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object]),
        __metadata("design:returntype", Answer)
    ], IndexController.prototype, "describeNamespace", null);
    IndexController = __decorate([
        Controller(root)
    ], IndexController);
    return IndexController;
}
function siteRootController({ apiUrl, docsUrl }) {
    let SiteRootController = class SiteRootController {
        addresses(request) {
            return answer(request, { api: apiUrl, docs: docsUrl });
        }
    };
    __decorate([
        Get(),
        __param(0, Req()),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object]),
        __metadata("design:returntype", Answer)
    ], SiteRootController.prototype, "addresses", null);
    SiteRootController = __decorate([
        Controller()
    ], SiteRootController);
    return SiteRootController;
}
function answer(request, document) {
    const context = contextOf(request);
    const fields = fieldSelection(context.query['_fields']);
    const body = fields ? fields.pick(document) : document;
    return toAnswer({ status: 200, body, headers: { Allow: 'GET' } }, context);
}
function wantsHelp(request) {
    return contextOf(request).query['context'] === 'help';
}
