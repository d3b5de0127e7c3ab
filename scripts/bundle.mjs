// `node scripts/bundle.mjs <modules> <dist>`: bundles compiled modules into a few files, because finding and compiling
// 800 modules takes a third of the time of a start. The last step of every build.
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The scripts and styles of the pages, served as they are. */
export const ASSETS = 'http/browse/assets';
/** Entry files: programs, and the module that other programs import. */
const ENTRIES = ['main.js', 'cli.js', 'index.js'];
/** Entry files of threads. */
const WORKERS = ['text/pool/text-worker.js', 'files/recordings/recording-worker.js'];
/** Milliseconds for which chunks of earlier builds remain, because running programs import them on demand. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** The URL of a module or script beside a module. */
const MODULE_URL = /new URL\('(\.[^']*\.[cm]?js)', import\.meta\.url\)/g;

const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Extensions, and sites that embed the server, import the same packages.
  packages: 'external',
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'silent',
};

/** Writes a bundle of the modules in the folder `compiled` to the folder `dist`. Throws when a file is missing there. */
export async function bundle(compiled, dist) {
  // esbuild names files by their real paths.
  const modules = realpathSync(compiled);
  const entryPoints = (names) => names.map((name) => join(modules, name));
  // Makes the names of modules and chunks independent of the location of the modules.
  const options = { ...OPTIONS, absWorkingDir: modules, outdir: dist };
  const results = [
    // Chunks contain the common code, so that programs and extensions share each class. Rarely needed code is in
    // separate chunks.
    await build({
      ...options,
      entryPoints: entryPoints(ENTRIES),
      splitting: true,
      plugins: [withModuleUrls(modules)],
    }),
    await build({ ...options, entryPoints: entryPoints(WORKERS), outbase: modules }),
  ];
  const warnings = results.flatMap((result) => result.warnings);
  if (warnings.length > 0) throw new Error(JSON.stringify(warnings));
  for (const name of filesBelow(modules))
    if (/\.[cm]js$/.test(name) || name.startsWith(`${ASSETS}/`)) cpSync(join(modules, name), join(dist, name));
  requireFiles(modules, dist);
  removeEarlier(
    dist,
    new Set(results.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((path) => resolve(modules, path)))),
  );
}

/** Keeps the URLs of modules, by which they find files, when they become parts of chunks at the top of `dist`. */
function withModuleUrls(modules) {
  return {
    name: 'module-urls',
    setup({ onLoad }) {
      onLoad({ filter: /\.m?js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const name = path
          .slice(modules.length + 1)
          .split(sep)
          .join('/');
        return { contents: text.replaceAll('import.meta.url', `new URL('./${name}', import.meta.url).href`) };
      });
    },
  };
}

/** Throws unless `dist` contains every file that a module locates relative to its URL. */
function requireFiles(modules, dist) {
  for (const name of filesBelow(modules).filter((each) => each.endsWith('.js')))
    for (const [, file] of readFileSync(join(modules, name), 'utf8').matchAll(MODULE_URL))
      if (!existsSync(resolve(dist, dirname(name), file)))
        throw new Error(`${name} starts ${file}, which is not in dist/: see WORKERS of scripts/bundle.mjs.`);
}

function removeEarlier(dist, written) {
  for (const name of readdirSync(dist)) {
    const path = join(dist, name);
    const { mtimeMs } = statSync(path);
    if (/\.js(\.map)?$/.test(name) && !written.has(path) && mtimeMs < Date.now() - MAX_AGE_MS) rmSync(path);
  }
}

/** Names of all files, with forward slashes. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundle(resolve(process.argv[2]), resolve(process.argv[3]));
