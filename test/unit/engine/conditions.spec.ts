// Conditions behind a reference to several resources of which not all have the field.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { conditionsOf } from '../../../src/engine/query/conditions.js';
import { QUERY_LIMITS } from '../../../src/model/query-language.js';
import type { FieldSchema } from '../../../src/model/schema/field-schema.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import { codeOf, invent, type Invented } from '../traits/invented.js';

let site: Invented;
beforeAll(async () => {
  const text = (name: string, fields: Record<string, FieldSchema>): ResourceSchema => ({
    name,
    path: `${name}s`,
    storage: { table: 'texts', where: { kind: name } },
    fields,
    permissions: { rules: { read: true } },
  });
  site = await invent(
    text('letter', { note: { type: 'string', column: 'words' } }),
    text('contract', { remark: { type: 'string', index: true }, note: { type: 'string', index: true } }),
    { name: 'use', path: 'uses', fields: { text: { type: 'reference', to: ['letter', 'contract'], index: true } } },
  );
});
afterAll(() => site.close());

/** The code of the refusal where every resource has more items than conditions without an index may read. */
function refusal(sent: Record<string, unknown>): Promise<string | undefined> {
  const { store } = site.op('use');
  const large = Object.assign(Object.create(store), { count: async () => QUERY_LIMITS.unindexedRows + 1 });
  return codeOf(() => conditionsOf(site.op('use', { kind: 'list', store: large }), sent));
}

it('a resource that lacks a field of the conditions needs no index', async () => {
  expect(await refusal({ text: { note: { eq: 'x' } } })).toBe('rest_invalid_param');
  expect(await refusal({ text: { note: { eq: 'x' }, remark: { eq: 'y' } } })).toBeUndefined();
  expect(await refusal({ text: { remark: { eq: 'y' } } })).toBeUndefined();
});
