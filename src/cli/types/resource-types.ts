// The types of one resource: its items by context, request bodies, and what its client must know.
import { contextsOf, itemSchema } from '../../http/openapi/item-schemas.js';
import { openApiSchema } from '../../http/openapi/json-schema-31.js';
import { operatorSchemas } from '../../http/openapi/query-parameters.js';
import { sendable, sentSchema } from '../../http/openapi/sent-schemas.js';
import type { Schema } from '../../http/openapi/schema-parts.js';
import type { ResourceModel } from '../../model/model.js';
import type { OwnActionModel } from '../../model/hooks.js';
import { EXPAND, type QueryField, type QueryWord } from '../../model/query-language.js';
import type { Context, OperationKind } from '../../model/schema/schema.js';
import { memberName, type ModuleNames } from './names.js';
import { commentText, indented, membersText, typeText } from './type-text.js';
import { targetsOf } from '../../engine/perform/expand.js';
import { sortNames } from '../../engine/query/sorting.js';
import { argumentsOf, type Argument } from '../../http/resource/argument-documents.js';
import { aggregateNames, expandable, expandableBehind, queryDocument } from '../../http/query/query-document.js';

type OwnParams = OwnActionModel['params'];

/** A resource with its names, and those of all others. */
export interface NamedModel {
  model: ResourceModel;
  names: ModuleNames;
  namesOf: ReadonlyMap<ResourceModel, ModuleNames>;
}

/**
 * Whether a list has its own item types: lists across parents and saved queries have those of the resource, unless a
 * query names fields.
 */
const hasItems = ({ listOf, view }: ResourceModel) => !listOf || view?.fields !== undefined;

/** The types of a resource, as text. */
export function resourceTypes(named: NamedModel): string {
  const { model, names } = named;
  const parts = [
    ...(hasItems(model) ? contextsOf(model).map((context) => itemText(named, context)) : []),
    ...(model.operations.has('create') ? [sentText(named, 'create')] : []),
    ...(model.operations.has('update') ? [sentText(named, 'update')] : []),
    ...(model.operations.has('list') ? [sentText(named, 'list')] : []),
    `${commentText(`What the client knows of ${names.member}.`)}${resourceText(named)}`,
  ];
  return parts.join('\n');
}

/** Name of the type of an item in a context. */
function itemType({ type }: ModuleNames, context: Context): string {
  return `${type}${context[0]!.toUpperCase()}${context.slice(1)}`;
}

const SENT_TYPES = { create: 'Create', update: 'Update', list: 'Query' } as const;

function itemText({ model, names }: NamedModel, context: Context): string {
  const { description, ...schema } = itemSchema(model, context, { $ref: 'Links' });
  return interfaceText(itemType(names, context), membersText(schema, 'received'), description);
}

function sentText({ model, names, namesOf }: NamedModel, operation: keyof typeof SENT_TYPES): string {
  const says = {
    create: 'What creates an item.',
    update: 'What changes an item; what is not sent stays.',
    list: 'What narrows and orders the list.',
  };
  const schema = argumentsSchema(model, operation);
  if (operation === 'list') schema['properties'] = withLanguage(model, schema['properties'] as Members);
  if (operation === 'create')
    schema['properties'] = {
      ...(schema['properties'] as Members),
      ...ownedMembers(model, (owned) => [`${namesOf.get(owned)!.type}${SENT_TYPES.create}`]),
    };
  return interfaceText(`${names.type}${SENT_TYPES[operation]}`, membersText(schema, 'sent'), says[operation]);
}

type Members = Record<string, Schema>;

/** The members of a new item that create items below it, with their types. */
function ownedMembers({ owned = new Map() }: ResourceModel, typesOf: (model: ResourceModel) => string[]): Members {
  const lists = [...owned].map(([path, model]) => {
    const types = typesOf(model).map(($ref) => ({ $ref }));
    return [path, { type: 'array', items: { anyOf: types }, description: `${model.labels.plural} below it.` }] as const;
  });
  return Object.fromEntries(lists);
}

/** Whether the query language has a word for a resource, which may have a parameter of that name. */
export function offers({ query }: ResourceModel, word: QueryWord): boolean {
  return query !== undefined && !query.taken.has(word);
}

/** The parameters of a list with those of the query language; a parameter of the resource keeps its own meaning too. */
function withLanguage(model: ResourceModel, params: Members): Members {
  if (!model.query) return params;
  const fields = [...model.query.fields].filter(([, { operators }]) => operators.size > 0);
  const words: Members = {
    or: { type: 'array', items: { type: 'object' } },
    and: { type: 'array', items: { type: 'object' } },
    cursor: { type: 'string', description: 'Of the page; empty for the first one. Takes the place of page.' },
  };
  const added: Members = Object.fromEntries([
    ...fields.map(([name, field]) => [name, conditionsOn(field)] as const),
    ...Object.entries(words).filter(([word]) => offers(model, word as QueryWord)),
    ['orderby', severalKeys(sortNames(model))],
  ]);
  const joined = Object.entries(added).map(([name, schema]) => {
    const { [name]: own } = params;
    return [name, own ? { anyOf: [own, schema], description: own['description'] } : schema] as const;
  });
  return { ...params, ...Object.fromEntries(joined) };
}

/** A sort key with its direction, or several. */
function severalKeys(names: readonly string[]): Schema {
  const descending = names.map((name) => `-${name}`);
  return { anyOf: [{ enum: descending }, { type: 'array', items: { enum: [...names, ...descending] } }] };
}

/** The schema of a condition on a field; of a reference, conditions on the fields of its target, too. */
function conditionsOn(field: QueryField): Schema {
  const operators = Object.entries(operatorSchemas(field)).map(([name, { description: _said, ...value }]) => [
    name,
    value,
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(operators),
    additionalProperties: field.targets !== undefined,
  };
}

const isBody = (operation: OperationKind) => operation === 'create' || operation === 'update';

/** The arguments of an operation without the context, which is chosen with the type of the response. */
function argumentsSchema(model: ResourceModel, operation: OperationKind): Schema {
  const { context, ...args } = argumentsOf(model, operation);
  const kept = Object.entries(isBody(operation) && context ? { context, ...args } : args);
  const shape = (name: string, argument: Argument) =>
    isBody(operation) ? sentSchema(model.fields.get(name), argument, operation) : sendable(openApiSchema(argument));
  return {
    properties: Object.fromEntries(kept.map(([name, argument]) => [name, shape(name, argument)])),
    required: kept.filter(([, { required }]) => required).map(([name]) => name),
  };
}

function resourceText({ model, names, namesOf }: NamedModel): string {
  const { operations, schema, faces, contexts } = model;
  const own = hasItems(model) ? names : namesOf.get(model.listOf!)!;
  const acts = model.listOf ? [] : [...model.actions];
  const has = (operation: OperationKind, type: string) => (operations.has(operation) ? type : 'never');
  const items = contexts.map((context) => `${context}: ${itemType(own, context)}`).join('; ');
  const [edit, previous] = (['edit', schema.deleteContext ?? 'edit'] as const).map((context) => itemType(own, context));
  // The results of the actions of traits.
  const changed = [...new Set(acts.map(([, { changes }]) => itemType(namesOf.get(changes)!, 'edit')))];
  const alias = schema.selfAlias === undefined ? '' : ` | ${JSON.stringify(schema.selfAlias)}`;
  const members: Record<string, string> = {
    key: `${model.integerKey ? 'number' : 'string'}${alias}`,
    items: `{ ${items} }`,
    context: JSON.stringify(model.defaultContext),
    keyed: String(model.list.keyedBy !== undefined),
    query: has('list', `${names.type}Query`),
    references: referencesText(model, namesOf),
    expands: String(offers(model, EXPAND) && expandable(model).length > 0),
    ...summaryMembers(model),
    lookup: inlineText(argumentsSchema(model, 'retrieve')),
    create: has('create', `${names.type}Create`),
    // Callers who may create but not edit see the item in the context `view`.
    created: has('create', withOwned(`${edit} | ${itemType(own, 'view')}`, model, namesOf)),
    update: has('update', `${names.type}Update`),
    updated: has('update', edit!),
    removal: inlineText(argumentsSchema(model, 'delete')),
    removed: has('delete', `Deleted<${previous}>${faces.trash ? ` | ${edit}` : ''}`),
    action: acts.map(([name]) => JSON.stringify(name)).join(' | ') || 'never',
    acted: changed.join(' | ') || 'never',
    actions: ownActionsText(model, own),
  };
  const text = Object.entries(members).map(([name, type]) => `${name}: ${type};\n`);
  return interfaceText(`${names.type}Resource extends Resource`, indented(text.join('')));
}

/** The type of a new item with the items created below it, which are present when they were sent. */
function withOwned(type: string, model: ResourceModel, namesOf: NamedModel['namesOf']): string {
  if (!model.owned) return type;
  const contexts = ['edit', 'view'] as const;
  const properties = ownedMembers(model, (owned) => contexts.map((each) => itemType(namesOf.get(owned)!, each)));
  return `(${type}) & {\n${membersText({ properties }, 'sent')}}`;
}

/** The target resources of `expand` by member, including paths that only a referring resource may expand. */
function referencesText(model: ResourceModel, namesOf: NamedModel['namesOf']): string {
  const members = expandableBehind(model).map((name) => {
    const targets = targetsOf(model.fields.get(name)!).map((target) => `${namesOf.get(target)!.type}Resource`);
    return `${memberName(name)}: ${targets.join(' | ')};\n`;
  });
  return members.length === 0 ? '{}' : `{\n${indented(members.join(''))}}`;
}

/** What can be computed from a list, and the members that it can be grouped by. */
function summaryMembers(model: ResourceModel): Record<'aggregate' | 'group', string> {
  const document = queryDocument(model);
  const union = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(' | ') || 'never';
  return { aggregate: union(document ? aggregateNames(document) : []), group: union(document?.group ?? []) };
}

/** What the actions of extensions take and return, by name. */
function ownActionsText(model: ResourceModel, names: ModuleNames): string {
  const own = model.listOf ? [] : [...model.ownActions.values()];
  const texts = own.map(({ name, on, params, returns }) => {
    const key = on === 'item' && !model.singleton ? 'key: true; ' : '';
    const body = { properties: propertiesOf(params), required: requiredOf(params) };
    const result = returns ? typeText(openApiSchema(returns as Argument), 'received') : resultOf(on, names);
    return `${JSON.stringify(name)}: { ${key}body: ${inlineText(body)}; result: ${result} };\n`;
  });
  return texts.length === 0 ? '{}' : `{\n${indented(texts.join(''))}}`;
}

function resultOf(on: 'item' | 'collection', names: ModuleNames): string {
  return on === 'item' ? `${itemType(names, 'edit')} | ${itemType(names, 'view')}` : 'unknown';
}

function propertiesOf(params: OwnParams): Record<string, Schema> {
  return Object.fromEntries([...params].map(([name, { arg }]) => [name, sendable(openApiSchema(arg as Argument))]));
}

function requiredOf(params: OwnParams): string[] {
  return [...params.values()].filter(({ schema }) => schema.required === true).map(({ name }) => name);
}

function interfaceText(name: string, members: string, description?: unknown): string {
  return `${commentText(description)}export interface ${name} {\n${members}}\n`;
}

function inlineText(schema: Schema): string {
  const members = membersText(schema, 'sent');
  return members === '' ? '{}' : `{\n${members}}`;
}
