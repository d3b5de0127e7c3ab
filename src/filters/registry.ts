// Registry of the filters of list parameters. A new one is one file here and one line below.
import { Registered } from '../model/registered.js';
import type { Filter } from '../model/registry.js';
import { afterFilter, beforeFilter } from './after-before.filter.js';
import { gteFilter, lteFilter } from './gte-lte.filter.js';
import { containsFilter } from './contains.filter.js';
import { equalsFilter } from './equals.filter.js';
import { functionFilter } from './function.filter.js';
import { inFilter, notInFilter } from './in-not-in.filter.js';
import { prefixFilter } from './prefix.filter.js';
import { positiveFilter } from './positive.filter.js';
import { referencedInFilter } from './referenced-in.filter.js';

const all: Filter[] = [
  equalsFilter,
  inFilter,
  notInFilter,
  afterFilter,
  beforeFilter,
  gteFilter,
  lteFilter,
  containsFilter,
  prefixFilter,
  positiveFilter,
  referencedInFilter,
  functionFilter,
];

/** Filters by name. */
export const filters = new Registered<Filter>('filters', new Map(all.map((filter) => [filter.name, filter])));
