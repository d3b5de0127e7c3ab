// How commands are called where this program runs, for messages that name one.

const INSTALLED = /[\\/]node_modules[\\/]typecase[\\/]dist[\\/]/.test(
  decodeURIComponent(new URL(import.meta.url).pathname),
);

/** Whether the program is an installed package, and not a clone with its sources. */
export function isInstalled(): boolean {
  return INSTALLED;
}

/** A command with its arguments: `npm run cms -- check`, or `npx typecase check` where the package is installed. */
export function commandLine(command: string): string {
  return `${INSTALLED ? 'npx typecase' : 'npm run cms --'} ${command}`;
}

/** How the server is started, with options: `npm start -- --sample`, or `npx typecase serve --sample`. */
export function startLine(options: string): string {
  return INSTALLED ? `npx typecase serve ${options}` : `npm start -- ${options}`;
}
