// The files of docker/ name only existing files, versions and settings.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config/config.js';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const dockerfile = read('docker/Dockerfile');
const compose = read('docker/compose.yaml');
const manifest = JSON.parse(read('package.json')) as { engines: { node: string }; scripts: Record<string, string> };

const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '));

test('copied files exist, and the ignore file does not exclude them', () => {
  const through = read('docker/Dockerfile.dockerignore').split('\n').filter(Boolean);
  expect(copied.length).toBeGreaterThan(5);
  for (const source of copied) {
    expect(existsSync(new URL(`../../${source}`, import.meta.url))).toBe(true);
    expect(through).toContain(`!${source.replace(/^\.\//, '')}`);
  }
});

test('both stages use the same Node, which package.json allows', () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(images).size).toBe(1);
  const [, major] = /^node:(\d+)-/.exec(images[0]!)!;
  expect(manifest.engines.node).toMatch(new RegExp(`(^|\\D)${major}\\.`));
});

test('the scripts that are run exist', () => {
  for (const [, script] of dockerfile.matchAll(/npm run (\w+)/g)) expect(manifest.scripts).toHaveProperty(script!);
});

test('settings are those of the configuration', () => {
  const known = read('docs/configuration.md');
  const named = [...compose.matchAll(/^ {2,6}([A-Z_]+):/gm)].map(([, name]) => name!);
  const own = named.filter((name) => !/^(MYSQL|POSTGRES)_/.test(name));
  expect(own).toEqual(expect.arrayContaining(['DATABASE_URL', 'PUBLIC_URL', 'ADMIN_PASSWORD', 'TOKEN_SECRET']));
  for (const name of own) expect(known).toContain(`\`${name}\``);
});

test('the image follows the recommendations for Docker images', () => {
  const lines = dockerfile.replaceAll(/\\\n/g, ' ').split('\n');
  const said = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const known = 'ARG CMD COPY ENV EXPOSE FROM HEALTHCHECK RUN USER VOLUME WORKDIR'.split(' ');
  const others = lines.filter((line) => /^[A-Z]/.test(line) && !known.includes(line.split(' ')[0]!));
  expect(others).toEqual([]);
  // A version, and none that moves with time to another one.
  for (const from of said('FROM')) expect(from).toMatch(/^node:\d+-[a-z]+-slim( AS \w+)?$/);
  for (const folder of said('WORKDIR')) expect(folder).toMatch(/^\//);
  // Without root, and what is written to belongs to the user.
  expect(said('USER')).toEqual(['node']);
  expect(lines.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
    lines.findIndex((line) => line.startsWith('VOLUME')),
  );
  expect(dockerfile).toContain('mkdir data && chown node:node data');
  // Packages as the lock file says, installed before the sources change.
  expect(said('RUN')[0]).toContain('npm ci ');
  expect(lines.findIndex((line) => line.includes('npm ci'))).toBeLessThan(lines.indexOf('COPY src ./src'));
  expect(dockerfile).not.toMatch(/PASSWORD=|SECRET=|TOKEN=/);
  // Signals reach the program: no shell around it.
  expect(JSON.parse(said('CMD').at(-1)!)).toEqual(['node', 'dist/main.js']);
  const port = /PORT=(\d+)/.exec(said('ENV').join(' '))![1];
  expect(said('EXPOSE')).toEqual([port]);
});

test('the image contains the files that the program reads besides its modules', () => {
  const image = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
  for (const path of ['package.json', 'roles.json', 'docs/resource.schema.json', 'schemas', 'examples/sample'])
    expect(image).toMatch(new RegExp(`^COPY .*\\b${path.replaceAll('.', '\\.')}`, 'm'));
});

describe('compose.yaml', () => {
  const withDefaults = (text: string) => {
    for (let before = ''; before !== text;) {
      before = text;
      text = text.replaceAll(/\$\{\w+:-([^${}]*)\}/g, '$1');
    }
    return text;
  };
  const services = Object.fromEntries(
    [
      ...compose
        .split(/^volumes:$/m)[0]!
        .split(/^services:$/m)[1]!
        .matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n|\n)+)/gm),
    ].map(([, name, text]) => [name!, withDefaults(text!)]),
  );
  const shared = withDefaults(/^x-environment:[^]*?(?=^\S*services:)/m.exec(compose)![0]);
  const variables = (text: string) =>
    Object.fromEntries([...text.matchAll(/^ +([A-Z][A-Z_]+): (.*)$/gm)].map(([, name, value]) => [name!, value!]));
  const servers = Object.entries(services).filter(([, text]) => text.includes('<<: *server'));

  test('has settings that the program accepts', () => {
    expect(servers.map(([name]) => name)).toEqual(['server', 'server-postgres']);
    for (const [, text] of servers) {
      const config = readConfig({ ...variables(shared), ...variables(text) }, false);
      expect(text).toContain(`${new URL(config.publicUrl).port}:3000`);
      // The name of the service is the host, and it is waited for there.
      const host = new URL(config.database.url).hostname;
      expect(Object.keys(services)).toContain(host);
      expect(text).toContain(`depends_on: [${host}]`);
    }
  });

  test('stores the data in a volume, and gives a stop more time than the program takes', () => {
    const volume = /^VOLUME (\S+)$/m.exec(dockerfile)![1];
    for (const [, text] of servers) expect(text).toContain(`:${volume}']`);
    const named = [...compose.matchAll(/volumes: \['([\w-]+):/g)].map(([, name]) => name!);
    const declared = [...compose.split(/^volumes:$/m)[1]!.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name!);
    expect([...new Set(named)].sort()).toEqual(declared.sort());
    const grace = Number(/stop_grace_period: (\d+)s/.exec(compose)![1]) * 1000;
    expect(grace).toBeGreaterThan(readConfig({}, false).timeouts.shutdown);
  });

  test('restricts the rights of the servers', () => {
    for (const line of ['read_only: true', 'cap_drop: [ALL]', "security_opt: ['no-new-privileges:true']", 'init: true'])
      expect(compose.split('x-environment')[0]).toContain(`  ${line}\n`);
    for (const [, text] of servers) expect(text).toMatch(/ports: \['127\.0\.0\.1:/);
  });
});

test('services that run together have different ports', () => {
  const ports = [...compose.matchAll(/^ {4}ports: \['(.+)'\]$/gm)].map(([, port]) => port);
  expect(ports).toHaveLength(2);
  expect(new Set(ports.map((port) => /:-(\d+)\}:\d+$/.exec(port!)![1])).size).toBe(2);
});
