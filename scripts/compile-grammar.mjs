// `node scripts/compile-grammar.mjs <dist>`: writes the code that validates schema files into a build, so that starts
// need not generate it.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Writes the code into the folder of a build. */
export async function compileGrammar(dist) {
  const from = (module) => import(pathToFileURL(resolve(dist, module)).href);
  const { registries } = await from('schema/compile-site.js');
  const { COMPILED_GRAMMAR, grammarValidatorCode } = await from('schema/grammar/grammar-validator.js');
  writeFileSync(resolve(dist, 'schema/grammar', COMPILED_GRAMMAR), await grammarValidatorCode(registries()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileGrammar(process.argv[2] ?? 'dist');
