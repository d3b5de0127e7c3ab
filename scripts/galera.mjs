// `node scripts/galera.mjs`: three Galera nodes on this machine and up to three servers; kills nodes under load. Needs
// mariadbd with galera-4 and rsync.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', '-i'];
const { status } = spawnSync(
  process.execPath,
  [...jest, '--testMatch', '**/test/process/galera.cluster.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
