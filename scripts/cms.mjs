// `npm run cms -- <command>`: builds when needed, then runs the command line.
import { buildWhenNeeded } from './build-when-needed.mjs';

await buildWhenNeeded();
const { run } = await import('../dist/cli.js');
await run(process.argv);
