// The module that the command `types` makes: compiled with strict settings, and loaded.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { moduleText } from '../../src/cli/types/module-text.js';
import { compileSite } from '../../src/schema/compile-site.js';
import { ROOT } from './built-program.js';

/** The module of a folder of schemas. */
export function typedModule(schemas: string): string {
  return moduleText(compileSite(schemas), 'cms/v2');
}

/** The strictest settings of users, without the types of Node, as in browsers. */
export const BROWSER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Parsed declarations of the language, the browser and Node, shared by programs of one target. */
const libraries = new Map<string, ts.SourceFile>();

/** Compiler errors of files, which need not exist on disk: text by path below the repository. */
export function compilerErrors(files: Readonly<Record<string, string>>, options: ts.CompilerOptions): string[] {
  const texts = new Map(Object.entries(files).map(([name, text]) => [resolve(ROOT, name), text]));
  const host = ts.createCompilerHost(options, true);
  const { readFile, fileExists, getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    const shared = !texts.has(path) && options.target === BROWSER.target;
    const source = (shared && libraries.get(path)) || getSourceFile(path, ...rest);
    if (shared && source) libraries.set(path, source);
    return source;
  };
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  const program = ts.createProgram([...texts.keys()], options, host);
  const found = [...texts.keys()].flatMap((path) => {
    const source = program.getSourceFile(path)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return [...program.getOptionsDiagnostics(), ...found].map(({ file, start = 0, messageText }) => {
    const line = file
      ? `${file.fileName.slice(ROOT.length)}:${file.getLineAndCharacterOfPosition(start).line + 1} `
      : '';
    return `${line}${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

const RUNNABLE = { noEmit: false, module: ts.ModuleKind.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler };

/** Evaluates TypeScript modules that may import each other: text by name without ending, and exports by name. */
export async function evaluate(modules: Readonly<Record<string, string>>): Promise<Record<string, any>> {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-client-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const [name, text] of Object.entries(modules)) {
      const { outputText } = ts.transpileModule(text, { compilerOptions: { ...BROWSER, ...RUNNABLE } });
      writeFileSync(join(folder, `${name}.js`), outputText);
    }
    const names = Object.keys(modules);
    const loaded = await Promise.all(names.map((name) => import(pathToFileURL(join(folder, `${name}.js`)).href)));
    return Object.fromEntries(names.map((name, at) => [name, loaded[at]]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
