// docs/resource.schema.json is what editors check schema files with: it must be what the engine checks them with.
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { registries } from '../../../src/schema/compile-site.js';
import { grammarSchema } from '../../../src/schema/grammar/grammar.js';
import { referencePage } from '../../../src/schema/grammar/reference-page.js';

it('docs/reference.md is made from the registries (else: npm run cms -- grammar --reference --out docs/reference.md)', () => {
  expect(readFileSync('docs/reference.md', 'utf8')).toBe(referencePage(registries()));
});

describe('the published grammar', () => {
  it('equals the one made from the registries (else: npm run cms -- grammar --out docs/resource.schema.json)', () => {
    const published = JSON.parse(readFileSync('docs/resource.schema.json', 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(grammarSchema(registries()))));
  });

  it('is a JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.validateSchema(grammarSchema(registries())) ? [] : ajv.errors).toEqual([]);
  });
});
