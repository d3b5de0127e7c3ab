// The built program as a few files instead of some two thousand, because short processes spend most of their time
// finding and compiling modules. One file contains the modules of src/ and of most packages, another one the V8 code
// cache. Modules, their order and behaviour are those of the build; programs of the bundle are started, and locate
// their files, like those of the build.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Modules that programs and scripts of tests may load, without `.js`. */
const MODULES = [
  'main',
  'cli',
  'cli/migrate.command',
  'storage/open-store',
  'storage/migrate-store',
  'storage/sqlite/writer',
  'storage/mysql/session',
  'storage/postgres/session',
];
/** The modules that are programs. */
const PROGRAMS = ['main', 'cli'];

/**
 * Packages that are not bundled: with native code, with files that they locate by their own URL, with state that other
 * packages access, and rarely used ones.
 */
const EXTERNAL = [
  '@node-rs/argon2',
  'better-sqlite3',
  'libsql',
  'sharp',
  'jiti',
  'pino-pretty',
  'piscina',
  'swagger-ui-dist',
  'class-transformer',
  'class-validator',
  '@aws-sdk/*',
  '@opentelemetry/exporter-*',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-*',
];

/** Optional packages of Nest and TypeORM that are not installed. */
const NOT_INSTALLED = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@fastify/*',
  '@google-cloud/spanner',
  '@sap/*',
  'hdb-pool',
  'mongodb',
  'mssql',
  'mysql',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'react-native-sqlite-storage',
  'redis',
  'sql.js',
  'sqlite3',
  'typeorm-aurora-data-api-driver',
];

/** Starts the bundle as most suites do, and ends it. */
const USE_SCRIPT = fileURLToPath(new URL('use-bundle.mjs', import.meta.url));

/** Timeout of `USE_SCRIPT`, in milliseconds. */
const TIMEOUT_MS = 120_000;

interface Change {
  file: string;
  from: string;
  to: string;
}

/**
 * Changes for code that would behave differently in a bundle: top-level await, and imports that esbuild does not
 * detect.
 */
const CHANGES: Change[] = [
  { file: 'http/response/etag.js', from: 'await xxhash()', to: 'globalThis.xxhashOfBundle' },
  {
    file: 'schema/grammar/grammar-validator.js',
    from: 'createRequire(import.meta.url)(COMPILED_GRAMMAR)',
    to: "require('./compiled-grammar.cjs')",
  },
  { file: 'text/sanitize-html.js', from: 'createRequire(import.meta.url)', to: 'require' },
  { file: 'text/transliterate.js', from: 'createRequire(import.meta.url)', to: 'require' },
  ...PROGRAMS.map((name) => ({ file: `${name}.js`, ...startChange() })),
];

/** A program awaits its own end, which only the entry file can do. */
function startChange(): Pick<Change, 'from' | 'to'> {
  const isStarted = 'process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href';
  return { from: `if (${isStarted}) await run(`, to: `export const ended = ${isStarted} && run(` };
}

/** The URL of a module, also where the bundle was moved. Packages look for others from where they are: the bundle is below the same folder. */
const MODULE_URL = `
const bundledModuleUrl = (name) => require('node:url').pathToFileURL(require('node:path').join(__dirname, name)).href;
const bundleUrl = bundledModuleUrl('bundle.cjs');
`;

/**
 * Imports of modules outside of the bundle. Code from a code cache cannot use import(): load-bundle.mjs provides it.
 */
const IMPORTS = /\bimport\((?="|packageName|defaultPlatform)/g;

/** Makes a bundle of the build in `program` in the folder `to`, which does not exist. */
export function bundleProgram(program: string, to: string): void {
  const dist = join(to, 'dist');
  for (const name of ['dist', 'examples', 'package.json'])
    cpSync(join(program, name), join(to, name), { recursive: true });
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (/\.m?js$/.test(name) && !name.includes('assets/')) {
      const text = applyChanges(name, readFileSync(join(dist, name), 'utf8'));
      writeFileSync(join(dist, name), text);
    }
  const entry = MODULES.map((name) => `${JSON.stringify(name)}: () => require('./${name}.js')`).join(',\n');
  const { warnings } = buildSync({
    stdin: { contents: `module.exports = {\n${entry}\n};\n`, resolveDir: dist },
    outfile: join(to, 'bundle.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Nest distinguishes classes by their names.
    keepNames: true,
    external: [...EXTERNAL, ...NOT_INSTALLED],
    // Its UMD build requires modules by computed names.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    banner: { js: MODULE_URL },
    define: { 'import.meta.url': 'bundleUrl' },
    legalComments: 'none',
    minifyWhitespace: true,
    logLevel: 'silent',
  });
  if (warnings.length > 0) throw new Error(JSON.stringify(warnings));
  // Threads and child processes start with unbundled modules.
  rmSync(dist, { recursive: true });
  cpSync(join(program, 'dist'), dist, { recursive: true });
  const text = readFileSync(join(to, 'bundle.cjs'), 'utf8');
  rmSync(join(to, 'bundle.cjs'));
  writeFileSync(join(dist, 'bundle.cjs'), escapeToLatin1(text.replaceAll(IMPORTS, 'importOutside(')), 'latin1');
  cpSync(fileURLToPath(new URL('load-bundle.mjs', import.meta.url)), join(dist, 'load-bundle.mjs'));
  for (const name of PROGRAMS) writeFileSync(join(dist, `${name}.js`), programText(name));
  createCodeCache(to);
}

function applyChanges(name: string, text: string): string {
  const changes = CHANGES.filter(({ file }) => file === name);
  const replaced = changes.reduce((so, { from, to }) => {
    if (!so.includes(from)) throw new Error(`${name} has no ${from} any more: CHANGES of bundled-program.ts`);
    return so.replace(from, to);
  }, text);
  return replaced.replaceAll('import.meta.url', `bundledModuleUrl(${JSON.stringify(name)})`).replace(/^#!.*/, '');
}

/**
 * A text of one-byte characters (Latin-1), which is read in an eighth of the time and takes half the memory. Only
 * strings, patterns and raw templates of patterns contain what is escaped.
 */
function escapeToLatin1(text: string): string {
  return text.replaceAll(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function programText(name: string): string {
  return `import { load } from './load-bundle.mjs';\nawait (await load('${name}')).ended;\n`;
}

/** Runs the bundle once to create V8's code cache. */
function createCodeCache(bundled: string): void {
  const { status, output } = spawnSync(process.execPath, [USE_SCRIPT, bundled], {
    env: { CREATE_CODE_CACHE: '1', NODE_NO_WARNINGS: '1' },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  if (status !== 0) throw new Error(`The bundle did not run: ${output.join('')}`);
}
