// Registry of the filters of list parameters. A new one is one file here and one line below.
import type { Filter } from '../model/registry.js';
import { afterFilter, beforeFilter } from './after-before.filter.js';
import { anyFilter } from './any.filter.js';
import { atLeastFilter, atMostFilter } from './at-least-most.filter.js';
import { containsFilter } from './contains.filter.js';
import { equalsFilter } from './equals.filter.js';
import { functionFilter } from './function.filter.js';
import { noneFilter } from './none.filter.js';
import { prefixFilter } from './prefix.filter.js';
import { presentFilter } from './present.filter.js';
import { throughFilter } from './through.filter.js';

const all = [
  equalsFilter,
  anyFilter,
  noneFilter,
  afterFilter,
  beforeFilter,
  atLeastFilter,
  atMostFilter,
  containsFilter,
  prefixFilter,
  presentFilter,
  throughFilter,
  functionFilter,
];

/** Filters by name. */
export const filters: ReadonlyMap<string, Filter> = new Map(all.map((filter) => [filter.name, filter]));
