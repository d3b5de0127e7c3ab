// Lets a child process run src/ without a build: TypeScript goes through swc, once per version of a file. Registered by run-sources.mjs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const OPTIONS = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
};
const kept = join(tmpdir(), 'typecase-sources');
mkdirSync(kept, { recursive: true });

export async function resolve(specifier, context, next) {
  const source = specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts');
  if (source) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(fileURLToPath(url))) return { url: url.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const written = readFileSync(fileURLToPath(url), 'utf8');
  return { format: 'module', source: compiled(written), shortCircuit: true };
}

function compiled(written) {
  const file = join(kept, createHash('sha256').update(written).digest('hex'));
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const { code } = transformSync(written, OPTIONS);
  // Others may be reading it.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, file);
  return code;
}
