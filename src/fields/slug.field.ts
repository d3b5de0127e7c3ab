// Address-friendly names. Uniqueness is the business of the trait `sluggable`.
import type { FieldType } from '../model/registry.js';
import { slugify } from '../text/slug.js';
import { plainValue } from './keywords.js';
import { scalarColumn } from './scalar-column.js';

export const slugField: FieldType = {
  name: 'slug',
  description: 'A lower-case name for addresses; whatever is sent is brought into that form (decisions 11.17).',
  keys: {
    length: { type: 'integer', minimum: 1, maximum: 255, description: 'Longest slug the column holds (default 200).' },
  },
  value: (field) => plainValue('string', field),
  compile(field) {
    const length = field.schema.length ?? field.schema.maxLength ?? 200;
    scalarColumn(field, { kind: 'varchar', length, binary: true }, '', {
      toStore: (value: string) => slugify(value, length),
    });
  },
};
