// `npm start`: builds when the sources are newer than the build, then serves.
import { buildWhenNeeded } from './build-when-needed.mjs';

buildWhenNeeded();
const { serve } = await import('../dist/main.js');
await serve();
