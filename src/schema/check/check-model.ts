// Problems of a valid schema that only show after fields and parents are linked.
import type { ResourceModel } from '../../model/model.js';
import { keyParamOf } from '../../model/functions/paths.js';
import { checkFields } from './check-fields.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

/** Version column of a row. */
const VERSION = 'row_version';
const ID = 'id';
/** Kinds of columns that take no texts. */
const NUMERIC = ['integer', 'boolean', 'double', 'decimal'];
/** Types whose values have no meaningful order. */
const UNORDERED = ['password', 'array', 'object', 'json'];
/** Types whose values can identify an item in a path. */
const KEY_TYPES = ['id', 'string', 'slug', 'integer', 'uuid'];

/** Reports the problems of one resource. */
export function checkModel(model: ResourceModel, report: Report): void {
  for (const field of model.fields.values()) checkField(field, report);
  checkFields(model, report);
  checkColumns(model, report);
  if (model.table) {
    checkId(model.fields.get(ID)!, report);
    checkConstantColumns(model, report);
  }
  checkKey(model, report);
  checkParent(model, report);
  checkList(model, report);
  checkSearched(model, report);
  checkSeeds(model, report);
}

function checkField(field: FieldModel, report: Report): void {
  const at = ['fields', field.name];
  const { schema } = field;
  const targets = field.targets ?? (field.many?.target ? [field.many.target] : []);
  for (const target of targets) {
    if (!target.table)
      report([...at, 'to'], `"${target.name}" is a static resource: its items have no ids to refer to`);
    else if (target.table !== targets[0]!.table)
      report(
        [...at, 'to'],
        `"${target.name}" and "${targets[0]!.name}" do not share a table: one reference cannot lead to both`,
      );
  }
  if (schema.writeOnce && !field.column)
    report([...at, 'writeOnce'], `the type ${field.type} is not kept in one column`);
  const isMe = schema.onUpdate === '$me' || (field.generates?.create !== undefined && field.targets);
  if (isMe && !field.targets?.some(({ faces }) => faces.accounts))
    report(
      at,
      '"$me" is an account, and the reference does not lead to accounts',
      'refer to the resource of the accounts',
    );
  if (field.type === 'id' && field.name !== 'id') report(at, 'the field of type id must be called id');
  if (field.readOnly || field.hidden || field.required || schema.nullable || schema.default !== undefined) return;
  if (field.generates?.create) return;
  // A reference to nothing is like no other.
  if (schema.unique && field.columns.length > 0 && !field.targets)
    report(
      [...at, 'unique'],
      'two items without a value would have the same one',
      'make the field required or nullable',
    );
}

/** Ids are made by the database, and everything refers to them. */
function checkId({ type, column }: FieldModel, report: Report): void {
  if (type !== 'id')
    report(
      ['fields', 'id', 'type'],
      `the field "id" is of type id, not ${type}`,
      'give the field another name; "key" may name it in URLs',
    );
  else if (column !== ID)
    report(['fields', 'id', 'column'], 'the column of the ids is called id', 'leave out "column"');
}

/** Constant columns hold what tells the rows of a table apart: nothing else may write them. */
function checkConstantColumns({ discriminator, fields, table }: ResourceModel, report: Report): void {
  for (const [name, value] of Object.entries(discriminator)) {
    const at = ['storage', 'where', name];
    const { kind } = table!.columns.get(name)!;
    if (name === ID || name === VERSION) report(at, `the column "${name}" is the engine's own`, 'choose another name');
    else if (typeof value === 'string' && NUMERIC.includes(kind))
      report(
        at,
        `the column "${name}" of the table "${table!.name}" holds ${kind} already, not a text`,
        'choose another name',
      );
    const field = [...fields.values()].find((each) => each.column === name && !each.readOnly && !each.hidden);
    if (field)
      report(
        ['fields', field.name],
        `the column "${name}" is always ${JSON.stringify(value)}: an item with another value would be none of this resource`,
        'make the field readOnly',
      );
  }
}

/** Columns of a table must have unique names, across all resources that share it. */
function checkColumns(model: ResourceModel, report: Report): void {
  for (const field of model.fields.values()) {
    const at = ['fields', field.name];
    for (const { name, kind, precision, scale } of model.table ? field.columns : []) {
      const shared = model.table!.columns.get(name);
      if (name === VERSION || (name === ID && field.type !== 'id' && field.name !== ID))
        report(at, `the column "${name}" is the engine's own`, 'rename the field');
      else if (shared && shared.kind !== kind)
        report(
          at,
          `the column "${name}" of the table "${model.table!.name}" holds ${shared.kind} already, not ${kind}`,
          'give the field another "column"',
        );
      else if (kind === 'decimal' && (shared!.precision !== precision || shared!.scale !== scale))
        report(
          at,
          `the column "${name}" of the table "${model.table!.name}" holds decimals of ${shared!.precision} digits, ${shared!.scale} of them after the point`,
          'give the field the same "precision" and "scale", or another "column"',
        );
    }
  }
}

function checkKey(model: ResourceModel, report: Report): void {
  const { key } = model;
  if (!key || model.integerKey || key.name === ID || !model.table) return;
  if (!KEY_TYPES.includes(key.type)) report(['key'], `the type ${key.type} cannot name an item in a URL`);
  else if (key.type !== 'slug' && !key.schema.unique)
    report(['key'], `two items could have the same ${key.name}`, `make the field "${key.name}" unique`);
}

function checkParent(model: ResourceModel, report: Report): void {
  const parent = model.parent?.model;
  if (!parent) return;
  if (model.parent!.param === keyParamOf(model))
    report(
      ['parent', 'param'],
      `"${model.parent!.param}" is the part of the path that names the item itself`,
      'give the part that names the parent another name',
    );
  if (!model.parent!.field.targets?.includes(parent))
    report(['parent', 'field'], `"${model.parent!.field.name}" must be a reference to "${parent.name}"`);
  if (!parent.table)
    report(['parent', 'resource'], `"${parent.name}" is a static resource: nothing can live below its items`);
  else if (!parent.integerKey)
    report(
      ['parent', 'resource'],
      `items of "${parent.name}" are not named by their id, so nothing can live below them`,
    );
}

/** Hashes of passwords are no texts to look for, whoever may search. */
function checkSearched({ schema: { search }, fields }: ResourceModel, report: Report): void {
  const places = [
    ...(search?.fields ?? []).map((name, index) => ({ name, at: ['search', 'fields', index] })),
    ...(search?.privileged?.fields ?? []).map((name, index) => ({
      name,
      at: ['search', 'privileged', 'fields', index],
    })),
  ];
  for (const { name, at } of places)
    if (fields.get(name)?.type === 'password') report(at, 'a password cannot be searched', 'leave it out');
}

function checkList(model: ResourceModel, report: Report): void {
  const { list = {}, defaultContext } = model.schema;
  const orderings = list.orderby ?? ['id'];
  if (list.defaultOrderby !== undefined && model.table && !orderings.includes(list.defaultOrderby)) {
    report(
      ['list', 'defaultOrderby'],
      `"${list.defaultOrderby}" is none of the orderings offered`,
      `add it to "orderby": ${orderings.join(', ')}`,
    );
  }
  checkOrders(model, orderings, report);
  for (const [index, name] of orderings.entries()) {
    const field = model.fields.get(list.orderings?.[name] ?? name);
    if (field && UNORDERED.includes(field.type))
      report(['list', 'orderby', index], `lists cannot be ordered by the type ${field.type}`);
  }
  if (model.list.perPage > model.list.maxPerPage) {
    const at = list.perPage === undefined ? 'maxPerPage' : 'perPage';
    report(['list', at], `pages of ${model.list.perPage} items are larger than the largest, ${model.list.maxPerPage}`);
  }
  if (!model.contexts.includes(model.defaultContext)) {
    const shown = `no field is shown in the context ${model.defaultContext}`;
    report(
      defaultContext === undefined ? ['fields'] : ['defaultContext'],
      shown,
      `set "defaultContext" to ${model.contexts.join(' or ')}`,
    );
  }
}

/** Orders by what a request may leave out. */
function checkOrders({ schema, list, table }: ResourceModel, orderings: readonly string[], report: Report): void {
  if (!table) return;
  if (!schema.search && orderings.includes('relevance'))
    report(
      ['list', 'orderby', orderings.indexOf('relevance')],
      '"relevance" orders what a search finds, and there is no "search"',
      'add "search", or leave out "relevance"',
    );
  const usual = list.defaultOrderby;
  const needs = usual === 'relevance' ? 'search' : usual === 'include' && list.pageOutOfRange ? 'include' : undefined;
  if (needs !== undefined)
    report(
      schema.list?.defaultOrderby === undefined ? ['list', 'orderby', 0] : ['list', 'defaultOrderby'],
      `lists without the parameter "${needs}" would be refused: they cannot be ordered by ${usual}`,
      'set "defaultOrderby" to another ordering',
    );
}

function checkSeeds(model: ResourceModel, report: Report): void {
  for (const field of model.fields.values()) {
    if (!field.schema.unique) continue;
    const values = model.seeds.map((seed) => seed[field.name]);
    for (const [index, value] of values.entries()) {
      if (value !== undefined && value !== null && values.indexOf(value) < index)
        report(['seeds', index, field.name], `another seed has this ${field.name} already`);
    }
  }
  for (const [index, seed] of model.seeds.entries()) {
    for (const [name, value] of Object.entries(seed)) {
      const checked = model.fields.get(name)?.rule(value, name);
      if (checked && 'issue' in checked) report(['seeds', index, name], checked.issue.message);
    }
    for (const field of model.fields.values()) {
      if (field.required && seed[field.name] === undefined)
        report(['seeds', index], `the required field "${field.name}" is missing`);
    }
  }
}
