// The package: what is in it, and that an empty folder with it serves sites, type-checks and embeds as the documents say.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import ts from 'typescript';
import { emitTypes } from '../../scripts/emit-types.mjs';
import { Command } from 'commander';
import { loadRoles } from '../../src/auth/roles.js';
import { initCommand } from '../../src/cli/init.command.js';
import { compileSite, siteWarnings } from '../../src/schema/compile-site.js';
import { basic } from '../support/actors.js';
import { CHEAP_HASHES } from '../support/start-test-site.js';
import { freePort, ROOT, run, shippedProgram, type Running } from '../support/built-program.js';
import { sender } from '../support/send.js';
import { until } from '../support/server-process.js';

const folder = mkdtempSync(join(tmpdir(), 'typecase-package-'));
const site = join(folder, 'site');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const PASSWORD = 'correct horse battery';
const ENVIRONMENT = { ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn', LOG_FORMAT: 'json', ...CHEAP_HASHES };
const CLI = join(site, 'node_modules/.bin/typecase');
let packed: string[];

// The build of the suite in place of the one of `prepack`, which takes half a minute of processor time.
beforeAll(() => {
  const stage = join(folder, 'stage');
  const beside = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'roles.json', 'schemas', 'examples', 'docs'];
  for (const name of beside) cpSync(join(ROOT, name), join(stage, name), { recursive: true });
  cpSync(shippedProgram(), join(stage, 'dist'), { recursive: true });
  writeFileSync(join(stage, 'dist/cli.js.map'), '');
  mkdirSync(join(stage, 'test'));
  writeFileSync(join(stage, 'test/some.spec.ts'), '');
  emitTypes(join(stage, 'dist'));
  const pack = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder];
  const output = execFileSync('npm', pack, { cwd: stage, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ filename, files }] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  install(join(folder, filename));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `npm install <tarball>` leaves, with the dependencies that package.json names and no others. */
function install(tarball: string): void {
  const modules = join(site, 'node_modules');
  mkdirSync(join(modules, 'typecase'), { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', join(modules, 'typecase'), '--strip-components=1']);
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../typecase/dist/cli.js', CLI);
}

/** The code blocks of a document that begin with the name of a file. */
function filesIn(document: string): Record<string, string> {
  const blocks = readFileSync(join(ROOT, document), 'utf8').matchAll(/^```ts\n\/\/ (\S+\.ts)\n([^]*?)^```$/gm);
  return Object.fromEntries([...blocks].map(([, name, text]) => [name!, text!]));
}

/** Uses a program once it returns 200 at `ready`; ends it afterwards. */
async function serving<T>(program: Running, port: number, ready: string, use: () => Promise<T>): Promise<T> {
  let over = false;
  void program.exited.then(() => (over = true));
  const send = sender(port, '');
  try {
    const responses = () =>
      send('GET', ready).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(async () => over || (await responses()), Boolean);
    if (over) throw new Error(program.output());
    return await use();
  } finally {
    await program.kill('SIGTERM');
  }
}

describe('the tarball', () => {
  test('contains the program, its types and its data, and no development files', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'dist/cli.js',
        'dist/main.js',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/schema/grammar/compiled-grammar.cjs',
        'dist/storage/sqlite/statement-runner.mjs',
        'dist/http/browse/assets/style.css',
        'docs/resource.schema.json',
        'examples/starter/gitignore',
        'schemas/post.json',
        'roles.json',
        'LICENSE',
        'README.md',
        'CHANGELOG.md',
      ]),
    );
    const wanted = /^(dist\/.*\.(js|mjs|cjs|d\.ts|css|svg)|schemas\/.*\.json|examples\/(starter|sample)\/.*)$/;
    const single = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'roles.json', 'docs/resource.schema.json'];
    expect(packed.filter((path) => !wanted.test(path) && !single.includes(path))).toEqual([]);
    expect(packed.filter((path) => path.includes('.spec.'))).toEqual([]);
  });

  test('contains every source file besides modules', () => {
    const other = execFileSync('git', ['ls-files', 'src'], { cwd: ROOT, encoding: 'utf8' })
      .split('\n')
      .filter((name) => name !== '' && !name.endsWith('.ts'));
    expect(other.map((name) => name.replace(/^src/, 'dist')).filter((name) => !packed.includes(name))).toEqual([]);
  });
});

describe('an empty folder with the package', () => {
  test('gets the files of a site, which pass check; existing files are kept', async () => {
    const first = await run(CLI, ['init'], {}, site).ended;
    expect([first.code, first.output]).toEqual([0, expect.stringMatching(/^written {2}schemas\/note\.json\n/)]);
    expect(first.output).toMatch(/\n\nNext: npx typecase serve\n$/);
    for (const name of ['schemas/topic.json', 'roles.json', 'package.json', '.gitignore', 'README.md'])
      expect(existsSync(join(site, name))).toBe(true);
    const { $schema } = JSON.parse(readFileSync(join(site, 'schemas/note.json'), 'utf8'));
    expect(existsSync(join(site, 'schemas', $schema))).toBe(true);
    expect(readFileSync(join(site, 'README.md'), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(10);
    writeFileSync(join(site, 'README.md'), 'mine');
    rmSync(join(site, 'schemas/topic.json'));
    // What is kept does not depend on where the program is.
    const program = new Command();
    initCommand(program);
    await program.parseAsync(['node', 'typecase', 'init', site]);
    expect(readFileSync(join(site, 'README.md'), 'utf8')).toBe('mine');
    expect(existsSync(join(site, 'schemas/topic.json'))).toBe(false);
    cpSync(join(ROOT, 'examples/starter/schemas/topic.json'), join(site, 'schemas/topic.json'));
    const roles = loadRoles(join(site, 'roles.json'));
    expect(siteWarnings(join(site, 'schemas'), roles.capabilitiesOf(roles.names()))).toEqual([]);
  });

  test('serves its own schemas', async () => {
    const port = await freePort();
    const program = run(CLI, ['serve'], { ...ENVIRONMENT, PORT: String(port) }, site);
    const made = await serving(program, port, '/readyz', () =>
      sender(port, '/cms/v2')('POST', '/notes', {
        as: basic('admin', PASSWORD),
        body: { title: 'First' },
        status: 201,
      }),
    );
    expect(made.body).toMatchObject({ title: 'First', slug: 'first', private: false });
    expect(existsSync(join(site, 'data/typecase.sqlite'))).toBe(true);
  });

  test('gets the schemas of the program, in a separate folder', async () => {
    const { output } = await run(CLI, ['init', 'blog', '--content'], {}, site).ended;
    expect(output).toContain('written  schemas/post.json');
    expect(output).toContain('Next: cd blog && npm install && npx typecase serve');
    expect([...compileSite(join(site, 'blog/schemas')).byName.keys()].length).toBe(18);
  });

  test('prints its commands as they are called there', async () => {
    const { code, output } = await run(CLI, ['check', 'nowhere'], {}, site).ended;
    expect([code, output]).toEqual([1, expect.stringContaining('`npx typecase new <resource>` writes a first file')]);
  });
});

describe('docs/embedding.md', () => {
  const examples = filesIn('docs/embedding.md');
  beforeAll(() => {
    for (const [name, text] of Object.entries(examples)) {
      writeFileSync(join(site, name), text);
      const parser = { syntax: 'typescript', decorators: true } as const;
      const transform = { legacyDecorator: true, decoratorMetadata: true };
      const { code } = transformSync(text, {
        filename: name,
        jsc: { target: 'es2022', parser, transform },
        module: { type: 'es6' },
      });
      writeFileSync(join(site, name.replace(/ts$/, 'js')), code);
    }
  });

  test('compiles strictly, including the types of the package', () => {
    expect(Object.keys(examples)).toEqual(['main.ts', 'announcements.ts', 'two-sites.ts', 'alone.ts']);
    expect(examples['main.ts']!.trim().split('\n').length).toBeLessThan(20);
    const { options } = ts.convertCompilerOptionsFromJson(
      {
        target: 'ES2022',
        module: 'NodeNext',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noImplicitOverride: true,
        noPropertyAccessFromIndexSignature: true,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
        noEmit: true,
      },
      site,
    );
    const program = ts.createProgram(
      Object.keys(examples).map((name) => join(site, name)),
      options,
    );
    const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(site));
    expect(own.map(({ fileName }) => fileName)).toContain(join(site, 'node_modules/typecase/dist/index.d.ts'));
    const problems = own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]);
    const shown = problems.map(
      ({ file, messageText }) => `${file!.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
    expect(shown).toEqual([]);
  });

  test('works with a host, with its hooks', async () => {
    const port = await freePort();
    const calls = `
      const announcements = app.get(Announcements);
      await announcements.remind('Water the plants');
      await announcements.remind('test').catch((error) => console.log('refused: ' + error.message));
    `;
    writeFileSync(join(site, 'calls.js'), readFileSync(join(site, 'main.js'), 'utf8') + calls);
    const program = run(join(site, 'calls.js'), [], { PORT: String(port) }, site);
    const made = await serving(program, port, '/content/readyz', async () => {
      await until(
        () => program.output(),
        (text) => text.includes('refused: '),
      );
      return sender(port, '/content/cms/v2')('POST', '/notes', { body: { title: 'x' } });
    });
    expect(made.status).toBe(401);
    const output = program.output();
    expect(output).toContain('Nest application successfully started');
    expect(output).not.toContain('Mapped {');
    const printed = output.replaceAll(/^\{"level".*\n/gm, '');
    expect(printed).toContain('made: Water the plants by account 0\nnote 1 of 1\nrefused: Say what it is.');
  });

  test('works without a host', async () => {
    const port = await freePort();
    const program = run(join(site, 'alone.js'), [], { PORT: String(port) }, site);
    await serving(program, port, '/cms/v2/notes', async () => undefined);
    expect(program.output()).toMatch(/^[A-Za-z2-9]{20}\n/);
  });
});
