// Short strings: names, keys, URLs, enumerations.
import type { FieldModel } from '../model/field.js';
import type { FieldType } from '../model/registry.js';
import { cleaner } from '../values/clean.js';
import { defaultSetting, ownSetting, plainValue } from '../values/keywords.js';
import { scalarColumn } from './scalar-column.js';
import { compileRule } from '../values/compile-value-rule.js';
import type { FieldSchema } from '../model/schema/field-schema.js';
import { settingsOf } from '../model/site/site-settings.js';

/** Default length of the column, in characters; an index can cover it. */
const DEFAULT_LENGTH = 255;
const MAX_LENGTH = 1000;

/** Characters that the column of a string field holds. */
export function stringLength({ columnLength, maxLength }: Pick<FieldSchema, 'columnLength' | 'maxLength'>): number {
  return Math.min(columnLength ?? maxLength ?? DEFAULT_LENGTH, MAX_LENGTH);
}

export const stringField: FieldType = {
  name: 'string',
  description:
    'A string of at most 255 characters unless `columnLength` or `maxLength` says otherwise (up to 1000; use `text` beyond).',
  keys: {
    columnLength: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'Length of the column; longer values are rejected. OPTIONS does not show it.',
    },
    sanitize: { type: 'string', enum: ['plain', 'description', 'name', 'uri', 'none'] },
    ...defaultSetting('string'),
    ...ownSetting('string'),
    enumSetting: {
      type: 'string',
      enum: settingsOf('list'),
      description: 'Setting of the site that lists the allowed values, in place of `enum`.',
    },
    allowStored: {
      type: 'array',
      items: { type: 'string' },
      description: 'Values beyond `enum` that may be sent back while they are what is stored: trash; * for any.',
    },
  },
  value: (field) => ({
    ...plainValue('string', field),
    ...(field.maxLength === undefined ? {} : { maxLength: Math.min(field.maxLength, MAX_LENGTH) }),
  }),
  compile(field) {
    const { schema } = field;
    const length = stringLength(schema);
    if (!schema.enum) field.rule = compileRule({ ...plainValue('string', schema), maxLength: length });
    const isFree = (schema.maxLength ?? schema.enum ?? schema.enumSetting) === undefined;
    if (isFree) field.limits = () => (refusesLonger(field, length) ? { maxLength: length } : {});
    scalarColumn(field, { kind: 'varchar', length }, '', { toStore: cleaner(schema.sanitize ?? 'none') });
  },
};

/** Whether texts are refused for their length; a trait may have replaced the rule. */
function refusesLonger({ rule, name }: Pick<FieldModel, 'rule' | 'name'>, length: number): boolean {
  const checked = rule('x'.repeat(length + 1), name);
  return 'issue' in checked && checked.issue.code === 'rest_too_long';
}
