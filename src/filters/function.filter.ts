// Passes a parameter to a registered function.
import type { Filter } from '../model/registry.js';
import { filterFunctions } from './query-arguments/registry.js';

export const functionFilter: Filter = {
  name: 'function',
  description: 'Passes the value to the registered function named in `function`.',
  value: {},
  keys: ['function'],
  opaque: true,
  options: {
    arguments: { type: 'object' },
    privateNeeds: { type: 'string', format: 'capability' },
    notInLinks: {
      type: 'array',
      items: { type: 'string' },
      description: 'Members of the value that the links to other pages leave out: they say which page, or how large.',
    },
  },
  compile(param, model, report) {
    const definition = filterFunctions.get(param.function ?? '');
    if (definition) return definition.compile(param, model, report);
    report(
      ['params', param.name, 'function'],
      `unknown function; there are: ${[...filterFunctions.keys()].join(', ')}`,
    );
    return undefined;
  },
};
