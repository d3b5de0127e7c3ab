// Messages of the commands: counts, first files, accounts, hints.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { startupBanner } from '../../../src/server/banner.js';
import { startTestSite } from '../../support/start-test-site.js';
import { ROOT, run } from '../../support/built-program.js';
import { runCommand, type CommandResult } from '../../support/run-command.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-commands-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const library = join(ROOT, 'examples/library');

/** What a command prints. */
async function said(...args: string[]): Promise<string> {
  return (await ended('library', ...args)).output;
}

/** What a command prints, and how it ends, on a database of this name. */
function ended(name: string, ...args: string[]): Promise<CommandResult> {
  return runCommand(args, {
    SCHEMAS_DIR: library,
    ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
    SITE_DEFAULT_ROLE: 'reader',
    DATABASE_URL: `sqlite:${join(folder, `${name}.sqlite`)}`,
    MEDIA_DIR: join(folder, 'media'),
    TOKEN_SECRET: 'a secret that only tests know',
    LOG_LEVEL: 'silent',
  });
}

describe('a missing database file', () => {
  it.each([['dump', '--out', 'nightly'], ['check', '--data'], ['rerender'], ['explain', 'book', '--plan']])(
    'is not a site: %s refuses it and does not create it',
    async (...args) => {
      const { code, output } = await ended('mistyped', ...args);
      expect({ code, output }).toMatchObject({
        code: 1,
        output: expect.stringMatching(/DATABASE_URL: there is no site/),
      });
      expect(readdirSync(folder)).not.toContain('mistyped.sqlite');
      expect(existsSync('nightly')).toBe(false);
    },
  );

  it('like an empty file, is not a site', async () => {
    writeFileSync(join(folder, 'empty.sqlite'), '');
    expect(await ended('empty', 'check', '--data')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no site/),
    });
  });

  it('is created by load, but not when load refuses its input', async () => {
    const lines = join(folder, 'author.jsonl');
    writeFileSync(lines, '{"id": 7, "name": 3}\n');
    expect(await ended('loaded', 'load', lines)).toMatchObject({ code: 1 });
    expect(await ended('loaded', 'load', join(folder, 'nowhere'))).toMatchObject({ code: 1 });
    expect(readdirSync(folder)).not.toContain('loaded.sqlite');
    writeFileSync(lines, '{"id": 7, "name": "Ada"}\n');
    expect(await ended('loaded', 'load', '--dry-run', lines)).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).not.toContain('loaded.sqlite');
    expect(await ended('loaded', 'load', lines)).toMatchObject({ code: 0 });
    expect(await ended('loaded', 'check', '--data')).toMatchObject({ code: 0, output: '0 problems\n' });
    expect((await ended('loaded', 'load', lines)).output).toMatch(/author +0 +0 +1/);
  });
});

describe('import', () => {
  it('ends its report with the end of a line', async () => {
    const { code, output } = await ended('imported', 'import', join(ROOT, 'examples/sample.wxr.xml'));
    expect({ code, end: output.at(-1) }).toEqual({ code: 0, end: '\n' });
  });
});

describe('check', () => {
  it('prints the folder, and counts the resources of the engine separately', async () => {
    expect(await said('check')).toBe(`5 resources in ${library}, no problems\n`);
  });

  it('suggests a command where the folder does not exist', async () => {
    const output = await said('check', join(folder, 'nowhere'));
    expect(output).toContain('npm run cms -- new <resource>');
  });
});

describe('check --data', () => {
  it('checks the data with the schemas of the given folder', async () => {
    await said('migrate');
    expect(await said('check', '--data', library)).toBe('0 problems\n');
    expect(await said('check', '--data', join(folder, 'nowhere'))).toContain('the folder of schemas cannot be read');
  });

  it('is required by the options about stored data', async () => {
    expect(await said('check', '--fix')).toBe('--fix needs --data.\n');
    expect(await said('check', '--files')).toBe('--files needs --data.\n');
  });
});

describe('new', () => {
  it('writes a file that passes check, with a $schema that resolves', async () => {
    const schemas = join(folder, 'own/schemas');
    const environment = { SCHEMAS_DIR: schemas, TOKEN_SECRET: 'a secret that only tests know' };
    expect((await run('dist/cli.js', ['new', 'horse'], environment).ended).code).toBe(0);
    const file = join(schemas, 'horse.json');
    const { $schema } = JSON.parse(readFileSync(file, 'utf8'));
    expect(resolve(dirname(file), $schema)).toMatch(/docs\/resource\.schema\.json$/);
    const { output } = await runCommand(['check'], environment);
    expect(output).toBe(`1 resource in ${schemas} and 1 of the engine (account), no problems\n`);
  });

  it('names the published grammar', async () => {
    const module = join(ROOT, 'src/cli/new/starter.ts');
    const [, path] = /new URL\('([^']+)'/.exec(readFileSync(module, 'utf8'))!;
    expect(existsSync(resolve(dirname(module), path!))).toBe(true);
  });
});

describe('user create', () => {
  it('checks values like the API', async () => {
    const create = (...args: string[]) => said('user', 'create', ...args);
    expect(await create('bob', '--email', 'nope')).toContain('email must be an e-mail address');
    expect(await create('bob', '--email', 'b@x.example', '--password', 'short')).toContain('at least 8 characters');
    expect(await create('Bö', '--email', 'b@x.example')).toContain('username may have letters without accents');
    expect(await create('bob', '--email', 'b@x.example', '--role', 'king')).toContain('Roles are: librarian, reader');
    expect(await create('bob', '--email', 'b@x.example')).toMatch(/account \d+ "bob" made, password \S+/);
    expect(await create('bob', '--email', 'c@x.example')).toContain('"bob" is taken by another account');
  });
});

describe('user app-password', () => {
  it('checks values like the API', async () => {
    await said('user', 'create', 'amy', '--email', 'amy@x.example');
    const make = (...args: string[]) => said('user', 'app-password', 'amy', ...args);
    expect(await make('')).toBe('name must be a text of 1 to 200 characters, without NUL and unpaired surrogates.\n');
    expect(await make('x'.repeat(201))).toBe(
      'name must be a text of 1 to 200 characters, without NUL and unpaired surrogates.\n',
    );
    const many = Array.from({ length: 21 }, () => 'books');
    expect(await make('phone', '--resources', ...many)).toBe('--resources takes at most 20 paths of resources.\n');
    expect(await make('phone')).toMatch(/^application password "phone" of amy: \S+/);
  });
});

describe('the log of a command', () => {
  it.each(['json', 'pretty'])('as %s goes to standard error, because programs read standard output', async (format) => {
    const file = join(folder, `${format}.sqlite`);
    writeFileSync(file, '', { mode: 0o644 });
    await ended(format, 'migrate');
    const { output, errors } = await runCommand(['check', '--data', library], {
      ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
      SITE_DEFAULT_ROLE: 'reader',
      DATABASE_URL: `sqlite:${file}`,
      MEDIA_DIR: join(folder, 'media'),
      LOG_FORMAT: format,
    });
    expect(errors).toContain('chmod 600');
    expect(output.replace(errors, '')).toBe('0 problems\n');
  });
});

describe('the folder of uploads', () => {
  it.each(['MEDIA_DIR', 'PRIVATE_MEDIA_DIR'])('%s that is a file ends the start with a message', async (variable) => {
    const file = join(folder, `${variable}.txt`);
    writeFileSync(file, '');
    const environment = { SCHEMAS_DIR: library, DATABASE_URL: `sqlite:${join(folder, 'no-folder.sqlite')}` };
    const { code, output } = await runCommand(['openapi'], {
      ...environment,
      ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
      SITE_DEFAULT_ROLE: 'reader',
      MEDIA_DIR: join(folder, 'no-media'),
      TOKEN_SECRET: 'a secret that only tests know',
      [variable]: join(file, 'media'),
    });
    expect(output).toContain(`environment ${variable}: ${file} is not a folder`);
    expect(code).toBe(1);
  });
});

describe('files given to a command', () => {
  it.each<[string, string]>([
    ['no/folder/out.json', 'its folder does not exist'],
    ['.', 'this is a folder'],
  ])('--out %s is refused with the reason', async (name, why) => {
    const out = join(folder, name);
    for (const command of ['grammar', 'types']) {
      const { code, output } = await runCommand([command, '--out', out], { SCHEMAS_DIR: library });
      expect({ code, output }).toEqual({ code: 1, output: `${out}: cannot be written: ${why}\n` });
    }
  });

  it('import refuses a missing export before it creates a site', async () => {
    const own = mkdtempSync(join(folder, 'import-'));
    const file = join(own, 'no.xml');
    const { code, output } = await runCommand(['import', file], {
      SCHEMAS_DIR: library,
      ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
      SITE_DEFAULT_ROLE: 'reader',
      DATABASE_URL: `sqlite:${join(own, 'library.sqlite')}`,
      MEDIA_DIR: join(own, 'media'),
    });
    expect({ code, output }).toEqual({ code: 1, output: `${file}: cannot be read: there is no such file\n` });
    expect(readdirSync(own)).toEqual([]);
  });
});

describe('the first start by a command', () => {
  it.each([[['openapi']], [['user', 'create', 'bob', '--email', 'b@x.example']]])(
    '%s prints the generated password',
    async (args) => {
      const own = mkdtempSync(join(folder, 'first-'));
      const { output } = await runCommand(args, {
        SCHEMAS_DIR: library,
        ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
        SITE_DEFAULT_ROLE: 'reader',
        DATABASE_URL: `sqlite:${join(own, 'library.sqlite')}`,
        MEDIA_DIR: join(own, 'media'),
        TOKEN_SECRET: 'a secret that only tests know',
        LOG_LEVEL: 'silent',
      });
      expect(output).toMatch(/account "admin" made, password \w{20} {3}\(shown once: keep it\)\n/);
    },
  );
});

it('webhooks replay fails for deliveries that do not exist, and names them', async () => {
  const environment = {
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATABASE_URL: `sqlite:${join(folder, 'webhooks.sqlite')}`,
    MEDIA_DIR: join(folder, 'media'),
    TOKEN_SECRET: 'a secret that only tests know',
    LOG_LEVEL: 'silent',
  };
  await runCommand(['migrate'], environment);
  const { output, code } = await runCommand(['webhooks', 'replay', '7', '8'], environment);
  expect({ output, code }).toEqual({ output: 'There is no delivery 7, 8. Nothing is sent again.\n', code: 1 });
});

it.each([
  [['--failed'], '2 deliveries are sent again\n1 delivery is kept until the webhook is switched on\n'],
  [['1', '2'], '2 deliveries are sent again\n'],
  [
    ['--failed', '--webhook', '2'],
    '0 deliveries are sent again\n1 delivery is kept until the webhook is switched on\n',
  ],
])('webhooks replay %j reports what is sent, and what waits for an inactive webhook', async (words, wanted) => {
  const own = mkdtempSync(join(folder, 'replayed-'));
  const environment = {
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATABASE_URL: `sqlite:${join(own, 'webhooks.sqlite')}`,
    MEDIA_DIR: join(own, 'media'),
    TOKEN_SECRET: 'a secret that only tests know',
    LOG_LEVEL: 'silent',
  };
  const lines = {
    webhook: [true, false].map((active, at) => ({ id: at + 1, url: 'https://example.org/', active })),
    'webhook-delivery': [1, 1, 2].map((webhook, at) => ({ id: at + 1, webhook, state: 'failed', type: 'tag.created' })),
  };
  const source = join(own, 'lines');
  mkdirSync(source);
  for (const [name, all] of Object.entries(lines))
    writeFileSync(join(source, `${name}.jsonl`), all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(await runCommand(['load', source], environment)).toMatchObject({ code: 0 });
  expect(await runCommand(['webhooks', 'replay', ...words], environment)).toMatchObject({ code: 0, output: wanted });
});

it('webhooks replay requires ids or --failed', async () => {
  const { output, code } = await runCommand(['webhooks', 'replay', '7', '--failed'], { LOG_LEVEL: 'silent' });
  expect({ output, code }).toEqual({ output: 'Give ids of deliveries or say --failed, not both.\n', code: 1 });
});

it('a closed output pipe is not a failure', async () => {
  const output = await said('grammar');
  expect(() => process.stdout.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }))).not.toThrow();
  expect(output).toContain('Resource schema');
});

it('the banner names the pages first, unless they are off, and a list that anonymous callers may read', async () => {
  const site = await startTestSite(library, {
    ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
    SITE_DEFAULT_ROLE: 'reader',
  });
  try {
    const banner = startupBanner(site.config, site.site);
    const [, path] = /curl \S+?\/cms\/v2(\/\S*)/.exec(banner)!;
    expect((await site.send('GET', path!)).status).toBe(200);
    expect(banner).toMatch(/^\n {2}Open {3}http\S+\/ {3}in a browser\n {2}API/);
    expect(startupBanner({ ...site.config, pages: false }, site.site)).toMatch(/^\n {2}API/);
  } finally {
    await site.close();
  }
});
