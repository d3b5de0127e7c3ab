// The validator code that a build generates reports the same as the grammar compiled at startup.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { grammarValidator, grammarValidatorCode } from '../../../src/schema/grammar/grammar-validator.js';
import { withTypes } from '../../../src/schema/grammar/typed-fields.js';
import { registries } from '../../../src/schema/compile-site.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const kept = join(root, 'node_modules/.cache');
mkdirSync(kept, { recursive: true });
// Below node_modules, where the code finds the helpers of Ajv.
const folder = mkdtempSync(join(kept, 'grammar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let built: { validate: ValidateFunction; hash: string };
beforeAll(async () => {
  const file = join(folder, 'compiled-grammar.cjs');
  writeFileSync(file, await grammarValidatorCode(registries()));
  built = createRequire(import.meta.url)(file);
});

const shipped = readdirSync(join(root, 'schemas'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => withTypes(JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8')), registries()))
  .map((schema) => schema as Record<string, unknown>);

const FAULTS: readonly [name: string, change: (schema: Record<string, any>) => void][] = [
  ['an unknown key', (schema) => void (schema['colour'] = 'red')],
  ['a field of no type', (schema) => void (schema['fields'].extra = {})],
  ['an unknown type', (schema) => void (schema['fields'].extra = { type: 'strng' })],
  ['a key of another type', (schema) => void (schema['fields'].extra = { type: 'boolean', maxLength: 'long' })],
  ['a wrong filter', (schema) => void (schema['params'] = { extra: { filter: 'equal' } })],
  ['an unknown trait', (schema) => void (schema['traits'] = { datd: {} })],
  ['no object', (schema) => void (schema['fields'] = [])],
];

describe('the generated validator of a build', () => {
  test('accepts every shipped schema, like the compiled grammar', async () => {
    const { validate } = built;
    const compiled = grammarValidator(registries());
    expect(shipped.length).toBeGreaterThan(5);
    for (const schema of shipped) expect([validate(schema), compiled(schema)]).toEqual([true, true]);
  });

  test.each(FAULTS)('finds the same problems: %s', async (_name, change) => {
    const { validate } = built;
    const compiled = grammarValidator(registries());
    const schema = structuredClone(shipped.find(({ name }) => name === 'tag') ?? shipped[0]!);
    change(schema);
    expect([validate(schema), compiled(schema)]).toEqual([false, false]);
    expect(validate.errors).toEqual(compiled.errors);
  });

  test('belongs to one grammar: another vocabulary has another hash', async () => {
    const { hash } = built;
    const { traits, ...others } = registries();
    const other = await grammarValidatorCode({ ...others, traits: traits.slice(1) });
    expect(other).not.toContain(hash);
  });
});
