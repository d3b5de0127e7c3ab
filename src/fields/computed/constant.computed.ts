// A value that is the same for all items of a resource: its type, its taxonomy.
import type { ComputedFunction } from '../../model/registry.js';

export const constant: ComputedFunction = {
  name: 'constant',
  description: 'The constant in `value`.',
  options: { value: { description: 'The value.', required: true } },
  returns: { type: 'string' },
  reads: () => [],
  compile:
    ({ value }) =>
    () =>
      value,
};
