var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
// Puts the application together: the models are compiled, the store is open, Nest comes last. Called by main.ts, cli.ts and tests.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ResourceService } from './engine/resource.service.js';
import { authenticate } from './http/actor-source.js';
import { Allowance } from './http/allowance.js';
import { ApiAdapter } from './http/api-adapter.js';
import { bindControllers } from './http/bind-controllers.js';
import { bodyRules } from './http/body-rules.js';
import { docsController } from './http/docs.controller.js';
import { HealthController, READINESS } from './http/health.controller.js';
import { IndexDocument } from './http/index-document.js';
import { indexControllers } from './http/index.controller.js';
import { OpenApi } from './http/openapi.js';
import { OperationFactory } from './http/operation.factory.js';
import { configureTransport } from './http/transport.js';
import { UploadIntake } from './http/upload-intake.js';
/** The application, ready for `listen()` or `init()`. */
export async function buildApp(parts) {
    const { config, store, site } = parts;
    const service = parts.service ?? new ResourceService(store);
    const operations = new OperationFactory(site, store);
    const allowance = new Allowance(service, operations);
    const uploads = new UploadIntake({ directory: parts.uploadDirectory, limit: config.limits.upload, formLimit: config.limits.body }, allowance);
    const transport = transportOptions(parts);
    const adapter = new ApiAdapter(transport);
    const bound = bindControllers(parts.models, { adapter, allowance, uploads, site, root: config.apiRoot });
    transport.bodyRule = bodyRules(bound.map(({ route }) => route), { ...config.limits, ...(parts.bodies ? { extra: parts.bodies } : {}) });
    const openApi = new OpenApi(bound, { site, publicUrl: config.publicUrl });
    const module = apiModule(parts, bound, openApi, [
        { provide: ResourceService, useValue: service },
        { provide: OperationFactory, useValue: operations },
        { provide: Allowance, useValue: allowance },
        { provide: OpenApi, useValue: openApi },
        { provide: READINESS, useValue: parts.readiness },
        ...(parts.providers ?? []),
    ]);
    const app = await NestFactory.create(module, adapter, {
        bodyParser: false,
        logger: false,
        abortOnError: false,
        ...parts.nest,
    });
    configureTransport(app);
    authenticate(app, parts.actors, parts.counter, `${config.apiRoot}/auth/`);
    openApi.app = app;
    return app;
}
/** Holds the controllers of one application; Nest wants a class for it. */
let ApiModule = class ApiModule {
};
ApiModule = __decorate([
    Module({})
], ApiModule);
function apiModule(parts, bound, openApi, providers) {
    const { config, site } = parts;
    const docsUrl = `${config.publicUrl}/docs`;
    const index = new IndexDocument({ site, publicUrl: config.publicUrl, bound, extra: parts.routes ?? {} });
    return {
        module: ApiModule,
        controllers: [
            HealthController,
            ...indexControllers(index, {
                root: config.apiRoot,
                namespace: config.apiNamespace,
                apiUrl: `${site.apiRoot}/`,
                docsUrl,
            }),
            docsController(openApi),
            ...(parts.controllers ?? []),
            ...bound.map(({ controller }) => controller),
        ],
        providers,
    };
}
function transportOptions({ config, site, log }) {
    return {
        log,
        cors: config.corsOrigins,
        apiRoot: `${site.apiRoot}/`,
        answerTimeout: config.timeouts.request,
        ...(config.trustProxy === false ? {} : { trustProxy: config.trustProxy }),
    };
}
