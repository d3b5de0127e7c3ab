// docs/resource.schema.json is what editors check schema files with: it must be what the engine checks them with.
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { checkGrammar } from '../../../src/schema/check/check-grammar.js';
import { registries } from '../../../src/schema/compile-site.js';
import { grammarSchema } from '../../../src/schema/grammar/grammar.js';
import { referencePage } from '../../../src/schema/grammar/reference-page.js';
import { parseSchema } from '../../../src/schema/load/load.js';

it('docs/reference.md is generated from the registries (else: npm run cms -- grammar --reference --out docs/reference.md)', () => {
  expect(readFileSync('docs/reference.md', 'utf8')).toBe(referencePage(registries()));
});

it('the reference includes the keywords of the values of a type', () => {
  const page = referencePage(registries());
  const keysOf = (type: string) => {
    const section = page.split(`### ${type}\n`)[1]!.split('\n##')[0]!;
    return [...section.matchAll(/^\| `(\w+)`/gm)].map(([, key]) => key);
  };
  expect(keysOf('text')).toEqual(expect.arrayContaining(['minLength', 'maxLength', 'pattern', 'sanitize']));
  expect(keysOf('integer')).toEqual(expect.arrayContaining(['minimum', 'maximum', 'multipleOf', 'setting']));
  expect(keysOf('array')).toEqual(['items', 'minItems', 'maxItems', 'uniqueItems']);
  expect(keysOf('rendered')).toEqual(['pipeline', 'from', 'options']);
});

it.each(['rendered', 'metadata', 'computed'])('%s has no unused keywords', (type) => {
  const keys = { rendered: '', metadata: '', computed: '"function": "constant", "options": {"value": "x"}, ' }[type];
  for (const keyword of ['"minProperties": 1', '"properties": {"a": {"type": "string"}}', '"maxLength": 3']) {
    const text = `{"name": "book", "path": "books", "fields": {"f": {"type": "${type}", ${keys}${keyword}}}}`;
    const found = checkGrammar([parseSchema('book.json', text).file], registries());
    expect(found.map((problem) => problem.message)).toEqual([
      expect.stringContaining(`unknown key ${keyword.split(':')[0]}`),
    ]);
  }
});

describe('the published grammar', () => {
  it('equals the one generated from the registries (else: npm run cms -- grammar --out docs/resource.schema.json)', () => {
    const published = JSON.parse(readFileSync('docs/resource.schema.json', 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(grammarSchema(registries()))));
  });

  it('is a JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.validateSchema(grammarSchema(registries())) ? [] : ajv.errors).toEqual([]);
  });
});
