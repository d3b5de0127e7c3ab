// The shipped schemas with the meta keys that the reference had registered: `node test/reference/make-schemas.mjs`
// writes them into test/reference/schemas. reference-schemas.spec.ts holds that they follow the shipped ones.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const shipped = join(here, '../../schemas');

/** Where the results lie. */
export const target = join(here, 'schemas');

const both = { subtitle: { type: 'string', default: '' }, rating: { type: 'integer' } };

/** Meta keys by resource, as the README of the recordings lists them. */
export const registeredMeta = {
  post: {
    ...both,
    featured_flag: { type: 'boolean' },
    keywords: { type: 'string', single: false },
    geo: {
      type: 'object',
      properties: { lat: { type: 'number' }, lng: { type: 'number' } },
      additionalProperties: false,
    },
    reading_minutes: { type: 'number', minimum: 0, maximum: 600 },
    _internal_note: { type: 'string' },
  },
  page: both,
  attachment: { photographer: { type: 'string' } },
  tag: { color: { type: 'string' } },
  category: { color: { type: 'string' } },
  user: { pronouns: { type: 'string' } },
  comment: { mood: { type: 'string' } },
};

/** The schemas as they should be: file name to parsed content. */
export function referenceSchemas() {
  const files = readdirSync(shipped).filter((name) => name.endsWith('.json'));
  return new Map(files.map((name) => [name, withKeys(JSON.parse(readFileSync(join(shipped, name), 'utf8')))]));
}

function withKeys(schema) {
  const keys = registeredMeta[schema.name];
  if (keys) schema.fields.meta.keys = { ...schema.fields.meta.keys, ...keys };
  schema.$schema = '../../../docs/resource.schema.json';
  return schema;
}

async function write() {
  const { format } = await import('prettier');
  const wanted = referenceSchemas();
  for (const name of readdirSync(target)) if (!wanted.has(name)) rmSync(join(target, name));
  for (const [name, schema] of wanted) {
    writeFileSync(join(target, name), await format(JSON.stringify(schema), { parser: 'json', printWidth: 120 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await write();
