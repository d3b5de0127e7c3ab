// What `doctor` says of machine, settings, schemas and database, and how it exits.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBucket } from '../../../src/cli/doctor/check-bucket.js';
import { checkDatabase, drift } from '../../../src/cli/doctor/check-database.js';
import { checkFolders, checkNode, room } from '../../../src/cli/doctor/check-machine.js';
import { checkRedis } from '../../../src/cli/doctor/check-redis.js';
import { checkSettings } from '../../../src/cli/doctor/check-settings.js';
import { loadRoles } from '../../../src/auth/roles.js';
import { readConfig } from '../../../src/config/config.js';
import type { Config } from '../../../src/config/settings.js';
import { basic } from '../../support/actors.js';
import { ADMINISTRATOR, startTestSite } from '../../support/start-test-site.js';
import { availableEngines, freshDatabase } from '../../support/fresh-database.js';
import { ROOT } from '../../support/built-program.js';
import { startS3 } from '../../support/s3-server.js';
import { runCommand } from '../../support/run-command.js';

function databaseFindings(config: Config) {
  return checkDatabase(config, loadRoles(config.rolesFile));
}

const GIB = 1024 ** 3;
const SECRET = 'a secret that only tests know';
/** A port on which nobody listens. */
const NOWHERE = '127.0.0.1:9';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const configOf = (environment: Record<string, string>) =>
  readConfig({
    DATABASE_URL: `sqlite:${join(folder, 'data/site.sqlite')}`,
    MEDIA_DIR: join(folder, 'media'),
    SCHEMAS_DIR: join(ROOT, 'examples/library'),
    ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
    SITE_DEFAULT_ROLE: 'reader',
    ...environment,
  });

it.each([
  ['20.18.3', 'fail'],
  ['20.19.0', 'ok'],
  ['21.7.0', 'fail'],
  ['22.12.0', 'fail'],
  ['22.13.0', 'ok'],
  ['23.0.0', 'fail'],
  ['24.10.0', 'fail'],
  ['24.11.0', 'ok'],
  ['25.0.0', 'ok'],
])('Node %s: %s', (version, level) => expect(checkNode(version).level).toBe(level));

it.each([
  [50 * 1024 ** 2, 'fail'],
  [0.5 * GIB, 'warn'],
  [2 * GIB, 'ok'],
])('%d free bytes: %s', (free, level) => expect(room('/data', free).level).toBe(level));

it.each([
  [0, 'ok'],
  [5, 'ok'],
  [-7, 'warn'],
  [3600, 'warn'],
])('a clock that differs by %d seconds: %s', (seconds, level) => expect(drift(1e9 + seconds, 1e9).level).toBe(level));

describe('settings', () => {
  const server = 'mysql://u:p@db.example:3306/site';
  it.each<[string, Record<string, string>, string[]]>([
    ['the defaults', {}, []],
    ['all networks without TLS', { HOST: '0.0.0.0' }, ['unencrypted', 'METRICS=on']],
    ['metrics with a short token', { METRICS: '12345678' }, ['METRICS is a token']],
    ['TLS without a proxy', { PUBLIC_URL: 'https://a.example', AUTH_BASIC_ACCOUNT_PASSWORD: 'off' }, ['TRUST_PROXY']],
    ['account passwords over TLS', { PUBLIC_URL: 'https://a.example', TRUST_PROXY: '1' }, ['AUTH_BASIC']],
    ['the first password', { ADMIN_PASSWORD: 'correct horse' }, ['ADMIN_PASSWORD']],
    ['cheap hashes', { HASH_TIME_COST: '1' }, ['HASH_MEMORY_COST']],
    ['no limits', { RATE_LIMIT: 'none' }, ['RATE_LIMIT']],
    ['a remote server', { DATABASE_URL: server, TOKEN_SECRET: SECRET }, ['sslmode']],
    ['one with TLS', { DATABASE_URL: `${server}?sslmode=require`, TOKEN_SECRET: SECRET }, []],
    ['one of a cluster', { DATABASE_URL: 'mysql://127.0.0.1,db.example/site', TOKEN_SECRET: SECRET }, ['sslmode']],
    ['a server without a secret', { DATABASE_URL: 'postgres://127.0.0.1/site' }, ['TOKEN_SECRET']],
    ['fast commits', { DATABASE_URL: 'sqlite:x/y.sqlite?synchronous=normal' }, ['synchronous=normal']],
    ['too many workers', { WORKERS: '9' }, ['WORKERS=9']],
  ])('%s', (_name, environment, expected) => {
    const warnings = checkSettings(configOf(environment), 4).filter(({ level }) => level === 'warn');
    expect(warnings).toEqual(
      expected.map((text) => ({
        level: 'warn',
        about: 'configuration',
        message: expect.stringContaining(text) as unknown,
      })),
    );
  });
});

describe('folders', () => {
  it('may be missing', async () => {
    expect((await checkFolders(configOf({}))).map(({ level }) => level)).toEqual(['ok', 'ok', 'ok']);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('must be folders, as must the folders that contain them', async () => {
    const file = join(folder, 'no-folder');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      const found = (await checkFolders(configOf({ MEDIA_DIR: path }))).filter(({ level }) => level === 'fail');
      expect(found.map(({ message }) => message)).toContain(`${path} cannot be written to: ${file} is not a folder`);
    }
  });

  it('with secrets must be private to their owner', async () => {
    const own = join(folder, 'open');
    mkdirSync(own);
    writeFileSync(join(own, 'secret'), SECRET);
    chmodSync(join(own, 'secret'), 0o644);
    const found = await checkFolders(configOf({ DATABASE_URL: `sqlite:${join(own, 'site.sqlite')}` }));
    expect(found.at(-1)).toMatchObject({ level: 'warn', message: expect.stringContaining('chmod 600') });
  });

  it('are reported in a folder of uploads', async () => {
    const shared = join(folder, 'shared');
    const found = await checkFolders(
      configOf({ DATABASE_URL: `sqlite:${join(shared, 'site.sqlite')}`, MEDIA_DIR: shared }),
    );
    expect(found.filter(({ level }) => level === 'warn').map(({ message }) => message)).toContain(
      `${join(shared, 'site.sqlite')} is in a folder of uploads: it is not served, but name a folder for uploads alone (MEDIA_DIR)`,
    );
  });
});

describe.each(availableEngines())('the database on %s', (engine) => {
  it('reports missing tables, and changes nothing', async () => {
    const database = await freshDatabase(engine);
    try {
      const config = configOf({ DATABASE_URL: database.url });
      const found = await databaseFindings(config);
      expect(found.map(({ about }) => about)).toEqual(
        engine === 'sqlite' ? ['database', 'tables'] : expect.arrayContaining(['database', 'clock', 'tables']),
      );
      expect(found.at(-1)).toMatchObject({ level: 'warn', message: expect.stringContaining('the next start') });
      // The clocks are read anew: what they differ by is another figure.
      const apartFromClock = (all: typeof found) => all.filter(({ about }) => about !== 'clock');
      expect(apartFromClock(await databaseFindings(config))).toEqual(apartFromClock(found));
    } finally {
      await database.drop();
    }
  });
});

(availableEngines().includes('postgres') ? it : it.skip)('a database that takes no writes is a failure', async () => {
  const database = await freshDatabase('postgres');
  try {
    const found = () => databaseFindings(configOf({ DATABASE_URL: database.url }));
    const failures = async () => (await found()).filter(({ level }) => level === 'fail');
    expect(await failures()).toEqual([]);
    const name = new URL(database.url).pathname.slice(1);
    await database.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    expect(await failures()).toEqual([
      { level: 'fail', about: 'database', message: expect.stringMatching(/no writes: .*read_only is on: turn it off/) },
    ]);
  } finally {
    await database.drop();
  }
});

it('reports a SITE_DEFAULT_ROLE that the file of roles lacks', async () => {
  const environment = {
    DATABASE_URL: `sqlite:${join(folder, 'default-role.sqlite')}`,
    MEDIA_DIR: join(folder, 'media'),
    SCHEMAS_DIR: join(ROOT, 'examples/library'),
    ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
  };
  const said = async (role: string) =>
    (await runCommand(['doctor'], { ...environment, SITE_DEFAULT_ROLE: role })).output;
  expect(await said('readr')).toMatch(
    /^warn {2}SITE_DEFAULT_ROLE: \S+library-roles\.json has no role "readr": .*reader/m,
  );
  expect(await said('reader')).not.toContain('SITE_DEFAULT_ROLE');
});

it('reports roles of accounts that the file of roles lacks', async () => {
  const database = await freshDatabase();
  try {
    const environment = {
      DATABASE_URL: database.url,
      ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
      SITE_DEFAULT_ROLE: 'reader',
    };
    await (await startTestSite('examples/library', environment)).close();
    const found = async (changed: Record<string, string>) =>
      (await databaseFindings(configOf({ ...environment, ...changed }))).filter(({ about }) => about === 'accounts');
    expect(await found({})).toEqual([]);
    const other = join(folder, 'other-roles.json');
    writeFileSync(
      other,
      '{"firstAccount": "head", "roles": {"head": {"label": "Head", "capabilities": ["manage_catalogue"]}}}',
    );
    expect(await found({ ROLES_FILE: other, SITE_DEFAULT_ROLE: 'head' })).toEqual([
      {
        level: 'warn',
        about: 'accounts',
        message: expect.stringMatching(/^1 account holds the role "\w+", which \S+other-roles\.json does not have/),
      },
    ]);
  } finally {
    await database.drop();
  }
});

it('reports a database and a Redis that do not respond as failures without waiting', async () => {
  const found = await databaseFindings(configOf({ DATABASE_URL: `mysql://u@${NOWHERE}/x`, TOKEN_SECRET: SECRET }));
  expect(found).toEqual([
    { level: 'fail', about: 'database', message: expect.stringContaining('does not respond') as unknown },
  ]);
  expect(await checkRedis(`redis://${NOWHERE}`)).toMatchObject({ level: 'fail', about: 'redis' });
});

it('checks the bucket where uploads are stored in one', async () => {
  expect(await checkBucket(configOf({}))).toEqual([]);
  const s3 = await startS3();
  const at = (bucket: string, endpoint: string) =>
    checkBucket(configOf({ MEDIA_DIR: '', MEDIA_URL: `s3://${bucket}/media?endpoint=${endpoint}` }));
  try {
    expect(await at(s3.bucket, s3.endpoint)).toMatchObject([{ level: 'ok', about: 'bucket' }]);
    process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong';
    expect(await at(s3.bucket, s3.endpoint)).toMatchObject([{ level: 'fail', about: 'bucket' }]);
    expect(await at(s3.bucket, `http://${NOWHERE}`)).toMatchObject([
      { level: 'fail', message: expect.stringMatching(/cannot be read \(S3: .*MEDIA_URL/) },
    ]);
  } finally {
    await s3.close();
  }
});

describe('the command', () => {
  const doctor = (environment: Record<string, string>, ...args: string[]) =>
    runCommand(['doctor', ...args], {
      DATABASE_URL: `sqlite:${join(folder, 'none/site.sqlite')}`,
      MEDIA_DIR: join(folder, 'none/media'),
      SCHEMAS_DIR: join(ROOT, 'examples/library'),
      ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
      SITE_DEFAULT_ROLE: 'reader',
      ...environment,
    });

  it('exits with 0 without failures, and creates nothing', async () => {
    const { code, output } = await doctor({});
    expect(output).toMatch(/^ok {4}schemas: \d+ resources in .*library$/m);
    expect(output).toMatch(/^0 failures, 1 warning\.\n$/m);
    expect({ code, made: existsSync(join(folder, 'none')) }).toEqual({ code: 0, made: false });
  });

  it('exits with 1 for failures and, with --strict, for warnings; prints JSON on request', async () => {
    expect(await doctor({ PORT: 'abc' })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^fail {2}config.*PORT/m),
    });
    const { code, output } = await doctor({}, '--strict', '--json');
    expect({ code, about: JSON.parse(output).at(-1).about }).toEqual({ code: 1, about: 'tables' });
  });
});

for (const engine of availableEngines().filter((each) => each !== 'sqlite'))
  it(`reports a ${engine} user without write access as a failure, with advice`, async () => {
    const database = await freshDatabase(engine);
    const { pathname } = new URL(database.url);
    const name = pathname.slice(1);
    const user = `${name}_r`.slice(0, 60);
    const [make, allow, drop] =
      engine === 'mysql'
        ? [
            `CREATE USER '${user}'@'%' IDENTIFIED BY 'reads only'`,
            `GRANT SELECT ON ${name}.* TO '${user}'@'%'`,
            `DROP USER '${user}'@'%'`,
          ]
        : [
            `CREATE ROLE ${user} LOGIN PASSWORD 'reads only'`,
            `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`,
            `DROP OWNED BY ${user}; DROP ROLE ${user}`,
          ];
    const url = new URL(database.url);
    [url.username, url.password] = [user, encodeURIComponent('reads only')];
    const failures = async () => {
      const environment = { SCHEMAS_DIR: join(ROOT, 'schemas'), ROLES_FILE: join(ROOT, 'roles.json') };
      const found = await databaseFindings(
        configOf({ ...environment, SITE_DEFAULT_ROLE: 'subscriber', DATABASE_URL: url.href }),
      );
      return found.filter(({ level }) => level === 'fail');
    };
    const refused = [
      {
        level: 'fail',
        about: 'database',
        message: expect.stringMatching(/accepts no writes: .*grant the user all rights on the database/),
      },
    ];
    try {
      await database.run(make!);
      if (engine === 'mysql') await database.run(allow!);
      expect(await failures()).toEqual(refused);
      const site = await startTestSite('schemas', { DATABASE_URL: database.url });
      await site.close();
      await database.run(allow!);
      expect(await failures()).toEqual(refused);
      const reading = await startTestSite('schemas', { DATABASE_URL: url.href });
      try {
        const headers = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
        expect((await reading.send('GET', '/tags')).status).toBe(200);
        const refusal = await reading.send('POST', '/tags', { as: headers, body: { name: 'x' } });
        expect(refusal).toMatchObject({ status: 503, body: { code: 'rest_unavailable' } });
        expect(refusal.text).not.toMatch(/denied|grant/i);
      } finally {
        await reading.close();
      }
    } finally {
      await database.run(drop!);
      await database.drop();
    }
  });

(availableEngines().includes('postgres') ? it : it.skip)(
  'an encoding that does not hold every text is a warning',
  async () => {
    const database = await freshDatabase('postgres');
    const name = `${new URL(database.url).pathname.slice(1)}_l`.slice(0, 60);
    await database.run(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`);
    try {
      const url = new URL(database.url);
      url.pathname = `/${name}`;
      expect(await databaseFindings(configOf({ DATABASE_URL: url.href }))).toContainEqual({
        level: 'warn',
        about: 'database',
        message: expect.stringMatching(/^server_encoding is LATIN1, .*ENCODING 'UTF8'/),
      });
    } finally {
      await database.run(`DROP DATABASE ${name}`);
      await database.drop();
    }
  },
);
