// What the package exports to programs that embed a site (docs/embedding.md).
export { createTypecase, createTypecaseApp, typecaseToken } from './server/embed/create-typecase.js';
export type { TypecaseModuleOptions } from './server/embed/create-typecase.js';
export { Typecase } from './server/embed/typecase.js';
export type { OwnHooks } from './server/embed/typecase.js';
export type { TypecaseOptions } from './config/options.js';
export { ResourceService } from './engine/resource.service.js';
export { BootError, type Problem } from './errors/problem.js';
export { ResourceError } from './errors/resource-error.js';
export type { CallOptions, CallParams, ListAnswer, ResourceItems } from './http/batch/in-process.js';
export type { Actor } from './model/actor.js';
export type { Hooks } from './model/model.js';
export type { Operation, View } from './model/operation.js';
export type { Row } from './model/query.js';
