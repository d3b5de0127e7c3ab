// What a command says besides its own output when it opens a site for the first time.
import type { OpenSite } from '../server/open-site.js';

/**
 * Prints the password of the administrator that was made because there was no account: nobody can read it again. Standard
 * output belongs to the command.
 */
export function announceAdministrator({ administrator }: Pick<OpenSite, 'administrator'>): void {
  if (administrator?.generatedPassword === undefined) return;
  const { username, generatedPassword } = administrator;
  process.stderr.write(`account "${username}" made, password ${generatedPassword}   (shown once: keep it)\n`);
}
