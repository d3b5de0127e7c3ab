// What the package exports to programs that embed a site (docs/embedding.md).
export { createTypecase, createTypecaseApp, typecaseToken } from './server/embed/create-typecase.js';
export type { SiteModule, TypecaseModuleOptions } from './server/embed/create-typecase.js';
export { Typecase } from './server/embed/typecase.js';
export type { OwnHooks } from './server/embed/typecase.js';
export type { TypecaseOptions } from './config/options.js';
export type { Problem } from './errors/problem.js';
export {
  and,
  StartupError,
  Caller,
  defineExtension,
  equals,
  not,
  oneOf,
  or,
  ResourceError,
  ResourceService,
  SiteContext,
} from './server/extensions/api.js';
export type {
  ActionCall,
  ActionDefinition,
  BasedFieldType,
  CommandDefinition,
  Extension,
  ExtensionContext,
  HooksDefinition,
  JobDefinition,
  ListenerDefinition,
  NamedPipeline,
} from './server/extensions/define.js';
export type { CallOptions, CallParams, InTransaction, ListResult, ResourceItems } from './http/batch/in-process.js';
export type { SiteEvent } from './model/audit.js';
export type { Actor } from './model/actor.js';
export type { ResourceModel } from './model/model.js';
export type { FieldModel } from './model/field.js';
export type { Hooks } from './model/hooks.js';
export type { ListPlan } from './model/list.js';
export type { Operation, View } from './model/operation.js';
export type { Predicate, Row } from './model/query.js';
export type { ComputedFunction, FieldType, Filter } from './model/registry.js';
export type { Trait } from './model/trait.js';
export type { Transaction } from './model/store.js';
