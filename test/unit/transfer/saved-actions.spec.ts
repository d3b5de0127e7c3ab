// Whether values that a migration saved before it dropped their column may be restored.
import { expect, it } from '@jest/globals';
import { updateAction } from '../../../src/transfer/load/saved-actions.js';
import type { ColumnModel, TableModel } from '../../../src/model/table.js';

const id: ColumnModel = { name: 'id', kind: 'integer', primary: true };
const decimal = { kind: 'decimal', precision: 8, scale: 2, default: '1.5' } as const;

it.each<[string, Omit<ColumnModel, 'name'>, unknown, 'written' | 'blank']>([
  ['an integer', { kind: 'integer', default: 3 }, 3, 'blank'],
  ['an integer', { kind: 'integer', default: 3 }, 0, 'blank'],
  ['an integer', { kind: 'integer', default: 3 }, 4, 'written'],
  ['a boolean', { kind: 'boolean', default: true }, 1, 'blank'],
  ['a text', { kind: 'varchar', backfill: 'x' }, 'x', 'blank'],
  ['a text', { kind: 'varchar', backfill: 'x' }, 'y', 'written'],
  ['a decimal', decimal, '0.00', 'blank'],
  ['a decimal', decimal, '1.50', 'blank'],
  ['a decimal', decimal, '1.51', 'written'],
  ['a decimal without a value', { ...decimal, nullable: true }, null, 'blank'],
])('of %s of %j, where the row has %j by now, which is %s', (_name, column, there, found) => {
  const value: ColumnModel = { ...column, name: 'value' };
  const table = {
    name: 'things',
    columns: new Map([
      ['id', id],
      ['value', value],
    ]),
    indexes: new Map(),
    counted: [],
  };
  const saved = { table: table as TableModel, whole: false, row: { id: 1, value: 'saved' }, file: 'f', line: 1 };
  const action = updateAction(saved, new Map([[1, { id: 1, value: there }]]));
  expect(action).toEqual(
    found === 'blank' ? { id: 1, set: { value: 'saved' } } : { refused: expect.stringContaining('was written since') },
  );
});
