// The invented library, running, with a director, a librarian and a reader. Called by the specs of this folder.
import { fileURLToPath } from 'node:url';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The folder of its schemas. */
export const SCHEMAS = here('schemas');

/** A running library. */
export interface Library {
  site: TestSite;
  actors: Record<'director' | 'librarian' | 'reader', TestActor>;
}

/** Starts a library of its own; close `site` afterwards. */
export async function openLibrary(environment: Record<string, string> = {}): Promise<Library> {
  const site = await startTestSite(SCHEMAS, {
    ROLES_FILE: here('roles.json'),
    API_NAMESPACE: 'library/v1',
    SITE_TIMEZONE: 'Europe/Tallinn',
    SITE_DEFAULT_ROLE: 'reader',
    ...environment,
  });
  return {
    site,
    actors: {
      director: administrator(site),
      librarian: await makeActor(site, 'librarian'),
      reader: await makeActor(site, 'reader'),
    },
  };
}
