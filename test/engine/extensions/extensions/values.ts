// A field type, a computed function, filters, a pipeline and a trait.
import { defineExtension, ResourceError, type Row } from 'typecase';
import { shout } from './lib/shout.js';

export default defineExtension({
  fieldType: {
    name: 'messier',
    description: 'A number of the catalogue of Messier, such as M31.',
    base: 'string',
    value: { maxLength: 4 },
    check: (value: string) =>
      value === '' || /^m(?:[1-9]\d?|10\d|110)$/i.test(value) ? undefined : 'must be M1 to M110.',
    store: (value: string) => value.toUpperCase(),
    // For M99 as an async function would; for M98 what JSON has no form for.
    show(stored: string) {
      if (stored === 'M99') return Promise.resolve(stored);
      return stored === 'M98' ? 98n : stored || null;
    },
  },
  computed: {
    name: 'brightness',
    description: 'How many times brighter than magnitude 0.',
    returns: { type: 'number' },
    options: { of: { type: 'string', required: true, description: 'Field with the magnitude.' } },
    check: (check, { of }) => void check.field(['of'], String(of), ['number']),
    reads: ({ of }, model) => [model.fields.get(String(of))!.column!],
    compile({ of }, model) {
      const column = model.fields.get(String(of))!.column!;
      return (row: Row) => Math.round(100 ** (-Number(row[column]) / 5) * 1000) / 1000;
    },
  },
  filter: [
    {
      name: 'brighter',
      description: 'Stars brighter than this magnitude.',
      value: { type: 'number' },
      compile(param, model, report) {
        const column = model.fields.get(param.field ?? param.name)?.column;
        if (column === undefined) return void report(['params', param.name], 'needs a field with a column');
        return (value: number, plan) => void plan.where.push({ op: 'lt', column, value });
      },
    },
    {
      name: 'near',
      description: 'Numbers within ten of this one.',
      value: { type: 'integer', minimum: 1, maximum: 110 },
      compile(param, model) {
        const column = model.fields.get(param.field ?? param.name)!.column!;
        return (value: number, plan) => {
          const near = Array.from({ length: 21 }, (_, at) => `M${value - 10 + at}`);
          plan.where.push({ op: 'in', column, values: near });
        };
      },
    },
  ],
  pipeline: { name: 'shouted', filter: (raw) => raw.replaceAll('<', ''), render: (raw) => `<p>${shout(raw)}</p>` },
  trait: {
    name: 'numbered',
    description: 'Items get a number when they are made.',
    options: { start: { type: 'integer', minimum: 1, description: 'The first number (default 1).' } },
    extend(schema) {
      schema.fields['number'] = { type: 'integer', readOnly: true, description: 'The number.' };
    },
    hooks: (model, { start = 1 }: { start?: number }) => ({
      async input(draft, op, current) {
        if (current) return;
        if (op.values['name'] === 'Sun')
          throw new ResourceError('rest_invalid_param', { message: 'That one is no star of the night.' });
        await op.tx!.lock(['star numbers']);
        draft.row['number'] = start + (await op.tx!.count(model.table!.name, { op: 'true' }));
      },
    }),
    sideBySide: true,
  },
});
