// A server process that runs the sources: what `npm start` is for a build. Its settings are its environment. Started by specs of this folder.
import { register } from 'node:module';

register('../unit/storage/evolution-hooks.mjs', import.meta.url);
const { serve } = await import('../../src/main.ts');
await serve();
