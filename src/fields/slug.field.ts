// Slugs: URL-safe names. The trait `sluggable` makes them unique.
import type { FieldType } from '../model/registry.js';
import { slugify } from '../text/slug.js';
import { plainValue } from '../values/keywords.js';
import { scalarColumn } from './scalar-column.js';

export const slugField: FieldType = {
  name: 'slug',
  description: 'A lower-case name for URLs; any value sent is converted to that form.',
  keys: {
    columnLength: {
      type: 'integer',
      minimum: 1,
      maximum: 255,
      description: 'Longest slug the column holds (default 200).',
    },
  },
  value: (field) => plainValue('string', field),
  compile(field) {
    const length = field.schema.columnLength ?? field.schema.maxLength ?? 200;
    scalarColumn(field, { kind: 'varchar', length, binary: true }, '', {
      toStore: (value: string) => slugify(value, length),
    });
  },
};
