// The query language in the OpenAPI document: its parameters besides those of each list, the media types of exports,
// and the owned items that may be created with an item.
import type { ResourceModel } from '../../model/model.js';
import { AGGREGATE_FUNCTIONS, QUERY_LIMITS, type QueryField } from '../../model/query-language.js';
import { aggregateNames, EXPORT_TYPES, expandable, expandPaths, queryDocument } from '../query/query-document.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { openApiSchema } from './json-schema-31.js';
import type { Paths } from './other-paths.js';
import { sendable } from './sent-schemas.js';
import { createdSchemas } from './responses.js';
import { either, refTo, type Schema } from './schema-parts.js';

const EXPORT_HEADERS: Schema = {
  'Content-Disposition': { description: 'Name of the file, of an export as CSV.', schema: { type: 'string' } },
};

/** Name of the schema of a group of a summary. */
const SUMMARY = 'Summary';

/** Schemas that the language adds to those of resources. */
export const QUERY_SCHEMAS: Record<string, Schema> = {
  [SUMMARY]: {
    type: 'object',
    description: 'A group of a summary: what `aggregate` returns in place of items.',
    properties: {
      group: { type: 'object', description: 'Values of the fields that it is grouped by.' },
      count: { type: 'integer', description: 'Items of the group.' },
      ...Object.fromEntries(
        AGGREGATE_FUNCTIONS.filter((name) => name !== 'count').map((name) => [
          name,
          { type: 'object', description: `By field.` },
        ]),
      ),
    },
    minProperties: 1,
    additionalProperties: false,
  },
};

type Parameter = Record<string, unknown> & { name: string; in: string };
type Method = Paths[string][string];

/** Adds the language to the list and the items of a route, and owned items to its creation. */
export function describeQuery(paths: Paths, { base, model, keyParam }: ResourceRoute): void {
  const collection = `${base}${model.route}`.replaceAll(/:(\w+)/g, '{$1}');
  const { get: list, post: create } = paths[collection] ?? {};
  const document = queryDocument(model);
  if (document && list && model.operations.has('list')) {
    addParameters(list, listParameters(model));
    const ok = (list['responses'] as Record<string, Schema>)['200'] ?? {};
    const content = (ok['content'] ?? {}) as Schema;
    const body = content['application/json'] as { schema?: Schema } | undefined;
    const items = body?.schema?.['items'] as Schema | undefined;
    if (items) body!.schema = { ...body!.schema, items: { anyOf: [items, ...expandedSchemas(model), refTo(SUMMARY)] } };
    for (const type of EXPORT_TYPES) content[type] ??= { schema: { type: 'string' } };
    ok['headers'] = { ...(ok['headers'] as Schema), ...EXPORT_HEADERS };
  }
  const item = paths[`${collection}/{${keyParam}}`]?.get;
  if (document && item && document.expand.length > 0) {
    addParameters(item, expandParameter(model));
    const ok = (item['responses'] as Record<string, Schema>)['200'] ?? {};
    const body = ((ok['content'] ?? {}) as Record<string, { schema?: Schema }>)['application/json'];
    if (body?.schema) body.schema = { anyOf: [body.schema, ...expandedSchemas(model)] };
  }
  if (create && model.owned) addOwned(create, model);
}

/** An item of which at least one reference has been expanded; none where there are no references. */
function expandedSchemas(model: ResourceModel): Schema[] {
  const names = expandable(model);
  if (names.length === 0) return [];
  const marks = names.map((name) => {
    const isList = model.fields.get(name)!.many !== undefined;
    const mark = isList ? { type: 'array', items: {}, contains: { type: 'object' } } : { type: 'object' };
    return { properties: { [name]: mark }, required: [name] };
  });
  const either = marks.length === 1 ? marks[0] : { anyOf: marks };
  return [{ type: 'object', description: 'With items in the place of their ids, by `expand`.', ...either }];
}

function addParameters(operation: Method, added: readonly Parameter[]): void {
  const own = (operation.parameters ??= []) as Parameter[];
  const taken = new Set(own.filter((each) => each.in === 'query').map(({ name }) => name));
  own.push(...added.filter(({ name }) => !taken.has(name)));
}

function listParameters(model: ResourceModel): Parameter[] {
  const document = queryDocument(model)!;
  const words: Parameter[] = [
    ...(['or', 'and'] as const).map((word) => groupParameter(word)),
    ...expandParameter(model),
    names(
      'aggregate',
      aggregateNames(document),
      QUERY_LIMITS.aggregates,
      'In place of the items: counts, sums, averages, bounds.',
    ),
    ...(document.group.length > 0
      ? [names('group', document.group, QUERY_LIMITS.groupFields, 'Fields that `aggregate` groups by.')]
      : []),
    {
      name: 'cursor',
      in: 'query',
      required: false,
      description:
        'Empty for the first page; the `Link` header has the cursor of the next one. Takes the place of page.',
      schema: { type: 'string' },
    },
  ];
  const taken = model.query!.taken as ReadonlySet<string>;
  return [
    ...[...model.query!.fields]
      .filter(([, { operators }]) => operators.size > 0)
      .map(([name, field]) => fieldParameter(name, field)),
    ...words.filter(({ name }) => !taken.has(name)),
  ];
}

/** What the operators of a field take, by operator. */
export function operatorSchemas({ operators }: QueryField): Record<string, Schema> {
  return Object.fromEntries(
    [...operators.values()].map(({ name, arg, description }) => [
      name,
      { ...sendable(openApiSchema(arg)), description: `Items whose field ${description}.` },
    ]),
  );
}

/** Conditions on a field: `price[gte]=5`. */
function fieldParameter(name: string, field: QueryField): Parameter {
  const { targets } = field;
  const properties = operatorSchemas(field);
  const reached = targets
    ? ` Fields of the ${targets.map((each) => each.name).join(' or ')} follow as \`${name}[field][operator]\`.`
    : '';
  return {
    name,
    in: 'query',
    required: false,
    description: `Conditions on ${name}, as \`${name}[operator]=value\`.${reached}`,
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', properties, ...(targets ? {} : { additionalProperties: false }) },
  };
}

function groupParameter(name: 'or' | 'and'): Parameter {
  const what = name === 'or' ? 'One of these groups of conditions holds' : 'All of these groups of conditions hold';
  return {
    name,
    in: 'query',
    required: false,
    description: `${what}: \`${name}[0][field][operator]=value&${name}[1]…\`.`,
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'object' } },
  };
}

function expandParameter(model: ResourceModel): Parameter[] {
  const paths = expandPaths(model);
  if (paths.length === 0) return [];
  return [names('expand', paths, QUERY_LIMITS.expandPaths, 'References whose items stand in the place of their ids.')];
}

function names(name: string, allowed: readonly string[], most: number, description: string): Parameter {
  const items = allowed.length > 0 ? { type: 'string', enum: allowed } : { type: 'string' };
  return {
    name,
    in: 'query',
    required: false,
    description,
    style: 'form',
    explode: false,
    schema: { type: 'array', maxItems: most, items },
  };
}

function addOwned(create: Method, model: ResourceModel): void {
  const created = (create['responses'] as Record<string, Content> | undefined)?.['201'];
  addLists(create['requestBody'] as Content | undefined, model, (owned) => ({
    description: `${owned.labels.plural} to create below the new item, in the same transaction.`,
    items: refTo(`${owned.typeName}Create`),
  }));
  addLists(created, model, (owned) => ({
    description: `${owned.labels.plural} that were created with it, if any were sent.`,
    items: either(createdSchemas(owned)),
  }));
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

/** Adds a list for each resource that a new item may own. */
function addLists(part: Content | undefined, model: ResourceModel, listOf: (owned: ResourceModel) => Schema): void {
  const json = part?.content?.['application/json'];
  if (!json?.schema) return;
  const lists = [...model.owned!].map(([name, owned]) => [name, { type: 'array', ...listOf(owned) }]);
  json.schema = { allOf: [json.schema, { type: 'object', properties: Object.fromEntries(lists) }] };
}
