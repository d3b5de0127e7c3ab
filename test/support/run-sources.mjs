// `node --import <this file> src/main.ts`: registers the hooks that run TypeScript. Used by server-process.ts.
import { register } from 'node:module';

register('./source-hooks.mjs', import.meta.url);
