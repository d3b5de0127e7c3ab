import { it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { grammarSchema } from '../../../src/schema/grammar.js';
import { registries } from './fake-registries.js';
it('x', async () => {
  const { fieldTypes } = await import('../../../src/fields/registry.js');
  const { computedFunctions } = await import('../../../src/fields/functions/registry.js');
  const real = { ...registries, fields: [...fieldTypes.values()], functions: [...computedFunctions.values()] };
  for (const [n, o] of Object.entries({ base: {}, noinline: { inlineRefs: false }, noopt: { code: { optimize: false } }, both: { inlineRefs: false, code: { optimize: false } } }))
    for (let i = 0; i < 2; i++) {
      const t = performance.now();
      const g = grammarSchema(real);
      const t1 = performance.now();
      const a = new Ajv2020({ allErrors: true, verbose: true, strict: false, validateFormats: false, ...o });
      const t2 = performance.now();
      a.compile(g);
      console.log(n, (t1 - t).toFixed(1), (t2 - t1).toFixed(1), (performance.now() - t2).toFixed(1), JSON.stringify(g).length);
    }
});
