// `npm start -- [options]`: builds when the sources are newer than the build, then runs the command `serve`.
import { buildWhenNeeded } from './build-when-needed.mjs';

await buildWhenNeeded();
const { run } = await import('../dist/cli.js');
await run([...process.argv.slice(0, 2), 'serve', ...process.argv.slice(2)]);
