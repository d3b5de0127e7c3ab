// The invented hospital, running, with a head, a nurse and a visitor. Called by the specs of this folder.
import { fileURLToPath } from 'node:url';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The folder of its schemas. */
export const SCHEMAS = here('schemas');

/** A running hospital. */
export interface Hospital {
  site: TestSite;
  actors: Record<'head' | 'nurse' | 'visitor', TestActor>;
}

/** Starts a hospital of its own; close `site` afterwards. */
export async function openHospital(environment: Record<string, string> = {}): Promise<Hospital> {
  const site = await startTestSite(SCHEMAS, {
    ROLES_FILE: here('roles.json'),
    SITE_TIMEZONE: 'Europe/Tallinn',
    SITE_DEFAULT_ROLE: 'visitor',
    ...environment,
  });
  return {
    site,
    actors: {
      head: administrator(site),
      nurse: await makeActor(site, 'nurse'),
      visitor: await makeActor(site, 'visitor'),
    },
  };
}
