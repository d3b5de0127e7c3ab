// Field types that are based on built-in ones.
import { defineExtension } from 'typecase';

const digits = (text: string): string => text.replaceAll(/[- ]/g, '');

export default defineExtension({
  fieldType: [
    {
      name: 'barcode',
      description: 'A number of 8 digits; hyphens and spaces may be sent.',
      base: 'string',
      value: { maxLength: 12 },
      check: (value: string) => (/^\d{8}$/.test(digits(value)) ? undefined : 'must have 8 digits.'),
      store: (value: string) => digits(value),
    },
    { name: 'cents', description: 'An amount in cents.', base: 'integer', value: { minimum: 0 } },
    { name: 'pressed', description: 'A day on which a record was pressed.', base: 'date' },
  ],
});
