// The order of the keys in a schema file affects only the order of fields in responses.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { ResourceModel } from '../../../src/model/model.js';
import { compileSite } from '../../../src/schema/compile-site.js';

const SHIPPED = 'schemas';

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]));
};

const shape = (model: ResourceModel) => ({
  fields: Object.fromEntries([...model.fields.values()].map(({ name, json, arg }) => [name, { json, arg }])),
  params: Object.fromEntries([...model.listParams.values()].map(({ name, arg }) => [name, arg])),
  first: model.filterParams[0]?.opaque,
  steps: Object.values(model.policy).map((steps) => steps.map(({ error }) => error).sort()),
  links: model.links.map(({ rel }) => rel).sort(),
  traits: Object.fromEntries(model.traits),
});

test('files with sorted keys compile to the same models', () => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-sorted-'));
  try {
    for (const name of readdirSync(SHIPPED))
      writeFileSync(join(folder, name), JSON.stringify(sorted(JSON.parse(readFileSync(join(SHIPPED, name), 'utf8')))));
    const [written, ordered] = [compileSite(SHIPPED), compileSite(folder)];
    for (const [name, model] of written.byName) expect(shape(ordered.byName.get(name)!)).toEqual(shape(model));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
