// Finds keys of a schema file that have no effect.
import type { Problem } from '../../errors/problem.js';
import type { Filter, Trait } from '../../model/registry.js';
import {
  isReading,
  OPERATIONS,
  READING_OPERATIONS,
  type ParamSchema,
  type ResourceSchema,
} from '../../model/schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import { problemAt, type Path, type SchemaFile } from '../load/load.js';
import { ACCOUNT_TRAIT, holdsAccounts } from '../load/accounts.js';
import { members, record } from '../load/as-json.js';
import { columnsOfTable, tableNameOf } from './columns.js';
import { STANDARD_PARAMS } from '../grammar/standard-params.js';

/** The traits, filters and functions that read the keys of a schema. */
export interface Readers {
  traits: ReadonlyMap<string, Trait>;
  filters: ReadonlyMap<string, Filter>;
}

/** Keys of a parameter that say something to its filter. */
const FILTER_KEYS = ['field', 'resource', 'function', 'options'] as const;

/**
 * Keys without effect in one file, as problems where they must be mistakes; `resources` has every schema as extended by
 * its traits.
 */
export function checkEffects(
  file: SchemaFile,
  schema: ResourceSchema,
  resources: ReadonlyMap<string, ResourceSchema>,
  readers: Readers,
): { problems: Problem[]; warnings: Problem[] } {
  const check = new EffectCheck(file, schema, resources, readers);
  check.operations();
  if (tableNameOf(schema) === undefined) check.registry();
  check.lists();
  check.params();
  check.accounts();
  check.seeds();
  check.registers();
  return check;
}

class EffectCheck {
  readonly problems: Problem[] = [];
  /** Keys that may be intended. */
  readonly warnings: Problem[] = [];
  private readonly isRegistry: boolean;

  constructor(
    private readonly file: SchemaFile,
    private readonly schema: ResourceSchema,
    private readonly resources: ReadonlyMap<string, ResourceSchema>,
    private readonly readers: Readers,
  ) {
    this.isRegistry = tableNameOf(schema) === undefined;
  }

  operations(): void {
    const { batch, operations = this.isRegistry ? READING_OPERATIONS : OPERATIONS } = this.schema;
    if (batch && !operations.some((kind) => !isReading(kind)))
      this.found(['batch'], 'batches write, and this resource offers no operation that writes', 'leave out "batch"');
  }

  registry(): void {
    const { operations = [], key } = this.schema;
    for (const [index, kind] of operations.entries()) {
      if (!isReading(kind)) this.found(['operations', index], `a registry cannot ${kind}; it offers list and retrieve`);
    }
    if (key === undefined) this.found(['storage', 'registry'], 'a registry needs "key": the field that names its rows');
    for (const name of ['search', 'seeds', 'deleteParams', 'parent', 'selfAlias'] as const) {
      if (this.schema[name] !== undefined) this.found([name], `a registry has no use for "${name}"`, undefined, 'key');
    }
  }

  lists(): void {
    const { list = {}, search, storage = {} } = this.schema;
    if (list.paginated === false && search && !this.isRegistry)
      this.found(['search'], 'lists that are not paginated cannot be searched', 'leave out "paginated": false', 'key');
    if (list.keyedBy !== undefined && !this.isRegistry)
      this.found(['list', 'keyedBy'], 'only the list of a registry can be keyed by a field');
    if (search?.privileged && search.mode !== 'phrase')
      this.found(['search', 'privileged'], 'further fields are looked into with "mode": "phrase" only');
    const columns = columnsOfTable(this.schema, this.resources);
    for (const [index, name] of ('registry' in storage ? [] : (storage.partition ?? [])).entries()) {
      if (!columns.has(name))
        this.found(['storage', 'partition', index], `unknown column "${name}"`, didYouMean(name, columns));
    }
  }

  params(): void {
    const read = this.paramsRead();
    for (const [name, param] of Object.entries(this.schema.params ?? {})) {
      const at = ['params', name];
      if (this.isRegistry && param.filter !== undefined)
        this.found([...at, 'filter'], 'rows of a registry are kept by "field" alone; leave out "filter"');
      if (param.filter === undefined && !(this.isRegistry && param.field !== undefined))
        this.unfiltered(at, param, read.has(name));
      if (param.filter !== undefined) this.filtered(at, param);
    }
    for (const group of ['itemParams', 'deleteParams'] as const) {
      for (const [name, param] of Object.entries(this.schema[group] ?? {})) {
        if (param.filter !== undefined)
          this.found([group, name, 'filter'], 'only lists are filtered: "params" has their parameters');
      }
    }
  }

  private unfiltered(at: Path, param: ParamSchema, isRead: boolean): void {
    const written = FILTER_KEYS.find((key) => param[key] !== undefined);
    if (written)
      this.found([...at, written], `"${written}" says something to a filter, and there is none`, 'add "filter"');
    else if (!isRead)
      this.warn(at, 'nothing reads this parameter', 'give it a "filter", or ask for it in a step of "permissions"');
  }

  private filtered(at: Path, param: ParamSchema): void {
    const keys = this.readers.filters.get(param.filter!)?.keys ?? [];
    for (const key of ['resource', 'function'] as const) {
      if (param[key] !== undefined && !keys.includes(key))
        this.found([...at, key], `the filter "${param.filter}" takes no "${key}"`);
    }
    const known = [...STANDARD_PARAMS, ...Object.keys(this.schema.params ?? {})];
    for (const [name, argument] of members(record(param.options)['arguments'])) {
      const { kind, param: meant } = record(argument);
      if (kind !== 'param' || typeof meant !== 'string' || known.includes(meant)) continue;
      const place = [...at, 'options', 'arguments', name, 'param'];
      this.found(place, `unknown parameter "${meant}"`, didYouMean(meant, known));
    }
  }

  private paramsRead(): Set<string> {
    const { traits = {}, permissions } = this.schema;
    const byTraits = Object.entries(traits).flatMap(
      ([name, options]) => this.readers.traits.get(name)?.params?.(options) ?? [],
    );
    const bySteps = (permissions?.list ?? []).flatMap(({ param }) => param ?? []);
    return new Set([...STANDARD_PARAMS, ...byTraits, ...bySteps]);
  }

  accounts(): void {
    if (this.schema.selfAlias !== undefined && !this.isRegistry && !holdsAccounts(this.schema))
      this.found(['selfAlias'], `stands for the account of the caller; this resource has no trait "${ACCOUNT_TRAIT}"`);
  }

  seeds(): void {
    const { seeds = [], parent } = this.schema;
    if (this.isRegistry || seeds.length === 0) return;
    if (holdsAccounts(this.schema))
      this.found(
        ['seeds'],
        'accounts are not seeded: their passwords would be kept as they stand here',
        'see "user create"',
      );
    for (const [index, seed] of seeds.entries()) {
      if (parent && seed[parent.field] === undefined)
        this.found(['seeds', index], `"${parent.field}" is missing: the id of the item it lives below`);
      for (const name of Object.keys(seed)) {
        const type = this.schema.fields[name]?.type;
        if (type === 'computed' || type === 'id')
          this.found(['seeds', index, name], `a field of type ${type} cannot be given`);
      }
    }
  }

  registers(): void {
    const registries = [...this.resources.values()].flatMap(({ storage }) =>
      storage && 'registry' in storage ? [storage.registry] : [],
    );
    for (const name of Object.keys(this.schema.registers ?? {})) {
      if (!registries.includes(name))
        this.found(['registers', name], `there is no registry "${name}"`, didYouMean(name, registries), 'key');
    }
  }

  private warn(path: Path, message: string, hint?: string): void {
    this.warnings.push(problemAt(this.file, path, message, hint));
  }

  private found(path: Path, message: string, hint?: string, at?: 'key' | 'value'): void {
    this.problems.push(problemAt(this.file, path, message, hint, at));
  }
}
