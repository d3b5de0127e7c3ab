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
// `/livez`: the process is up; `/readyz`: it can serve, or why not (contract.md). Asked by balancers and supervisors.
import { Controller, Get, Inject } from '@nestjs/common';
import { Answer } from './answer.js';
import { unavailable } from './refusals.js';
/** Injection token of the readiness provider. */
export const READINESS = Symbol('readiness');
/** Answers health probes; never cached. */
let HealthController = class HealthController {
    readiness;
    constructor(readiness) {
        this.readiness = readiness;
    }
    /** Always 200 while the process serves. */
    live() {
        return ok();
    }
    /** 200, or 503 with the reason. */
    async ready() {
        const state = await this.readiness().catch(() => ({ ready: false, reason: 'The readiness check failed.' }));
        if (!state.ready)
            throw unavailable(state.reason ?? 'The service is starting.');
        return ok();
    }
};
__decorate([
    Get('livez'),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Answer)
], HealthController.prototype, "live", null);
__decorate([
    Get('readyz'),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Promise)
], HealthController.prototype, "ready", null);
HealthController = __decorate([
    Controller(),
    __param(0, Inject(READINESS)),
    __metadata("design:paramtypes", [Function])
], HealthController);
export { HealthController };
function ok() {
    return new Answer(200, { 'Cache-Control': 'no-store' }, '{"status":"ok"}');
}
