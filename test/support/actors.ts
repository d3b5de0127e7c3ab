// Callers of a running site: accounts with a role, and the headers that sign a request in as them.
import { ADMINISTRATOR, type TestSite } from './start-test-site.js';
import type { Headers } from './send.js';

export type { Headers };

/** An account with its credentials. */
export interface TestActor {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly headers: Headers;
}

const PASSWORD = 'a password of its own';

/** `Authorization: Basic …`. */
export function basic(username: string, password: string): Headers {
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** The administrator made at first startup. Throws when no resource of the site has the trait `account`. */
export function administrator({ site }: TestSite): TestActor {
  if (!site.administrator) throw new Error('No administrator: no resource of this site has the trait "account".');
  return {
    id: site.administrator.id,
    ...ADMINISTRATOR,
    headers: basic(ADMINISTRATOR.username, ADMINISTRATOR.password),
  };
}

/** Makes an account with these roles (`[]`: with none); its username is `name`, or the first role. */
export async function makeActor(
  { site }: TestSite,
  roles: string | string[],
  name = [roles].flat()[0] ?? 'nobody',
): Promise<TestActor> {
  const { accounts, hasher, writer } = site;
  if (!accounts) throw new Error('No accounts: no resource of this site has the trait "account".');
  const { fields, model } = accounts;
  // Values of the content writer are stored as given.
  const values = {
    [fields.username]: name,
    [fields.email]: `${name}@example.org`,
    [fields.password]: await hasher.hash(PASSWORD),
    [fields.roles]: [roles].flat(),
  };
  const id = await writer.batch(({ create }) => create(model.name, values));
  return { id, username: name, password: PASSWORD, headers: basic(name, PASSWORD) };
}

/** Several accounts, each named like its role. */
export async function makeActors(site: TestSite, ...roles: string[]): Promise<Record<string, TestActor>> {
  const actors: Record<string, TestActor> = {};
  for (const role of roles) actors[role] = await makeActor(site, role);
  return actors;
}
