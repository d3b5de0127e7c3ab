// How commands are called where this program runs, for messages that name one.
import { existsSync } from 'node:fs';

/** Where the program runs: a package that a site has installed, a clone of the repository, or a build alone (the image). */
type Place = 'package' | 'clone' | 'build';

const PLACE = placeOf(new URL(import.meta.url));

const COMMAND: Readonly<Record<Place, string>> = {
  package: 'npx typecase',
  clone: 'npm run cms --',
  build: 'node dist/cli.js',
};

const START: Readonly<Record<Place, string>> = {
  package: 'npx typecase serve',
  clone: 'npm start --',
  build: 'node dist/main.js',
};

/** Whether the program is an installed package, and not a clone with its sources. */
export function isInstalled(): boolean {
  return PLACE === 'package';
}

/** A command with its arguments: `npm run cms -- check` in a clone, `npx typecase check` where the package is installed. */
export function commandLine(command: string): string {
  return `${COMMAND[PLACE]} ${command}`;
}

/** How the server is started, with options: `npm start -- --sample` in a clone. */
export function startLine(options: string): string {
  return `${START[PLACE]} ${options}`;
}

/** `url`: that of this module, in src/ or dist/. */
function placeOf(url: URL): Place {
  if (/[\\/]node_modules[\\/]typecase[\\/]dist[\\/]/.test(decodeURIComponent(url.pathname))) return 'package';
  return existsSync(new URL('../../scripts/cms.mjs', url)) ? 'clone' : 'build';
}
