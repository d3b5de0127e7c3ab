// Short texts of a fixed form: UUIDs, e-mail addresses, URIs, times of day.
import type { FieldType } from '../model/registry.js';
import type { Rule } from '../model/value.js';
import { completeTime } from '../values/formats.js';
import { plainValue } from '../values/keywords.js';
import { uriRule } from '../values/uri-rule.js';
import { emptyAsNull, optionalValue } from './optional-value.js';
import { scalarColumn } from './scalar-column.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema } from '../model/schema/field-schema.js';
import type { ColumnModel } from '../model/table.js';

interface Form {
  name: string;
  description: string;
  /** Maximum number of characters of a value, and of the column. */
  most: number;
  format: string;
  /** Whether a schema may limit the length and the form further. */
  narrows?: boolean;
  contentType?: NonNullable<ColumnModel['contentType']>;
  /** The canonical spelling, in which values are stored and compared. */
  spelled?(text: string): string;
  rule?(value: ValueSchema): Rule;
}

const LIMITS: Record<string, ValueSchema> = {
  minLength: { type: 'integer', minimum: 0, description: 'Minimum number of characters.' },
  maxLength: { type: 'integer', minimum: 0, description: 'Maximum number of characters.' },
  pattern: { type: 'string', description: 'Regular expression that the text matches.' },
};

function formattedField(form: Form): FieldType {
  const { name, description, most, format, narrows, contentType, spelled, rule } = form;
  const valueOf = (field: FieldSchema): ValueSchema => ({
    ...plainValue('string', optionalValue(field), { format }),
    ...(narrows ? { maxLength: Math.min(field.maxLength ?? most, most) } : {}),
  });
  return {
    name,
    description,
    keys: narrows ? LIMITS : {},
    ownKeywords: true,
    value: valueOf,
    compile(field) {
      if (rule) {
        field.rule = rule(valueOf(field.schema));
        // OpenAPI leaves formats out whose rule takes other texts too.
        field.limits = () => ({ format });
      }
      field.schema = optionalValue(field.schema);
      const length = narrows ? Math.min(field.schema.maxLength ?? most, most) : most;
      const column = { kind: 'varchar', length, ...(contentType ? { contentType } : {}) } as const;
      scalarColumn(field, column, '', spelled ? { toStore: spelled } : {});
      if (spelled) field.compared = (value) => (typeof value === 'string' ? spelled(value) : value);
      emptyAsNull(field);
    },
  };
}

export const uuidField = formattedField({
  name: 'uuid',
  description: 'A UUID, stored and shown in lower case.',
  most: 36,
  format: 'uuid',
  contentType: 'uuid',
  spelled: (text) => text.toLowerCase(),
});

export const emailField = formattedField({
  name: 'email',
  description: 'An e-mail address.',
  most: 320,
  format: 'email',
  narrows: true,
});

export const uriField = formattedField({
  name: 'uri',
  description: 'An absolute URI (https, mailto, tel and other schemes that are safe to follow); others are refused.',
  most: 1000,
  format: 'uri',
  narrows: true,
  rule: uriRule,
});

export const timeField = formattedField({
  name: 'time',
  description: 'A time of day, HH:MM:SS; HH:MM is accepted.',
  most: 8,
  format: 'time',
  contentType: 'time',
  spelled: completeTime,
});
