import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settling, stateOfFiles } from '../../../src/server/watch-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-watch-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the state changes when a watched file is added, saved, renamed or deleted', () => {
  const config = { schemasDir: folder, extensionsDir: join(folder, 'code'), rolesFile: join(folder, 'roles.txt') };
  mkdirSync(join(config.extensionsDir, 'lib'), { recursive: true });
  const seen = new Set([stateOfFiles(config)]);
  const changes = [
    () => writeFileSync(join(folder, 'a.json'), '{}'),
    () => writeFileSync(join(folder, 'a.json'), '{ }'),
    () => renameSync(join(folder, 'a.json'), join(folder, 'b.json')),
    () => rmSync(join(folder, 'b.json')),
    () => writeFileSync(config.rolesFile, '{}'),
    () => writeFileSync(join(config.extensionsDir, 'a.ts'), ''),
    () => writeFileSync(join(config.extensionsDir, 'lib/b.js'), ''),
    () => rmSync(folder, { recursive: true }),
  ];
  const before = seen.size;
  for (const change of changes) {
    change();
    seen.add(stateOfFiles(config));
  }
  // Deleting the only file leads back to the first state.
  expect(seen.size).toBe(before + changes.length - 2);
});

test.each([
  ['once, after it has settled', 'a:0 b:0 c:0 c:1 c:0'],
  ['not when it was taken back', 'b:0 a:0 a:0'],
  ['again when it is followed by another', 'b:0 b:1 a:0 a:1 c:0 c:1'],
])('a change counts %s', (_, looks) => {
  const settling = new Settling('a');
  const found = looks.split(' ').map((look) => `${look[0]}:${settling.hasChanged(look[0]!) ? 1 : 0}`);
  expect(found.join(' ')).toBe(looks);
});
