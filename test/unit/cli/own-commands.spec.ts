// What the commands of the program know of extensions, and the commands that extensions add.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHEAP_HASHES } from '../../support/start-test-site.js';
import { run } from '../../support/built-program.js';
import { availableEngines, freshDatabase } from '../../support/fresh-database.js';
import { runCommand } from '../../support/run-command.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let folder: string;
let environment: Record<string, string>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-commands-'));
  environment = {
    SCHEMAS_DIR: here('../../engine/extensions/schemas'),
    EXTENSIONS_DIR: here('../../engine/extensions/extensions'),
    ROLES_FILE: here('../../../roles.json'),
    DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}?synchronous=normal`,
    MEDIA_DIR: join(folder, 'media'),
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    TOKEN_SECRET: 'a secret that only tests know',
    ADMIN_PASSWORD: 'a password that only tests know',
    ...CHEAP_HASHES,
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a command of an extension receives its arguments, and writes', async () => {
  const dry = await runCommand(['name-stars', 'Vega', '--dry-run'], environment);
  expect(dry).toMatchObject({ code: 0, output: 'would be: Vega\n' });
  const made = await runCommand(['name-stars', 'Vega', 'Deneb'], environment);
  expect(made).toMatchObject({ code: 0, output: 'made: Vega\nmade: Deneb\n' });
  const help = await runCommand(['--help'], environment);
  expect(help.output).toMatch(/name-stars \[options\] <names\.\.\.>\s+create stars of these names/);
});

test.each(availableEngines())('openapi ends where a module of an extension does not start: %s', async (engine) => {
  const extensions = mkdtempSync(join(folder, 'failing-'));
  const text = `import { defineExtension } from 'typecase';
    class Failing { onModuleInit() { throw new Error('it does not start'); } }
    export default defineExtension({ module: { module: class {}, providers: [Failing] } });`;
  writeFileSync(join(extensions, 'failing.mjs'), text);
  const database = await freshDatabase(engine);
  try {
    // A process of its own: connections to a server would keep it alive.
    const { ended } = run('dist/cli.js', ['openapi'], {
      ...environment,
      EXTENSIONS_DIR: extensions,
      SCHEMAS_DIR: here('../../../examples/library'),
      DATABASE_URL: database.url,
    });
    expect(await ended).toMatchObject({ code: 1, output: expect.stringMatching(/it does not start\n$/) });
  } finally {
    await database.drop();
  }
});

test('an undefined command is unknown', async () => {
  const { code, output } = await runCommand(['name-planets'], environment);
  expect({ code, output }).toMatchObject({
    code: 1,
    output: expect.stringContaining("unknown command 'name-planets'"),
  });
});

test.each([
  ['check', [], 'no problems'],
  ['explain', ['star', '--as', 'administrator'], 'see (item) takes place!, times: Notes that the star was seen. yes'],
  ['explain', ['sighting'], 'saved: test/engine/extensions/extensions/hooks.mjs'],
  ['types', [], '"see": { key: true; body: {'],
  ['grammar', [], '"M1 to M110"'],
])('%s %j lists the commands of extensions', async (command, more, text) => {
  const { code, output } = await runCommand([command, ...more], environment);
  expect(code).toBe(0);
  if (command === 'grammar') {
    const { $defs, properties } = JSON.parse(output);
    expect($defs.field.properties.type.enum).toContain('messier');
    expect(properties.traits.properties.numbered.properties.start).toMatchObject({ type: 'integer', minimum: 1 });
  } else expect(output).toContain(text);
});

test('a problem in an extension stops every command, with its position', async () => {
  const code = join(folder, 'broken');
  mkdirSync(code);
  writeFileSync(join(code, 'a.ts'), 'export default 1;\n');
  const said = await runCommand(['check'], { ...environment, EXTENSIONS_DIR: code });
  expect(said.code).toBe(1);
  expect(said.output).toMatch(/broken\/a\.ts:1:1: the default export is not made by defineExtension/);
  expect(await runCommand(['--help'], { ...environment, EXTENSIONS_DIR: code })).toMatchObject({ code: 0 });
});

test('a command reports a busy database without naming an HTTP header', async () => {
  const code = join(folder, 'busy');
  mkdirSync(code);
  const command = `{
    name: 'wait', description: 'waits', run() { throw new ResourceError('rest_unavailable', { status: 503 }); },
  }`;
  writeFileSync(
    join(code, 'wait.ts'),
    `import { defineExtension, ResourceError } from 'typecase';\nexport default defineExtension({ command: ${command} });\n`,
  );
  const schemas = join(folder, 'things');
  mkdirSync(schemas);
  writeFileSync(
    join(schemas, 'thing.json'),
    '{"name": "thing", "path": "things", "fields": {"title": {"type": "string"}}}',
  );
  expect(await runCommand(['wait'], { ...environment, EXTENSIONS_DIR: code, SCHEMAS_DIR: schemas })).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The database is busy or does not respond. Run the command again.\n'),
  });
});

test.each([
  ['async () => undefined', 'it returned a promise; it must not be async'],
  ["() => { throw new Error('broken'); }", 'broken'],
])('a field type whose `check` is %s is reported by every command', async (check, reason) => {
  const code = mkdtempSync(join(folder, 'types-'));
  const type = `{ name: 'word', description: 'A word.', base: 'string', value: {}, check: ${check} }`;
  writeFileSync(
    join(code, 'word.ts'),
    `import { defineExtension } from 'typecase';\nexport default defineExtension({ fieldType: ${type} });\n`,
  );
  const schemas = mkdtempSync(join(folder, 'words-'));
  writeFileSync(
    join(schemas, 'thing.json'),
    '{"name": "thing", "path": "things", "fields": {"title": {"type": "word", "default": "a"}}, "permissions": "public-read"}',
  );
  const said = await runCommand(['check'], { ...environment, EXTENSIONS_DIR: code, SCHEMAS_DIR: schemas });
  expect(said.code).toBe(1);
  expect(said.errors).toMatch(/^extensions: "check" of the field type "word" \(\S+word\.ts\) threw an error: /);
  expect(said.errors).toContain(reason);
});

test('a listener to an unknown resource is reported', async () => {
  const code = mkdtempSync(join(folder, 'listeners-'));
  writeFileSync(
    join(code, 'hear.ts'),
    `import { defineExtension } from 'typecase';
export default defineExtension({ listener: { name: 'hear', on: ['star.*', '*.deleted', '*', 'sighing.created'], run() {} } });\n`,
  );
  const stars = mkdtempSync(join(folder, 'stars-'));
  for (const name of ['star', 'sighting'])
    writeFileSync(
      join(stars, `${name}.json`),
      `{"name": "${name}", "path": "${name}s", "fields": {"title": {"type": "string"}}, "permissions": "public-read"}`,
    );
  const said = await runCommand(['check'], { ...environment, EXTENSIONS_DIR: code, SCHEMAS_DIR: stars });
  expect(said).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /^\S+hear\.ts:2:\d+: listener\.on: there is no resource "sighing" \(did you mean "sighting"\?\)\n$/,
    ),
  });
});
