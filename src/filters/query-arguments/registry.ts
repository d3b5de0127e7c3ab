// Registry of the functions of `function` filters.
import type { Filter } from '../../model/registry.js';
import { queryArguments } from './query-arguments.function.js';

/** Filter functions by name. */
export const filterFunctions: ReadonlyMap<string, Filter> = new Map(
  [queryArguments].map((entry) => [entry.name, entry]),
);
