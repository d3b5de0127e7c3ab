// Errors in extensions are reported at startup, with file and line.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError, formatProblem } from '../../../../src/errors/problem.js';
import { loadExtensions, loadModels } from '../../../../src/server/extensions/load-extensions.js';
import { ROOT } from '../../../support/built-program.js';
import { runCommand } from '../../../support/run-command.js';
import { SETTINGS } from '../../../../src/model/site/site-settings.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-extensions-'));
  mkdirSync(join(folder, 'code'));
  mkdirSync(join(folder, 'schemas'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, 'code', name), text);
const extension = (members: string) => `import { defineExtension } from 'typecase';

export default defineExtension({
  ${members}
});
`;

/** Problems as printed, without the folder. */
async function problemsOf(work: Promise<unknown>): Promise<string[]> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return [];
  if (!(error instanceof StartupError)) throw error;
  return error.problems.map((problem) => formatProblem(problem).replace(/^\S*?code\//, ''));
}

const load = () => loadExtensions(join(folder, 'code'));
const compile = () =>
  loadModels({ extensionsDir: join(folder, 'code'), schemasDir: join(folder, 'schemas'), site: SETTINGS });

test('a folder that does not exist adds nothing', async () => {
  const { additions, jobs, commands, modules } = await loadExtensions(join(folder, 'nowhere'));
  expect([additions.traits.size, jobs.length, commands.length, modules.length]).toEqual([0, 0, 0, 0]);
});

test('other files in the folder are ignored', async () => {
  write('README.md', 'no code');
  write('types.d.ts', 'export type A = string;');
  mkdirSync(join(folder, 'code/lib'));
  write('lib/broken.ts', 'const = 1;');
  expect(await problemsOf(load())).toEqual([]);
});

test.each([
  ['a.ts', 'export default {\n  a: 1,\n  b: ,\n};\n', 'a.ts:3:6 cannot be imported: Unexpected token'],
  ['a.mjs', 'const a = 1;\nthrow new Error("no luck");\n', 'a.mjs:2:1 cannot be imported: no luck'],
  [
    'a.ts',
    "import x from 'no-such-package';\nexport default x;\n",
    "a.ts:1:1 cannot be imported: Cannot find module 'no-such-package'",
  ],
  [
    'a.js',
    'export default { trait: {} };\n',
    'a.js:1:1 the default export is not made by defineExtension({ … }) (docs/extensions.md)',
  ],
])('%s that cannot be imported', async (name, text, problem) => {
  write(name, text);
  expect(await problemsOf(load())).toEqual([problem.replace(/^(\S+) /, '$1: ')]);
});

const RUN = 'run() {}';
test.each([
  ['hook: {}', 'an extension has no member "hook" (did you mean "hooks"?)', 3],
  [
    "trait: { name: 'Bad', description: '' }",
    '"trait" needs a name: letters, digits, _ and -, beginning with a lower-case letter',
    3,
  ],
  [
    "trait: { name: 'published', description: '' }",
    'trait "published": the engine has one of this name (choose another name)',
    4,
  ],
  [
    "trait: [{ name: 'a1', description: '' }, { name: 'a1', description: '' }]",
    'trait "a1" is defined twice (another extension has it too)',
    4,
  ],
  [
    "fieldType: { name: 'isbn', description: '', base: 'strng' }",
    '"base": there is no "strng" (did you mean "string"?)',
    4,
  ],
  ["fieldType: { name: 'isbn', description: '' }", 'fieldType "isbn": "value" must be a function', 4],
  [
    "computed: { name: 'sum', reads: () => [], compile: () => () => 1 }",
    'computed "sum" needs a description: the reference and editors show it',
    4,
  ],
  [
    "trait: { name: 'a1', description: '',\n options: { size: { type: 'intger' } } }",
    'trait "a1": options.size has the unknown type "intger" (did you mean "integer"?)',
    5,
  ],
  [
    "fieldType: { name: 'isbn', description: '', base: 'string', keys: { of: { anyOf: [{ type: ['string', 'date'] }] } } }",
    'fieldType "isbn": keys.of[0] has the unknown type "date" (types are string, integer, number, boolean, array, object, null)',
    4,
  ],
  ["hooks: { resource: 'a', save() {} }", 'there is no phase "save" (did you mean "saved"?)', 3],
  ['hooks: { saved() {} }', 'hooks need the name of a resource, several, or "*"', 3],
  ["hooks: { resource: 'a', saved: 1 }", 'hooks: "saved" must be a function', 3],
  [
    `job: { name: 'tidy', every: '5 minutes', ${RUN} }`,
    'job "tidy": "every" is a time such as 30s, 5m or 1h, from 1s to 24h',
    4,
  ],
  [`command: { name: 'serve', description: '', ${RUN} }`, 'command "serve": the program has one of this name', 4],
  [
    `action: { name: 'pay', resource: 'order', description: '', ${RUN} }`,
    'action "pay" does not say who may run it: add "needs" (true lets everybody who can read the item)',
    4,
  ],
  [
    `action: { name: 'Pay', resource: 'order', description: '', needs: true, ${RUN} }`,
    'an action needs a name: lower-case letters, digits and -, the end of its path',
    3,
  ],
])('%s', async (members, problem, line) => {
  write('a.ts', extension(members));
  const [first, ...others] = await problemsOf(load());
  expect(first).toMatch(new RegExp(`^a\\.ts:${line}:1: `));
  expect(first!.replace(/^\S+ /, '')).toBe(problem);
  expect(others.every((text) => text.includes('must be a function'))).toBe(true);
});

test.each([
  ["{ can: 'edit_postz' }", 'no role has the capability "edit_postz" (did you mean "edit_posts"?)'],
  ["{ any: ['edit_posts', { not: { role: 'edtor' } }] }", 'there is no role "edtor" (did you mean "editor"?)'],
  ['true', undefined],
  ["'edit_posts'", undefined],
])('check reports a right that no role has in an action that needs %s', async (needs, problem) => {
  write('a.ts', extension(`action: { name: 'pay', resource: 'order', description: '', needs: ${needs}, ${RUN} }`));
  writeFileSync(
    join(folder, 'schemas', 'order.json'),
    JSON.stringify({ name: 'order', path: 'orders', fields: { title: { type: 'string' } } }),
  );
  const { output, code } = await runCommand(['check'], {
    EXTENSIONS_DIR: join(folder, 'code'),
    SCHEMAS_DIR: join(folder, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
  });
  const wanted = problem === undefined ? [] : [expect.stringContaining(`a.ts:4:1: action "pay": ${problem}`)];
  expect({ code, said: output.split('\n').filter((line) => line.includes('a.ts')) }).toEqual({
    code: problem === undefined ? 0 : 1,
    said: wanted,
  });
});

describe('extensions checked with the schema files', () => {
  const ACTION = (more: string) => `action: { name: 'lend', description: 'Lends it.', ${RUN}, ${more} }`;
  beforeEach(() => {
    const books = { name: 'book', path: 'books', fields: { title: { type: 'string' } } };
    const loans = {
      name: 'loan',
      path: 'lend',
      parent: { resource: 'book', field: 'book' },
      fields: { book: { type: 'reference', to: 'book', required: true } },
    };
    writeFileSync(join(folder, 'schemas/book.json'), JSON.stringify(books));
    writeFileSync(join(folder, 'schemas/loan.json'), JSON.stringify(loans));
  });

  test.each([
    [ACTION("resource: 'bok', needs: true"), 'action.resource: there is no resource "bok" (did you mean "book"?)'],
    [ACTION("resource: 'book', needs: true"), 'action.name: "lend" is the path of the resource "loan" below an item'],
    [
      ACTION("resource: 'book', on: 'collection', needs: { rul: 'a' }"),
      'action.needs.rul: unknown key "rul" (did you mean "rule"?)',
    ],
    [
      ACTION("resource: 'book', on: 'collection', needs: { rule: 'lend' }"),
      'action.needs: there is no rule "lend" (did you mean "read"?)',
    ],
    [
      ACTION("resource: 'book', on: 'collection', needs: { is: { titel: 'a' } }"),
      'action.needs.is.titel: "titel" is not a field with a column',
    ],
    [
      ACTION("resource: 'book', on: 'collection', needs: true, body: { days: { type: 'integr' } }"),
      'action.body.days.type: "integr" is not one of string, integer, number, boolean, array, object, null (did you mean "integer"?)',
    ],
    ["hooks: { resource: 'boook', saved() {} }", 'hooks.resource: there is no resource "boook" (did you mean "book"?)'],
  ])('%s', async (members, problem) => {
    write('a.ts', extension(members));
    expect((await problemsOf(compile())).map((text) => text.replace(/^\S+ /, ''))).toEqual([problem]);
  });

  test('a part that throws during compilation', async () => {
    write(
      'a.ts',
      extension("trait: { name: 'odd', description: 'Odd.', extend() {\n    throw new Error('not today');\n  } }"),
    );
    const book = { name: 'book', path: 'books', fields: { title: { type: 'string' } }, traits: { odd: {} } };
    writeFileSync(join(folder, 'schemas/book.json'), JSON.stringify(book));
    expect(await problemsOf(compile())).toEqual(['a.ts:5:1: the trait "odd" threw an error in "extend": not today']);
  });

  test('sites do not share extensions', async () => {
    write('a.ts', extension("trait: { name: 'odd', description: 'Odd.' }"));
    const book = { name: 'book', path: 'books', fields: { title: { type: 'string' } }, traits: { odd: {} } };
    writeFileSync(join(folder, 'schemas/book.json'), JSON.stringify(book));
    expect(await problemsOf(compile())).toEqual([]);
    const without = { extensionsDir: join(folder, 'none'), schemasDir: join(folder, 'schemas'), site: SETTINGS };
    expect((await problemsOf(loadModels(without)))[0]).toContain('unknown trait "odd"');
    expect(await problemsOf(compile())).toEqual([]);
  });
});
