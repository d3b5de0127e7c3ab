// Lets a child process run src/ without a build: TypeScript goes through swc. Registered by killed-child.mjs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

export async function resolve(specifier, context, next) {
  const source = specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.includes('/src/');
  if (source) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(fileURLToPath(url))) return { url: url.href, shortCircuit: true };
  }
  return next(specifier, context);
}

// What was transformed once serves every child.
const kept = join(tmpdir(), 'typecase-test-modules');
mkdirSync(kept, { recursive: true });

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const file = join(kept, createHash('sha256').update(text).digest('hex'));
  if (!existsSync(file)) {
    writeFileSync(`${file}.${process.pid}`, transformed(text));
    renameSync(`${file}.${process.pid}`, file);
  }
  return { format: 'module', source: readFileSync(file, 'utf8'), shortCircuit: true };
}

function transformed(text) {
  const parser = { syntax: 'typescript', decorators: true };
  const transform = { legacyDecorator: true, decoratorMetadata: true };
  return transformSync(text, { jsc: { target: 'es2022', parser, transform }, module: { type: 'es6' } }).code;
}
