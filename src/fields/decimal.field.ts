// Exact decimal numbers: amounts, rates. Stored as the decimal type of the database, on SQLite as integers in units
// of the last digit.
import { canonicalDecimal, decimalPattern, MAX_PRECISION, shapeOfDecimal } from '../model/functions/decimal.js';
import type { FieldType } from '../model/registry.js';
import type { Scalar } from '../model/schema/schema.js';
import { decimalRule } from '../values/decimal-rule.js';
import { plainValue } from '../values/keywords.js';
import { withException } from '../values/rule.js';
import { scalarColumn } from './scalar-column.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema } from '../model/schema/field-schema.js';

export const decimalField: FieldType = {
  name: 'decimal',
  description:
    'An exact decimal number of `precision` digits, `scale` of them after the decimal point. Shown as text, or with "as": "number" as a number.',
  keys: {
    precision: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_PRECISION,
      description: 'Number of all digits (default 18).',
    },
    scale: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_PRECISION,
      description: 'Number of digits after the decimal point (default 2).',
    },
    as: {
      type: 'string',
      enum: ['string', 'number'],
      description: 'How it is shown: as text (default) or as a number.',
    },
    minimum: { type: 'number', description: 'Minimum value.' },
    maximum: { type: 'number', description: 'Maximum value.' },
    exclusiveMinimum: { type: 'number', description: 'Values are greater than this.' },
    exclusiveMaximum: { type: 'number', description: 'Values are less than this.' },
    multipleOf: { type: 'number', exclusiveMinimum: 0, description: 'Values are multiples of this.' },
  },
  ownKeywords: true,
  value: valueOf,
  compile(field) {
    const schema = field.schema.as === 'number' ? field.schema : withCanonicalTexts(field.schema);
    field.schema = schema;
    const shape = shapeOfDecimal(schema);
    const rule = decimalRule(schema, shape);
    field.rule = schema.nullable ? withException(rule, (value) => value === null) : rule;
    if (schema.as !== 'number' && !schema.enum) field.limits = () => ({ pattern: decimalPattern(shape) });
    const canonical = (value: Scalar): Scalar => canonicalDecimal(value, shape) ?? value;
    const toView = schema.as === 'number' ? { toView: Number } : {};
    scalarColumn(field, { kind: 'decimal', ...shape }, canonical(0), { toStore: canonical, ...toView });
  },
};

function valueOf(field: FieldSchema): ValueSchema {
  if (field.as === 'number') return plainValue('number', field);
  return plainValue('string', withCanonicalTexts(field), { format: 'decimal' });
}

/** The field with its texts as items show them; what is no decimal is left for the check. */
function withCanonicalTexts(field: FieldSchema): FieldSchema {
  const shape = shapeOfDecimal(field);
  const shown = (value: unknown) => (typeof value === 'string' && canonicalDecimal(value, shape)) || value;
  const { default: initial, enum: allowed } = field;
  return {
    ...field,
    ...(initial === undefined ? {} : { default: shown(initial) }),
    ...(allowed ? { enum: allowed.map((value) => shown(value) as Scalar) } : {}),
  };
}
