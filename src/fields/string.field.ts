// Short strings: names, keys, addresses, enumerations.
import type { FieldType } from '../model/registry.js';
import { cleaner } from './clean.js';
import { plainValue } from './keywords.js';
import { scalarColumn } from './scalar-column.js';

/** Longest string an indexable column holds, in characters. */
const DEFAULT_LENGTH = 255;

export const stringField: FieldType = {
  name: 'string',
  description: 'A string of at most 255 characters unless `maxLength` says otherwise (up to 1000; use `text` beyond).',
  keys: {
    clean: { type: 'string', enum: ['plain', 'description', 'name', 'uri', 'none'] },
    keeps: {
      type: 'array',
      items: { type: 'string' },
      description: 'Values beyond `enum` that may be sent back while they are what is stored: trash.',
    },
  },
  value: (field) => plainValue('string', field, field.enum ? {} : { maxLength: field.maxLength ?? DEFAULT_LENGTH }),
  compile(field) {
    const clean = cleaner(field.schema.clean ?? 'none');
    scalarColumn(field, { kind: 'varchar', length: Math.min(field.schema.maxLength ?? DEFAULT_LENGTH, 1000) }, '', {
      toStore: clean,
    });
  },
};
