// Checks the bucket of uploaded files, where the site uses one.
import { mediaFolders } from '../../config/folders.js';
import { openFiles } from '../../server/served-files.js';
import { type Finding, findingsAbout } from './finding.js';
import type { Config } from '../../config/settings.js';

/** Whether the service responds and accepts the credentials: requests a missing file. Empty for folders on a disk. */
export async function checkBucket(config: Config): Promise<Finding[]> {
  if (mediaFolders(config)) return [];
  const { ok, fail } = findingsAbout('bucket');
  const { files } = await openFiles(config);
  try {
    await files.exists('doctor');
    return [ok('responds')];
  } catch (error) {
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : String(error);
    return [fail(`it cannot be read (${reason}): look at MEDIA_URL, and at the credentials in the environment`)];
  } finally {
    files.close();
  }
}
