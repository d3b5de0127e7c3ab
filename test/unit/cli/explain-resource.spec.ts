// What `explain` prints of routes, and of the rights on fields.
import { expect, it } from '@jest/globals';
import { explainResource } from '../../../src/cli/explain-resource.js';
import { ANONYMOUS } from '../../../src/model/actor.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import { compileSite } from '../../../src/schema/compile-site.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import { collectProblems } from '../../support/collect-problems.js';

const schema: ResourceSchema = {
  name: 'deal',
  path: 'deals',
  fields: {
    state: { type: 'string' },
    price: { type: 'integer', read: { any: [{ is: { state: 'open' } }, 'see_prices'] }, write: 'set_prices' },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { cost: { type: 'integer', read: 'see_prices' } } },
    },
  },
  permissions: { rules: { read: true } },
};

it('prints who may read and write fields and members', () => {
  const { report, problems } = collectProblems('deal.json');
  const models = compileModels([{ schema: extendSchema(schema, report), report }]);
  expect(problems).toEqual([]);
  const as = (...capabilities: string[]) => {
    const actor = { ...ANONYMOUS, id: 7, capabilities: new Set(capabilities) };
    return explainResource(models.byName.get('deal')!, { name: 'somebody', actor });
  };
  const rights = (read: string, cost: string, write: string) =>
    `Fields as somebody\n  read price: ${read}\n  read lines.cost: ${cost}\n  write price: ${write}\n`;
  expect(as('see_prices')).toContain(rights('yes', 'yes', 'no'));
  expect(as('set_prices')).toContain(rights('state eq "open"', 'no', 'yes'));
});

it('includes the list across all parents of a nested resource', () => {
  const text = explainResource(compileSite('examples/ward').byName.get('visit')!);
  expect(text).toMatch(/\n {2}\/patients\/:patient_id\/visits: list, .*\n {2}\/visits: list, of all parents\n/);
});
