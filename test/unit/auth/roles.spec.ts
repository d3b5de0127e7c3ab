import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadRoles } from '../../../src/auth/roles.js';
import { StartupError } from '../../../src/errors/problem.js';

const folder = mkdtempSync(join(tmpdir(), 'typecase-roles-'));

function problemsOf(text: string | Buffer): string[] {
  const file = join(folder, 'roles.json');
  writeFileSync(file, text);
  try {
    loadRoles(file);
    return [];
  } catch (error) {
    return (error as StartupError).problems.map(({ path, message }) => `${path ?? ''}: ${message}`);
  }
}

describe('the shipped roles', () => {
  const roles = loadRoles('roles.json');

  it.each([
    ['administrator', 'update_core', 'subscriber', 59 + 1],
    ['editor', 'unfiltered_html', 'list_users', 34 + 1],
    ['author', 'upload_files', 'edit_others_posts', 10 + 1],
    ['contributor', 'edit_posts', 'publish_posts', 5 + 1],
    ['subscriber', 'level_0', 'level_1', 2 + 1],
  ])('%s has %s and not %s', (name, has, hasNot, size) => {
    const capabilities = roles.capabilitiesOf([name]);
    expect([capabilities.has(has), capabilities.has(hasNot), capabilities.has(name)]).toEqual([true, false, true]);
    expect(capabilities.size).toBe(size);
  });

  it('are combined without duplicates', () => {
    const both = roles.capabilitiesOf(['subscriber', 'author']);
    expect([both.has('author'), both.has('subscriber'), both.has('level_2')]).toEqual([true, true, true]);
    expect(roles.capabilitiesOf(['subscriber', 'author'])).toBe(both);
  });

  it('without a definition grant nothing', () => {
    expect(roles.capabilitiesOf(['wizard', '__proto__']).size).toBe(0);
    expect([roles.has('wizard'), roles.has('constructor'), roles.has('editor')]).toEqual([false, false, true]);
    expect([...roles.capabilitiesOf(['wizard', 'subscriber'])]).toEqual([...roles.capabilitiesOf(['subscriber'])]);
  });
});

describe('a file of roles', () => {
  const role = { label: 'Chief', capabilities: ['lend'] };
  it.each([
    ['nothing wrong', { firstAccount: 'chief', roles: { chief: role } }, []],
    ['no roles', { firstAccount: 'chief', roles: {} }, ['roles: there must', 'firstAccount: must name a role']],
    ['an unknown role first', { firstAccount: 'boss', roles: { chief: role } }, ['firstAccount: must be one of chief']],
    [
      'unknown keys',
      { firstAccount: 'chief', role: 1, roles: { chief: { ...role, caps: [] } } },
      ['role: unknown', 'roles.chief.caps: unknown'],
    ],
    ['a list', [], [': must be an object', 'roles: must be', 'roles: there', 'firstAccount: must']],
    [
      'no capabilities',
      { firstAccount: 'chief', roles: { chief: { label: 'x' } } },
      ['roles.chief.capabilities: must be'],
    ],
    [
      'bad capabilities',
      { firstAccount: 'chief', roles: { chief: { capabilities: ['lend', 'Lend', 5, 'lend'] } } },
      ['roles.chief.capabilities.1', 'roles.chief.capabilities.2', 'roles.chief.capabilities.3: "lend" stands'],
    ],
    ['a bad name', { firstAccount: 'Chief', roles: { Chief: role } }, ['roles.Chief: a role is named']],
    [
      'a role named like a capability, once however many have it',
      { firstAccount: 'lend', roles: { lend: role, other: role } },
      ['roles.lend: a role cannot'],
    ],
  ])('with %s', (_, written, expected) => {
    const problems = problemsOf(JSON.stringify(written));
    expect(problems).toHaveLength(expected.length);
    expected.forEach((start, at) => expect(problems[at]).toContain(start));
  });

  it('is refused when it is missing or not JSON', () => {
    expect(problemsOf('{')[0]).toContain('not JSON');
    expect(() => loadRoles(join(folder, 'none.json'))).toThrow(StartupError);
  });

  it('must be UTF-8, with or without a byte order mark', () => {
    const text = JSON.stringify({ firstAccount: 'chief', roles: { chief: { ...role, label: 'K\u00F6nig' } } });
    expect(problemsOf(`\uFEFF${text}`)).toEqual([]);
    expect(problemsOf(Buffer.from(text, 'latin1'))).toEqual([': the file is not in UTF-8']);
  });
});
