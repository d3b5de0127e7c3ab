// A list of names as an object whose members are true.
import type { ComputedFunction } from '../../model/registry.js';

export const flags: ComputedFunction = {
  name: 'flags',
  description: 'The names in `column` as an object of true.',
  options: { column: { type: 'string', description: 'Member with the list of names.', required: true } },
  check(check) {
    if (!(check.schema.storage && 'static' in check.schema.storage))
      check.fail([], 'the rows of a static resource are shown so; keep a list in the type "strings"');
  },
  returns: { type: 'object' },
  reads: ({ column }) => [String(column)],
  compile:
    ({ column }) =>
    (row) =>
      Object.fromEntries(((row[String(column)] ?? []) as string[]).map((name) => [name, true])),
};
