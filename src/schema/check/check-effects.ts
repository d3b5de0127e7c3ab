// Finds keys of a schema file that have no effect, or another than they seem to have.
import { checkParamEffects, type Readers } from './check-param-effects.js';
import { Findings } from './findings.js';
import { traits } from '../../traits/registry.js';
import type { Problem } from '../../errors/problem.js';
import {
  isReading,
  offeredBy,
  SINGLETON_OPERATIONS,
  type OperationKind,
  type ResourceSchema,
} from '../../model/schema/schema.js';
import { tableStorage, type FoundSchema, type StorageSchema } from '../../model/schema/storage-schema.js';
import { didYouMean, isSlipOf } from '../../text/nearest-name.js';
import type { SchemaFile } from '../load/load.js';
import { ACCOUNT_TRAIT, holdsAccounts } from '../load/accounts.js';
import { members, record } from '../load/as-json.js';
import { columnsOfTable, tableNameOf } from './columns.js';

/** Types whose values make no small number of combinations, or are too long to count by. */
const UNCOUNTED = ['decimal', 'number', 'text', 'rendered', 'array', 'object', 'json', 'password'];

/** Types whose values are texts in JSON: any of them may have been written for another by mistake. */
const TEXTS = ['string', 'text', 'slug', 'date', 'datetime', 'time', 'uuid', 'email', 'uri', 'password'];

/** Types of fields that name items and that nothing fills in. */
const NAMES = ['string', 'integer', 'uuid'];

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
  const { storage = {} } = schema;
  const check = new EffectCheck(file, schema, resources);
  check.operations();
  check.singleton();
  check.settings();
  if ('static' in storage) check.fixedRows();
  if ('found' in storage) check.foundItems();
  check.lists();
  check.switchedOff();
  checkParamEffects(check, schema, readers);
  check.overrides();
  check.unsent();
  check.emptied();
  check.named();
  check.accounts();
  check.seeds();
  check.listedIn();
  return check;
}

/** Keys about lists, creations and deletions. */
const LIST_KEYS = [
  'key',
  'list',
  'params',
  'deleteParams',
  'search',
  'parent',
  'selfAlias',
  'unique',
  'views',
] as const;

/** Options of the list of a static resource. */
const STATIC_LIST = ['paginated', 'keyedBy', 'without', 'selfLink', 'collectionLink'];

/** Keys about items that are written or read alone. */
const ITEM_KEYS = [
  'itemParams',
  'seeds',
  'traits',
  'checks',
  'batch',
  'singleton',
  'deleteContext',
  'foundIn',
] as const;

class EffectCheck extends Findings {
  private readonly isStatic: boolean;

  constructor(
    file: SchemaFile,
    private readonly schema: ResourceSchema,
    private readonly resources: ReadonlyMap<string, ResourceSchema>,
  ) {
    super(file);
    this.isStatic = tableNameOf(schema) === undefined;
  }

  operations(): void {
    const { batch } = this.schema;
    const operations: readonly OperationKind[] = this.schema.operations ?? offeredBy(this.schema);
    if (batch && !operations.some((kind) => !isReading(kind)))
      this.fail(['batch'], 'batches write, and this resource offers no operation that writes', 'leave out "batch"');
  }

  singleton(): void {
    const { singleton, operations = [], storage = {}, seeds = [], fields } = this.schema;
    if (singleton !== true) return;
    if ('static' in storage) this.fail(['singleton'], 'a static resource has its own rows', undefined, 'key');
    for (const [index, kind] of operations.entries()) {
      if (!(SINGLETON_OPERATIONS as readonly OperationKind[]).includes(kind))
        this.fail(['operations', index], `a singleton has one item: it cannot ${kind}; it offers retrieve and update`);
    }
    const table = tableNameOf(this.schema);
    const sharing = [...this.resources.values()].some(
      (other) => other.name !== this.schema.name && tableNameOf(other) === table,
    );
    if (table !== undefined && sharing)
      this.fail(['singleton'], `its item needs its own table, and other resources use "${table}"`, undefined, 'key');
    if (seeds.length > 1) this.fail(['seeds', 1], 'a singleton has one item', 'leave out the others');
    const written = record(this.file.schema);
    for (const name of LIST_KEYS) {
      if (written[name] !== undefined) this.fail([name], `a singleton has no use for "${name}"`, undefined, 'key');
    }
    for (const [name] of members(written['traits']))
      if (traits.get(name)?.singletons === undefined)
        this.fail(['traits', name], 'traits are behaviours of items that are created', `leave out "${name}"`);
    for (const [name, field] of Object.entries(fields)) {
      if (field.required) this.fail(['fields', name, 'required'], 'the item of a singleton is made without values');
    }
  }

  /** Fields that set settings of the site. */
  settings(): void {
    for (const [name, field] of Object.entries(this.schema.fields)) {
      if (field.setting === undefined) continue;
      const at = ['fields', name];
      if (!this.schema.singleton)
        this.fail([...at, 'setting'], 'many items would set it', 'only fields of a "singleton" set settings');
      if (field.nullable === false)
        this.fail([...at, 'nullable'], 'null stands for the configured value', 'leave out "nullable"');
      for (const key of ['default', 'defaultSetting', 'enabledBy'] as const) {
        if (field[key] !== undefined)
          this.fail([...at, key], 'without a value the setting is as configured', `leave out "${key}"`);
      }
    }
  }

  fixedRows(): void {
    const { operations = [], key } = this.schema;
    for (const [index, kind] of operations.entries()) {
      if (!isReading(kind))
        this.fail(['operations', index], `a static resource cannot ${kind}; it offers list and retrieve`);
    }
    if (key === undefined)
      this.fail(['storage', 'static'], 'a static resource needs "key": the field that names its rows');
    for (const name of Object.keys(record(record(this.file.schema)['list']))) {
      if (!STATIC_LIST.includes(name))
        this.warn(
          ['list', name],
          'has no effect: the rows are listed all at once, in their order',
          `leave out "${name}"`,
        );
    }
    for (const name of ['search', 'seeds', 'deleteParams', 'parent', 'selfAlias', 'views'] as const) {
      if (this.schema[name] !== undefined)
        this.fail([name], `a static resource has no use for "${name}"`, undefined, 'key');
    }
  }

  foundItems(): void {
    const { operations = [] } = this.schema;
    const written = record(this.file.schema);
    for (const [index, kind] of operations.entries()) {
      if (kind !== 'list') this.fail(['operations', index], `found items cannot ${kind}; they are listed`);
    }
    for (const name of [...LIST_KEYS, ...ITEM_KEYS]) {
      if (written[name] !== undefined && name !== 'list')
        this.fail([name], `a resource of found items has no use for "${name}"`, undefined, 'key');
    }
    const options = record(written['list']);
    for (const name of Object.keys(options)) {
      if (!['perPage', 'maxPerPage', 'pageOutOfRange', 'collectionLink'].includes(name))
        this.fail(['list', name], `the list of found items has no use for "${name}"`, undefined, 'key');
    }
  }

  lists(): void {
    const { list = {}, search } = this.schema;
    if (list.paginated === false && search && !this.isStatic)
      this.fail(['search'], 'lists that are not paginated cannot be searched', 'leave out "paginated": false', 'key');
    if (list.keyedBy !== undefined && !this.isStatic)
      this.fail(['list', 'keyedBy'], 'only the list of a static resource can be keyed by a field');
    if (search?.privileged && search.mode !== 'phrase')
      this.fail(['search', 'privileged'], 'further fields are looked into with "mode": "phrase" only');
    for (const [index, name] of (tableStorage(this.schema)?.partition ?? []).entries()) {
      const columns = columnsOfTable(this.schema, this.resources);
      if (!columns.has(name))
        this.fail(['storage', 'partition', index], `unknown column "${name}"`, didYouMean(name, columns));
      const field = Object.entries(this.schema.fields).find(([key, { column = key }]) => column === name)?.[1];
      if (field && UNCOUNTED.includes(field.type))
        this.fail(
          ['storage', 'partition', index],
          `rows cannot be counted by a column of type ${field.type}`,
          'name a column with few values: a string, integer, boolean or reference',
        );
    }
  }

  /** Fields that a setting may switch off, and that the resource cannot do without. */
  switchedOff(): void {
    const { fields, key, parent } = this.schema;
    const { partition = [] } = tableStorage(this.schema) ?? {};
    for (const [name, { enabledBy, column = name }] of Object.entries(fields)) {
      if (enabledBy === undefined) continue;
      const use =
        name === key
          ? 'names the items in URLs'
          : name === parent?.field
            ? 'has the parent'
            : partition.includes(column)
              ? 'is a column of "partition"'
              : undefined;
      if (use !== undefined)
        this.fail(
          ['fields', name, 'enabledBy'],
          `the field ${use}: it cannot be switched off`,
          'leave out "enabledBy"',
        );
    }
  }

  /** A field whose name resembles one that a trait adds, and whose values do, was probably meant to describe that field. */
  overrides(): void {
    const written = record(record(this.file.schema)['fields']);
    const added = Object.keys(this.schema.fields).filter(
      (name) => name !== 'id' && !(name in written) && !this.schema.fields[name]!.hidden,
    );
    const kindOf = (name: string) =>
      TEXTS.includes(this.schema.fields[name]!.type) ? 'text' : this.schema.fields[name]!.type;
    for (const name of Object.keys(written)) {
      const near = added.find((other) => isSlipOf(name, other) && kindOf(name) === kindOf(other));
      if (near)
        this.warn(
          ['fields', name],
          `a trait adds the field "${near}", and this is another one`,
          didYouMean(name, [near]),
        );
    }
  }

  /** `required` is about what clients send. A default, the caller, the time or the path of the parent gives a value. */
  unsent(): void {
    const { fields, parent, singleton } = this.schema;
    for (const [name, written] of members(record(this.file.schema)['fields'])) {
      const { readOnly, hidden, default: given, defaultSetting, onUpdate } = fields[name]!;
      if (singleton || name === parent?.field || record(written)['required'] !== true) continue;
      if ((readOnly || hidden) && (given ?? defaultSetting ?? onUpdate) === undefined)
        this.warn(
          ['fields', name, 'required'],
          `has no effect: no client can send a field that is ${hidden ? 'hidden' : 'read only'}`,
          'leave out "required"',
        );
    }
  }

  /** A reference that a deletion empties, and that may not be empty: clients could not send the item as they read it. */
  emptied(): void {
    const operations = this.schema.operations ?? offeredBy(this.schema);
    if (!operations.includes('update')) return;
    for (const [name, written] of members(record(this.file.schema)['fields'])) {
      const { readOnly, hidden, to, emptyValue, onDelete = 'setNull' } = this.schema.fields[name]!;
      if (readOnly || hidden || emptyValue === null || onDelete !== 'setNull' || name === this.schema.parent?.field)
        continue;
      const least = leastKeyOf(record(written));
      const target = [to ?? []].flat().find((each) => this.canDelete(each));
      if (least === undefined || target === undefined) continue;
      const [becomes, otherwise] =
        least === 'minItems' ? ['can become empty', '"restrict"'] : ['becomes 0', '"restrict" or "cascade"'];
      this.warn(
        ['fields', name, least],
        `the field ${becomes} when its "${target}" is deleted, and "${least}" refuses that: such an item cannot be sent back as it was read`,
        `add "onDelete": ${otherwise}, or leave out "${least}"`,
      );
    }
  }

  /** An item that is created without the field that names it. */
  named(): void {
    const { key = '', fields, storage, operations = offeredBy(this.schema) } = this.schema;
    const field = fields[key];
    if (!field || !NAMES.includes(field.type) || !tableStorage({ storage }) || !operations.includes('create')) return;
    if (field.required || field.readOnly || field.default !== undefined) return;
    this.warn(
      ['key'],
      `"${key}" is not required: an item that is created without it has no URL`,
      `add "required": true to the field, or a default such as "$uuid"`,
    );
  }

  private canDelete(name: string): boolean {
    const target = this.resources.get(name);
    return target !== undefined && (target.operations ?? offeredBy(target)).includes('delete');
  }

  accounts(): void {
    if (this.schema.selfAlias !== undefined && !this.isStatic && !holdsAccounts(this.schema))
      this.fail(['selfAlias'], `stands for the account of the caller; this resource has no trait "${ACCOUNT_TRAIT}"`);
  }

  seeds(): void {
    const { seeds = [], parent } = this.schema;
    if (this.isStatic || seeds.length === 0) return;
    if (holdsAccounts(this.schema))
      this.fail(
        ['seeds'],
        'accounts cannot be seeded: their passwords would be stored in plain text',
        'see "user create"',
      );
    for (const [index, seed] of seeds.entries()) {
      if (parent && seed[parent.field] === undefined)
        this.fail(['seeds', index], `"${parent.field}" is missing: the id of the item it lives below`);
      for (const name of Object.keys(seed)) {
        const type = this.schema.fields[name]?.type;
        if (type === 'computed' || type === 'id')
          this.fail(['seeds', index, name], `a field of type ${type} cannot be given`);
      }
    }
  }

  listedIn(): void {
    const storages = [...this.resources.values()].map(({ storage = {} }) => storage);
    const named = {
      listsItselfIn: storages.flatMap((storage) => ('static' in storage ? [storage.static] : [])),
      foundIn: storages.flatMap((storage) => ('found' in storage ? [storage.found] : [])),
    };
    for (const [key, what] of [
      ['listsItselfIn', 'static resource'],
      ['foundIn', 'resource of found items'],
    ] as const) {
      for (const name of Object.keys(this.schema[key] ?? {})) {
        if (!named[key].includes(name))
          this.fail([key, name], `there is no ${what} "${name}"`, didYouMean(name, named[key]), 'key');
      }
    }
    this.foundTypes(storages);
  }

  /** A type whose name resembles one of the resource that finds the items was probably meant to be that type. */
  private foundTypes(storages: readonly StorageSchema[]): void {
    for (const [name, { type = '' }] of Object.entries(this.schema.foundIn ?? {})) {
      const target = storages.find((storage) => 'found' in storage && storage.found === name) as
        FoundSchema | undefined;
      const near = (target?.types ?? []).map((other) => other.name).find((other) => isSlipOf(type, other));
      if (near !== undefined)
        this.warn(
          ['foundIn', name, 'type'],
          `there is the type "${near}", and this is another one`,
          didYouMean(type, [near]),
        );
    }
  }
}

/** The keyword of a reference, or of a list of them, that refuses what is left without the item. */
function leastKeyOf({ minimum, exclusiveMinimum, minItems }: Record<string, unknown>): string | undefined {
  if (typeof minimum === 'number' && minimum > 0) return 'minimum';
  if (typeof exclusiveMinimum === 'number' && exclusiveMinimum >= 0) return 'exclusiveMinimum';
  return typeof minItems === 'number' && minItems > 0 ? 'minItems' : undefined;
}
