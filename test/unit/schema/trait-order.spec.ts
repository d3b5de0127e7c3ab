// The order of traits follows from what they declare of each other; otherwise the order of the keys in a file stays.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { PHASES } from '../../../src/model/hooks.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import { sortTraits } from '../../../src/schema/extend/trait-order.js';
import { traits } from '../../../src/traits/registry.js';

const declared = new Map([
  ['last', { after: ['middle'] }],
  ['middle', { after: ['first', 'absent'] }],
  ['first', {}],
  ['free', {}],
]);

describe('traits', () => {
  it('are applied after those that they declare', () => {
    expect(sortTraits(['last', 'middle', 'first'], declared)).toEqual({
      sorted: ['first', 'middle', 'last'],
      circle: [],
    });
  });

  it('keep their order otherwise', () => {
    expect(sortTraits(['free', 'last', 'first'], declared).sorted).toEqual(['free', 'last', 'first']);
    expect(sortTraits(['first', 'free', 'middle'], declared).sorted).toEqual(['first', 'free', 'middle']);
  });

  it('with circular declarations are reported with their cycle', () => {
    const circle = new Map([...declared, ['first', { after: ['last'] }]]);
    expect(sortTraits(['free', 'last', 'middle', 'first'], circle)).toEqual({
      sorted: ['free', 'last', 'middle', 'first'],
      circle: ['last', 'middle', 'first'],
    });
  });

  it('in the registry declare only registered traits, without cycles', () => {
    const known = [...traits.keys()];
    const named = [...traits.values()].flatMap(({ after = [] }) => after);
    expect(named.filter((name) => !traits.has(name))).toEqual([]);
    expect(sortTraits(known, traits).circle).toEqual([]);
    expect(sortTraits([...known].reverse(), traits).circle).toEqual([]);
  });
});

describe('the shipped files', () => {
  const folder = new URL('../../../schemas/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const written = files.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
  const failing = (path: unknown, message: string) => {
    throw new Error(`${String(path)}: ${message}`);
  };
  const phasesOf = (schemas: typeof written) => {
    const sources = schemas.map((schema) => ({ schema: extendSchema(schema, failing), report: failing }));
    const models = [...compileModels(sources).byName.values()];
    return models.map(({ name, hooks }) => [name, PHASES.map((phase) => hooks[phase].map(({ trait }) => trait))]);
  };

  it('name their traits in the order in which they are applied', () => {
    for (const schema of written) {
      const names = Object.keys(schema.traits ?? {});
      expect(sortTraits(names, traits).sorted).toEqual(names);
    }
  });

  it('run their phases in the declared order, however their keys are ordered', () => {
    const orders = fc.tuple(
      ...written.map(({ traits: own = {} }) =>
        fc.shuffledSubarray(Object.keys(own), { minLength: Object.keys(own).length }),
      ),
    );
    fc.assert(
      fc.property(orders, (names) => {
        const shuffled = written.map((schema, index) => {
          const own = Object.fromEntries(names[index]!.map((name) => [name, schema.traits[name]]));
          return schema.traits ? { ...schema, traits: own } : schema;
        });
        for (const [, phases] of phasesOf(shuffled) as [string, string[][]][]) {
          for (const run of phases)
            run.forEach((name, at) => {
              for (const other of traits.get(name)?.after ?? []) expect(run.indexOf(other)).toBeLessThan(at);
            });
        }
      }),
      { numRuns: 20 },
    );
  });
});
