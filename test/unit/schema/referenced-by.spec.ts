import { describe, expect, it } from '@jest/globals';
import type { Actor } from '../../../src/model/actor.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import type { RuleSchema } from '../../../src/model/schema/permission-schema.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { collectProblems } from '../../support/collect-problems.js';

const actor = (...capabilities: string[]): Actor => ({
  id: 7,
  roles: [],
  capabilities: new Set(capabilities),
  address: '',
  agent: '',
});

const schema = (
  name: string,
  fields: ResourceSchema['fields'],
  more: Partial<ResourceSchema> = {},
): ResourceSchema => ({
  name,
  path: `${name}s`,
  fields: { id: { type: 'id' }, ...fields },
  ...more,
});

function compile(read: RuleSchema) {
  const { report, problems } = collectProblems('library.json');
  const work = (kind: string) => ({ storage: { table: 'works', where: { kind } } });
  const models = compileModels(
    [
      schema('person', { name: { type: 'string' } }, { permissions: { rules: { read } } }),
      schema('book', { writer: { type: 'reference', to: 'person' }, state: { type: 'string' } }, work('book')),
      schema('song', { writer: { type: 'reference', to: 'person' }, state: { type: 'string' } }, work('song')),
      schema(
        'loan',
        { by: { type: 'reference', to: 'person', column: 'person_id' }, open: { type: 'boolean' } },
        {
          permissions: { rules: { read: 'lend', mutual: { through: 'by', rule: 'read' } } },
        },
      ),
    ].map((each) => ({ schema: each, report })),
  );
  return { models, problems, rule: models.byName.get('person')!.rules.get('read')! };
}

describe('referencedBy', () => {
  it('queries one table once for all resources in it', () => {
    const { rule, problems, models } = compile({
      referencedBy: ['book.writer', 'song.writer'],
      where: { state: 'out' },
    });
    expect(problems).toEqual([]);
    expect(rule(actor())).toEqual({
      op: 'exists',
      table: 'works',
      outer: 'id',
      inner: 'writer',
      where: {
        op: 'and',
        of: [
          { op: 'in', column: 'kind', values: ['book', 'song'] },
          { op: 'eq', column: 'state', value: 'out' },
        ],
      },
    });
    expect([...models.tables.get('works')!.indexes.values()].map((index) => index.columns)).toContainEqual([
      'writer',
      'kind',
      'state',
    ]);
  });

  it('compares the columns of each resource, where two of one table have their own', () => {
    const { report, problems } = collectProblems('library.json');
    const where = { state: 'out', pages: { gt: { field: 'least' } } };
    const work = (kind: string) => ({ storage: { table: 'works', where: { kind } } });
    const fields = (suffix: string, least: string): ResourceSchema['fields'] => ({
      writer: { type: 'reference', to: 'person' },
      state: { type: 'string', column: `state${suffix}` },
      pages: { type: 'integer' },
      least: { type: 'integer', column: least },
    });
    const read = { referencedBy: ['book.writer', 'song.writer', 'play.writer'], where } as RuleSchema;
    const models = compileModels(
      [
        schema('person', {}, { permissions: { rules: { read } } }),
        schema('book', fields('_a', 'least'), work('book')),
        schema('song', fields('_b', 'least'), work('song')),
        schema('play', fields('_a', 'fewest'), work('play')),
      ].map((each) => ({ schema: each, report })),
    );
    expect(problems).toEqual([]);
    const text = JSON.stringify(models.byName.get('person')!.rules.get('read')!(actor()));
    expect(
      [...text.matchAll(/"value":"(book|song|play)".*?"column":"(\w+)".*?"left":"(\w+)"/g)].map((found) =>
        found.slice(1),
      ),
    ).toEqual([
      ['book', 'state_a', 'least'],
      ['song', 'state_b', 'least'],
      ['play', 'state_a', 'fewest'],
    ]);
  });

  it('queries several tables one after the other', () => {
    const { rule } = compile({ referencedBy: ['book.writer', 'loan.by'] });
    expect(rule(actor())).toMatchObject({
      op: 'or',
      of: [
        { table: 'works', inner: 'writer' },
        { table: 'loans', inner: 'person_id' },
      ],
    });
  });

  it('applies a rule of the other resource', () => {
    const { rule } = compile({ referencedBy: 'loan.by', where: { open: true }, rule: 'read' });
    expect(rule(actor())).toEqual({ op: 'false' });
    expect(rule(actor('lend'))).toMatchObject({
      op: 'exists',
      table: 'loans',
      where: { op: 'eq', column: 'open', value: 1 },
    });
  });

  it('terminates when two rules refer to each other', () => {
    const { rule } = compile({ any: ['chief', { referencedBy: 'loan.by', rule: 'mutual' }] });
    expect(rule(actor())).toBeDefined();
    expect(rule(actor('chief'))).toEqual({ op: 'true' });
  });

  it.each(['book', 'book.title', 'shelf.writer', 'book.state'])('refuses %s', (referencedBy) => {
    expect(compile({ referencedBy }).problems).toHaveLength(1);
  });

  it('refuses an unknown field in where', () => {
    expect(compile({ referencedBy: 'book.writer', where: { colour: 'red' } }).problems).toMatchObject([
      { path: expect.stringContaining('where.colour') },
    ]);
  });
});
