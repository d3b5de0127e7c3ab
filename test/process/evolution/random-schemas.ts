// Schemas of three resources by chance, changes of them, and values of their fields. The same seed makes the same ones.
import { AWKWARD, OPEN } from './evolving-site.js';

export type Field = { type: string; [option: string]: any };
export type Schema = { path: string; fields: Record<string, Field>; [key: string]: any };
export type Schemas = Record<string, Schema>;

/** Random decisions from a seed (mulberry32). */
export class Dice {
  /** Counts unique values. */
  private serial = 0;

  constructor(private state: number) {}

  /** At least 0, less than 1. */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!;
  }

  some<T>(of: readonly T[], share: number): T[] {
    return of.filter(() => this.chance(share));
  }

  unique(): number {
    return (this.serial += 1);
  }
}

const RESOURCES = ['ash', 'birch', 'cedar'];
const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const LENGTHS = [10, 60, 191, 300, 700];
const TYPES: ((dice: Dice) => Field)[] = [
  (dice) => ({ type: 'string', maxLength: dice.pick(LENGTHS) }),
  (dice) => ({ type: 'string', maxLength: dice.pick(LENGTHS) }),
  () => ({ type: 'string', enum: ['red', 'green', 'Blue'] }),
  (dice) => ({ type: 'decimal', precision: dice.pick([6, 10]), scale: dice.pick([0, 2, 4]) }),
  (dice) => ({ type: 'array', items: { type: dice.pick(['string', 'integer']) } }),
  () => ({ type: 'object', properties: { x: { type: 'string' }, y: { type: 'integer' } } }),
  (dice) => ({ type: dice.pick(['reference', 'references']), to: dice.pick(RESOURCES) }),
  (dice) => ({ type: dice.pick(['text', 'rendered', 'slug', 'email', 'uri', 'uuid']) }),
  (dice) => ({ type: dice.pick(['integer', 'number', 'boolean', 'date', 'datetime', 'time', 'json', 'strings']) }),
];
const TEXTS = ['string', 'text', 'slug', 'rendered', 'email', 'uri'];
const SORTED = ['string', 'integer', 'number', 'decimal', 'boolean', 'date', 'datetime', 'slug', 'email', 'uuid'];

/** Schemas that may be invalid: a field of an object cannot be unique, for example. */
export function randomSchemas(dice: Dice): Schemas {
  return Object.fromEntries(
    RESOURCES.map((name) => {
      const names = FIELDS.slice(0, 3 + dice.below(4));
      const fields = Object.fromEntries(names.map((each) => [each, randomField(dice)]));
      const schema: Schema = { ...OPEN, path: `${name}s`, fields };
      schema['traits'] = randomTraits(dice, name, fields);
      chooseLists(dice, schema);
      return [name, schema];
    }),
  );
}

function randomField(dice: Dice): Field {
  return withOptions(dice, dice.pick(TYPES)(dice));
}

function withOptions(dice: Dice, before: Field): Field {
  const { nullable: _n, index: _i, unique: _u, default: _d, filterable: _f, ...field } = before;
  if (dice.chance(0.5)) field['nullable'] = true;
  if (dice.chance(0.3)) field['index'] = true;
  if (dice.chance(0.2)) field['unique'] = true;
  if (dice.chance(0.4) && !field.type.startsWith('reference')) field['default'] = randomValue(dice, field as Field);
  const filters = TEXTS.includes(field.type) ? ['contains', 'in', 'equals', 'prefix', 'operators'] : ['equals', 'in'];
  if (dice.chance(0.5)) field['filterable'] = dice.pick(filters);
  return field as Field;
}

function randomTraits(dice: Dice, name: string, fields: Record<string, Field>): object {
  const texts = Object.entries(fields).filter(([, { type, enum: values }]) => type === 'string' && !values);
  const traits: Record<string, object> = {};
  if (texts.length > 0 && dice.chance(0.3)) traits['sluggable'] = { from: dice.pick(texts)[0] };
  if (dice.chance(0.25)) traits['dated'] = {};
  if (dice.chance(0.2)) {
    fields['status'] ??= { type: 'string', default: 'open', maxLength: 20 };
    traits['trashable'] = {};
  }
  if (dice.chance(0.2)) {
    fields['parent'] ??= { type: 'reference', to: name };
    traits['nested'] = {};
  }
  return traits;
}

/** Orders, searched fields and counters that suit the fields. */
function chooseLists(dice: Dice, schema: Schema): void {
  const namesOf = (types: readonly string[]): string[] =>
    Object.entries(schema.fields).flatMap(([name, { type }]) => (types.includes(type) ? [name] : []));
  const sorted = namesOf(SORTED);
  schema['list'] = { orderby: ['id', ...dice.some(sorted, 0.5)] };
  const searched = dice.some(namesOf(['string', 'text', 'rendered']), 0.6);
  schema['search'] = searched.length > 0 ? { fields: searched } : undefined;
  const counted = dice.chance(0.15) && sorted.length > 0 ? [dice.pick(sorted)] : undefined;
  schema['storage'] = { ...schema['storage'], partition: counted };
}

/** A change of one resource with the table of `stored`; it may make its schema invalid. */
type Change = (dice: Dice, schema: Schema, name: string, field: string, stored: Schema) => void;

const unused = ({ fields }: Schema): string[] => FIELDS.filter((name) => !(name in fields));
const toggle =
  (option: string): Change =>
  (_dice, { fields }, _name, field) => {
    if (fields[field]![option]) delete fields[field]![option];
    else fields[field]![option] = true;
  };
const move = (schema: Schema, storage: object, stored: Schema): void => {
  schema['storage'] = { ...storage, movedFrom: stored['storage']?.table ?? stored.path };
};
/** The former column of a field that gets another one, however often it has changed. */
const formerColumn = ({ fields }: Schema, name: string, stored: Schema): Pick<Field, 'renamedFrom'> => {
  const column = fields[name]!['column'] ?? name;
  const isStored = Object.entries(stored.fields).some(([each, field]) => (field['column'] ?? each) === column);
  return { renamedFrom: isStored ? column : fields[name]!['renamedFrom'] };
};

const CHANGES: Record<string, Change> = {
  add: (dice, schema) => {
    const field = randomField(dice);
    if (unused(schema).length > 0)
      schema.fields[dice.pick(unused(schema))] = dice.chance(0.5) ? { ...field, renamedFrom: null } : field;
  },
  remove: (_dice, { fields }, _name, field) => delete fields[field],
  retype: (dice, { fields }, _name, field) => (fields[field] = randomField(dice)),
  options: (dice, { fields }, _name, field) => (fields[field] = withOptions(dice, fields[field]!)),
  length: (dice, { fields }, _name, field) => {
    if (fields[field]!.type === 'string') fields[field]!['maxLength'] = dice.pick([...LENGTHS, 5000]);
  },
  nullable: toggle('nullable'),
  unique: toggle('unique'),
  rename: (dice, schema, _name, field, stored) => {
    if (unused(schema).length === 0) return;
    const renamed = { ...schema.fields[field]!, ...formerColumn(schema, field, stored) };
    delete schema.fields[field];
    schema.fields[dice.pick(unused(schema))] = renamed;
  },
  column: (_dice, schema, _name, field, stored) => {
    const { column, ...rest } = schema.fields[field]!;
    const other = column ? {} : { column: `${field}_stored` };
    schema.fields[field] = { ...(rest as Field), ...other, ...formerColumn(schema, field, stored) };
  },
  list: (_dice, { fields }, _name, field) => {
    const { type } = fields[field]!;
    if (type === 'reference') fields[field] = { ...fields[field]!, type: 'references' };
    if (type === 'string' || type === 'integer') fields[field] = { type: 'strings' };
  },
  traits: (dice, schema, name) => (schema['traits'] = randomTraits(dice, name, schema.fields)),
  lists: (dice, schema) => chooseLists(dice, schema),
  table: (_dice, schema, name, _field, stored) => move(schema, { table: `${name}_rows` }, stored),
  share: (_dice, schema, name, _field, stored) => move(schema, { table: 'trees', where: { kind: name } }, stored),
};

/** The schemas after a random change, for tables of the schemas `stored`; its name for messages. */
export function changeSchemas(dice: Dice, schemas: Schemas, stored: Schemas): { changed: Schemas; what: string } {
  const changed = structuredClone(schemas);
  const name = dice.pick(Object.keys(changed));
  const schema = changed[name]!;
  const field = dice.pick(Object.keys(schema.fields));
  const kind = dice.pick(Object.keys(CHANGES));
  CHANGES[kind]!(dice, schema, name, field, stored[name]!);
  // Other parts of the schema may name a field that is gone.
  if (kind !== 'lists') chooseLists(dice, schema);
  return { changed, what: `${kind} ${name}.${field}` };
}

/** A value that a field accepts. */
export function randomValue(dice: Dice, field: Field): unknown {
  if (field['nullable'] && dice.chance(0.2)) return null;
  return VALUES[field.type]!(dice, field);
}

const oneOf =
  (...values: unknown[]) =>
  (dice: Dice) =>
    dice.pick(values);

const VALUES: Record<string, (dice: Dice, field: Field) => unknown> = {
  string: (dice, { enum: values, maxLength = 60 }) => {
    if (values) return dice.pick(values as string[]);
    if (dice.chance(0.4)) return dice.pick(['', '12', '-3', '1.50', 'true', '2020-02-29', '0']);
    const text = [...dice.pick(AWKWARD)].slice(0, maxLength - 4).join('');
    return text.trim() + dice.unique();
  },
  text: oneOf(...AWKWARD, 'x'.repeat(3000), '', '7', '{"x":"1"}'),
  rendered: oneOf('<p>one</p>', 'two <b>three</b>', ''),
  integer: (dice) => dice.pick([0, 1, -7, 9007199254740991, dice.below(1000)]),
  number: (dice) => dice.pick([0, 1, -7.5, 1e15, 3, dice.below(1000) / 8]),
  decimal: (dice) => dice.pick(['0', '1', '-3.5', '99.25', String(dice.below(1000))]),
  boolean: oneOf(true, false),
  date: oneOf('2020-02-29', '1999-12-31', '2031-01-01'),
  datetime: oneOf('2020-02-29T23:59:59', '1970-01-01T00:00:00', '2031-06-01T12:00:01'),
  time: oneOf('00:00:00', '23:59:59', '12:30:00'),
  uuid: (dice) => `123e4567-e89b-42d3-a456-${String(dice.unique()).padStart(12, '0')}`,
  email: (dice) => `who${dice.unique()}@example.org`,
  uri: (dice) => `https://example.org/${dice.unique()}`,
  slug: (dice) => `slug-${dice.unique()}`,
  json: oneOf({ a: 1 }, [1, 'two'], 'text', 5, { deep: { er: [null] } }),
  array: (dice, { items }) => dice.pick(items.type === 'string' ? [[], ['a', 'b'], ['é']] : [[], [1, 2], [-5]]),
  object: oneOf({}, { x: 'one' }, { x: '', y: 3 }),
  strings: oneOf([], ['one'], ['two', 'Three']),
  reference: oneOf(1, 2, 3, 4),
  references: oneOf([], [1], [2, 1], [3, 4]),
};
