// The files of docker/ name only what is there: sources of COPY, versions, settings.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const dockerfile = read('docker/Dockerfile');
const compose = read('docker/compose.yaml');
const manifest = JSON.parse(read('package.json')) as { engines: { node: string }; scripts: Record<string, string> };

const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '));

test('what is copied is there, and let through by the ignore file', () => {
  const through = read('docker/Dockerfile.dockerignore').split('\n').filter(Boolean);
  expect(copied.length).toBeGreaterThan(5);
  for (const source of copied) {
    expect(existsSync(new URL(`../../${source}`, import.meta.url))).toBe(true);
    expect(through).toContain(`!${source.replace(/^\.\//, '')}`);
  }
});

test('both stages have one Node, which package.json allows', () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(images).size).toBe(1);
  const [, major] = /^node:(\d+)-/.exec(images[0]!)!;
  expect(manifest.engines.node).toMatch(new RegExp(`(^|\\D)${major}\\.`));
});

test('scripts that are run exist', () => {
  for (const [, script] of dockerfile.matchAll(/npm run (\w+)/g)) expect(manifest.scripts).toHaveProperty(script!);
});

test('settings are those of the configuration', () => {
  const known = read('docs/configuration.md');
  const named = [...compose.matchAll(/^ {2,6}([A-Z_]+):/gm)].map(([, name]) => name!);
  const own = named.filter((name) => !/^(MYSQL|POSTGRES)_/.test(name));
  expect(own).toEqual(expect.arrayContaining(['DATABASE_URL', 'PUBLIC_URL', 'ADMIN_PASSWORD', 'TOKEN_SECRET']));
  for (const name of own) expect(known).toContain(`\`${name}\``);
});

test('services that run together have ports of their own', () => {
  const ports = [...compose.matchAll(/^ {4}ports: \['(.+)'\]$/gm)].map(([, port]) => port);
  expect(ports).toHaveLength(2);
  expect(new Set(ports.map((port) => /:-(\d+)\}:\d+$/.exec(port!)![1])).size).toBe(2);
});
