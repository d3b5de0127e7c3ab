// Writes the type declarations of `src/index.ts`, and of the modules that these refer to, into a folder (default:
// dist/).
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Throws when a declaration cannot be written. Types are not checked: `npm run typecheck` does that. */
export function emitTypes(target = join(root, 'dist')) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const entry = join(root, 'src/index.ts');
  const settings = { noEmit: false, noCheck: true, declaration: true, emitDeclarationOnly: true, stripInternal: true };
  const program = ts.createProgram([entry], { ...options, ...settings, rootDir: join(root, 'src'), outDir: target });
  const files = new Set([entry]);
  for (const file of files) {
    const write = (name, text) => {
      mkdirSync(dirname(name), { recursive: true });
      writeFileSync(name, text);
      for (const { fileName } of ts.preProcessFile(text).importedFiles)
        if (fileName.startsWith('.')) files.add(join(dirname(file), fileName.replace(/\.js$/, '.ts')));
    };
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`${relative(root, file)} is no source file.`);
    const { diagnostics } = program.emit(source, write, undefined, true);
    for (const each of diagnostics) throw new Error(ts.flattenDiagnosticMessageText(each.messageText, '\n'));
  }
  return [...files].map((file) => relative(join(root, 'src'), file));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) emitTypes(process.argv[2]);
