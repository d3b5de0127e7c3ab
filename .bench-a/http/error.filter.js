var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Catch } from '@nestjs/common';
import { toErrorAnswer } from './error-answer.js';
import { contextOf } from './request-context.js';
/** Writes errors in the shape of decisions 3 with the headers of every other answer. */
let ErrorFilter = class ErrorFilter {
    adapter;
    log;
    constructor(adapter, log) {
        this.adapter = adapter;
        this.log = log;
    }
    /** Called by Nest with everything thrown. */
    catch(error, host) {
        const http = host.switchToHttp();
        const response = http.getResponse();
        const answer = toErrorAnswer(error, contextOf(http.getRequest()), this.log);
        // Half an answer cannot be taken back: a cut connection tells the client that it is none.
        if (response.headersSent)
            response.destroy();
        else
            this.adapter.reply(response, answer, answer.status);
    }
};
ErrorFilter = __decorate([
    Catch(),
    __metadata("design:paramtypes", [Function, Object])
], ErrorFilter);
export { ErrorFilter };
