// The tools that agents get: one per operation of a resource, described from its model.
import { IDEMPOTENCY_KEY, IF_MATCH, WHERE } from '../../model/agent-arguments.js';
import { PAGE } from '../../engine/list-plan.js';
import { couldEver } from '../../engine/rights/coarse-policy.js';
import { queryableField } from '../../engine/query/query-errors.js';
import { sortNames } from '../../engine/query/sorting.js';
import type { Actor } from '../../model/actor.js';
import { isAcross } from '../../model/functions/paths.js';
import type { ResourceModel } from '../../model/model.js';
import { isReading, type OperationKind } from '../../model/schema/schema.js';
import { openApiSchema } from '../openapi/json-schema-31.js';
import { sendable, sentSchema } from '../openapi/sent-schemas.js';
import { expandable, queryDocument } from '../query/query-document.js';
import type { BoundController } from '../resource/bind-controllers.js';
import { argumentsOf, boundedArguments, type Argument } from '../resource/argument-documents.js';

/** A JSON Schema of an object. */
export interface ObjectSchema {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
  additionalProperties: false;
  [keyword: string]: unknown;
}

/** One operation of one resource. */
export interface Tool {
  name: string;
  kind: OperationKind;
  bound: BoundController;
  /** Names of the arguments with the id of the item, and of its parent. */
  key: string;
  parentKey?: string;
}

/** A tool as a client sees it. */
export interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

/** Parameters that agents get in another form, or do not need. */
const LEFT_OUT = [PAGE, 'offset', 'order', 'orderby', 'password'];
const VERBS: Record<OperationKind, string> = {
  list: 'list',
  retrieve: 'get',
  create: 'create',
  update: 'update',
  delete: 'delete',
};
const KINDS = Object.keys(VERBS) as OperationKind[];
const LONGEST_NAME = 64;

/** The tools of a site, by name. Files are uploaded over HTTP alone. */
export function toolsOf(bound: readonly BoundController[]): Map<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const each of bound) {
    const { model, keyParam, parentParam } = each.route;
    for (const kind of KINDS) {
      if (!model.operations.has(kind) || (kind === 'create' && model.faces.upload)) continue;
      const base = nameOf(model, kind);
      let name = base;
      for (let count = 2; tools.has(name); count++) name = `${base.slice(0, LONGEST_NAME - 3)}_${count}`;
      tools.set(name, {
        name,
        kind,
        bound: each,
        key: keyArgument(model, keyParam),
        ...(parentParam === undefined ? {} : { parentKey: parentParam }),
      });
    }
  }
  return tools;
}

/** The argument that names an item: another one than its field of the same name, which may be sent too. */
function keyArgument({ fields, integerKey, operations }: ResourceModel, name: string): string {
  return !integerKey && operations.has('update') && fields.has(name) ? `${name}_key` : name;
}

function nameOf(model: ResourceModel, kind: OperationKind): string {
  const { name, path, view, parent } = model;
  const above = parent && !path.startsWith(parent.model.name) ? `${parent.model.name}_` : '';
  const across = isAcross(model) ? 'all_' : '';
  const what = kind === 'list' ? `${across}${above}${path}${view ? `_${view.name}` : ''}` : name;
  return `${VERBS[kind]}_${what}`
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .replaceAll('-', '_')
    .slice(0, LONGEST_NAME);
}

/** Whether a caller could use a tool at all. */
export function mayUse({ bound, kind }: Tool, actor: Actor): boolean {
  return couldEver(bound.route.model, kind, actor);
}

/** A tool as its caller sees it: without what they may never see. */
export function describeTool(tool: Tool, actor: Actor): ToolDescription {
  const { name, kind, bound } = tool;
  const { model } = bound.route;
  return {
    name,
    title: titleOf(model, kind),
    description: descriptionOf(model, kind, actor),
    inputSchema: inputOf(tool),
    annotations: {
      readOnlyHint: isReading(kind),
      destructiveHint: kind === 'delete' || kind === 'update',
      idempotentHint: kind !== 'create',
      openWorldHint: false,
    },
  };
}

function titleOf({ labels, view }: ResourceModel, kind: OperationKind): string {
  const what = kind === 'list' ? labels.plural : labels.singular;
  const verb = VERBS[kind];
  return `${verb[0]!.toUpperCase()}${verb.slice(1)} ${what.toLowerCase()}${view ? ` (${view.name})` : ''}`;
}

const RETURNS: Record<OperationKind, string> = {
  list: 'Returns {total, next_cursor, items}; send next_cursor as cursor for the following items.',
  retrieve: 'Returns {etag, item}; send etag as if_match when you change the item.',
  create: 'Returns {etag, item}. With idempotency_key the call can be repeated without making a second item.',
  update:
    'Changes the fields sent and leaves the others. With if_match it is refused when the item has changed since. Returns {etag, item}.',
  delete: 'Deletes for good where force is true; otherwise moves to the trash where there is one.',
};

function descriptionOf(model: ResourceModel, kind: OperationKind, actor: Actor): string {
  const what = `${titleOf(model, kind)}: ${model.description}`.replace(/\.?$/, '.');
  const query = kind === 'list' && model.query ? conditionsText(model, actor) : '';
  const owned =
    kind === 'create' && model.owned ? ` Items below it can be sent too: ${[...model.owned.keys()].join(', ')}.` : '';
  return `${what} ${RETURNS[kind]}${owned}${query}`;
}

/** Fields with their operators, grouped by operators. */
function conditionsText(model: ResourceModel, actor: Actor): string {
  const groups = new Map<string, string[]>();
  const references: string[] = [];
  for (const [name, { operators, references: reached }] of Object.entries(queryDocument(model)!.fields)) {
    if (!queryableField(model, name, actor)) continue;
    const key = operators.join(' ');
    groups.set(key, [...(groups.get(key) ?? []), name]);
    if (reached) references.push(`${name} (${reached.join(' or ')})`);
  }
  const fields = [...groups].map(([operators, names]) => `${names.join(', ')}: ${operators}`).join('; ');
  const behind = references.length > 0 ? ` Fields of referenced items nest under ${references.join(', ')}.` : '';
  return ` Operators in where, by field: ${fields}.${behind}`;
}

function inputOf({ kind, bound, key, parentKey }: Tool): ObjectSchema {
  const { model } = bound.route;
  const properties: ObjectSchema['properties'] = {};
  const required: string[] = [];
  if (parentKey !== undefined) {
    properties[parentKey] = {
      type: 'integer',
      description: `Id of the ${model.parent!.model.labels.singular.toLowerCase()}.`,
    };
    required.push(parentKey);
  }
  if (kind !== 'list' && kind !== 'create' && !model.singleton) {
    properties[key] = { type: model.integerKey ? 'integer' : 'string', description: 'Which item.' };
    required.push(key);
  }
  for (const [name, argument] of Object.entries(boundedArguments(model, kind))) {
    if (kind === 'list' && model.query && LEFT_OUT.includes(name)) continue;
    properties[name] = schemaOf(model, kind, name, argument);
    if (argument.required && kind === 'create') required.push(name);
  }
  Object.assign(properties, further(model, kind));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

/** An argument as OpenAPI describes it: values of bodies may be sent in more forms than they are shown in. */
function schemaOf({ fields }: ResourceModel, kind: OperationKind, name: string, argument: Argument) {
  const isBody = kind === 'create' || kind === 'update';
  return isBody ? sentSchema(fields.get(name), argument, kind) : sendable(openApiSchema(argument));
}

const text = (description: string) => ({ type: 'string', description });

/** Arguments that come from the protocol and not from the resource. */
function further(model: ResourceModel, kind: OperationKind): ObjectSchema['properties'] {
  const fields: ObjectSchema['properties'] = {
    _fields: text('Fields to return, separated by commas; nested ones with dots. Request only what you need.'),
  };
  const references = expandable(model).join(', ');
  const expand: ObjectSchema['properties'] =
    references === '' ? {} : { expand: text(`References to return as items instead of ids: ${references}.`) };
  const ifMatch = { [IF_MATCH]: text('etag of the version that you mean; refused when the item has changed since.') };
  switch (kind) {
    case 'list':
      return model.query ? { ...languageOf(model), ...expand, ...fields } : fields;
    case 'retrieve':
      return { ...expand, ...fields };
    case 'create':
      return {
        ...ownedOf(model),
        [IDEMPOTENCY_KEY]: text('A text of your own for this creation: repeated, it makes no second item.'),
      };
    case 'update':
    case 'delete':
      return ifMatch;
  }
}

function languageOf(model: ResourceModel): ObjectSchema['properties'] {
  const order: ObjectSchema['properties'] = model.view?.order
    ? {}
    : { orderby: text(`Sort keys, separated by commas, - before descending ones: ${sortNames(model).join(', ')}.`) };
  return {
    [WHERE]: {
      type: 'object',
      description:
        'Conditions by field: {"field": {"operator": value}}; groups: {"or": [{…}, {…}]}. The operators of each field are in the description of the tool.',
    },
    ...order,
    aggregate: text('Counts instead of items: count, or sum, avg, min, max of a field: "count,sum.price".'),
    group: text('Fields to group aggregate by.'),
    cursor: text('next_cursor of the previous result.'),
  };
}

function ownedOf({ owned }: ResourceModel): ObjectSchema['properties'] {
  return Object.fromEntries(
    [...(owned ?? [])].map(([name, model]) => {
      const fields = Object.entries(argumentsOf(model, 'create'));
      const required = fields.filter(([, argument]) => argument.required).map(([field]) => field);
      const properties = Object.fromEntries(
        fields.map(([field, argument]) => [field, schemaOf(model, 'create', field, argument)]),
      );
      const items = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
      return [name, { type: 'array', description: `${model.labels.plural} to create below it.`, items }];
    }),
  );
}
