// The image of docker/Dockerfile without Docker: the files that it copies, its command, its health check, its stop.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ROOT, run, shippedProgram } from '../support/built-program.js';
import { until } from '../support/server-process.js';

const dockerfile = readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8').replaceAll(/\\\n/g, ' ');
const image = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
const app = mkdtempSync(join(tmpdir(), 'typecase-image-'));
const environment = Object.fromEntries(
  /^ENV (.*)$/m
    .exec(image)![1]!
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);
const command: string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(image)![1]!);
const health: string[] = JSON.parse(/HEALTHCHECK .*?CMD (\[.*\])/.exec(image)![1]!);

beforeAll(() => {
  symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'));
  cpSync(shippedProgram(), join(app, 'dist'), { recursive: true });
  for (const [, sources, target] of image.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)) {
    const paths = sources!.split(' ');
    for (const path of paths) {
      const into = paths.length > 1 || target!.endsWith('/') ? join(app, target!, path) : join(app, target!);
      cpSync(join(ROOT, path), into, { recursive: true });
    }
  }
  mkdirSync(join(app, 'data'));
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

test('the image serves, reports its health, and stops cleanly', async () => {
  const port = await freePort();
  // Tests listen on the loopback address alone.
  const env = { ...environment, HOST: '127.0.0.1', PORT: String(port), ADMIN_PASSWORD: 'correct horse battery' };
  const healthy = () => {
    expect(health[0]).toBe('node');
    return spawnSync(process.execPath, health.slice(1), { env: { ...env, PATH: '' }, cwd: app }).status;
  };
  expect(healthy()).toBe(1);
  expect(command[0]).toBe('node');
  const server = run(join(app, command[1]!), command.slice(2), env, app);
  await until(
    () => server.output(),
    (text) => text.includes('Try '),
  );
  expect(healthy()).toBe(0);
  // Production: logs for machines.
  expect((await fetch(`http://127.0.0.1:${port}/cms/v2/posts`)).status).toBe(200);
  expect(existsSync(join(app, 'data/typecase.sqlite'))).toBe(true);
  const { code, output } = await server.kill('SIGTERM');
  expect(code).toBe(0);
  expect(output).toMatch(/^\{"level":30.*"path":"\/cms\/v2\/posts"/m);
  // What messages name as next command exists in the image.
  expect(output).toContain('node dist/main.js --sample');
});
