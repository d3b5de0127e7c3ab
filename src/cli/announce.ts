// The message of a command that opens a site for the first time.
import type { OpenSite } from '../server/open-site.js';

/**
 * Prints the generated password of the administrator that was created because there was no account: it cannot be read
 * again. To standard error, because standard output belongs to the command.
 */
export function announceAdministrator({ administrator }: Pick<OpenSite, 'administrator'>): void {
  if (administrator?.generatedPassword === undefined) return;
  const { username, generatedPassword } = administrator;
  process.stderr.write(`account "${username}" made, password ${generatedPassword}   (shown once: keep it)\n`);
}
