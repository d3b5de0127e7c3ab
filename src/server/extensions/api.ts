// The exports that extension files import from "typecase"; src/index.ts exports the same to other programs.
export { ResourceService } from '../../engine/resource.service.js';
export { StartupError } from '../../errors/problem.js';
export { ResourceError } from '../../errors/resource-error.js';
export { and, equals, not, oneOf, or } from '../../model/query.js';
export { Caller } from './caller.js';
export { SiteContext } from './site-context.js';
export { defineExtension } from './define.js';
