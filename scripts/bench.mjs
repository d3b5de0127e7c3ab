// `npm run bench`: builds the server and the benchmark when needed, then runs it. Options: `npm run bench -- --help`.
// `writers <DATABASE_URL>` measures concurrent writers on an empty database of a server, `growth` the effect of
// more posts, `uploads` uploads of images, `mixed` ten minutes of mixed requests, `load` the command `load`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWhenNeeded } from './build-when-needed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

await buildWhenNeeded();
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'bench/tsconfig.json')],
  { stdio: 'inherit' },
);
let args = process.argv.slice(2);
// One help text describes the options of all benchmarks.
if (args.includes('--help')) args = ['--help'];
const [what, ...rest] = args;
const own = { writers: 'writers', growth: 'growth', uploads: 'uploads', mixed: 'mixed', load: 'loading' }[what];
const { run } = await import(`../.bench-out/bench/${own ?? 'main'}.js`);
await run(own ? rest : args);
