// What the pages know of the resources beyond OPTIONS: types of fields, targets of references, states, actions. The
// same for all callers; permissions come from the API alone.
import type { ResourceModel } from '../../model/model.js';
import { itemTemplate, type ResourceRoute } from '../routes/resource-route.js';
import type { FieldModel } from '../../model/field.js';

interface FieldDescription {
  type: string;
  /** Paths of the collections that its ids refer to. */
  to?: string[];
  /** Clock of a date and time. */
  clock?: string;
  /** Pipeline that renders a text with markup. */
  pipeline?: string;
  /** Name of the ordering by this field. */
  order?: string;
  /** A text that is stored as it was sent: what looks like markup in it is text. */
  literal?: true;
}

/** The description of one resource. */
export interface ResourceDescription {
  name: string;
  singular: string;
  plural: string;
  text: string;
  /** Path of the list below the namespace, `{parent_id}` for the key of a parent. */
  list: string;
  item?: string;
  /** One item, at the path of the list. */
  singleton?: true;
  key: string;
  /** Path of the list of its parent. */
  parent?: string;
  /** Whether its list takes `search`. */
  search?: true;
  /** Largest `per_page` of its list. */
  most?: number;
  /** Alias for the key of the caller's own item. */
  self?: string;
  upload?: true;
  /** Whether its items are accounts. */
  account?: true;
  /** Fields that name an item to a reader, the best one first. */
  names: string[];
  fields: Record<string, FieldDescription>;
  /** List parameters with ids of other items, and the collections that these refer to. */
  params?: Record<string, string[]>;
  states?: { field: string; param: string; values: readonly { value: string; listed: string; waits?: boolean }[] };
  /** Parameter and value that list the trash. */
  trash?: { param: string; value: string; state: string };
  /** Names and descriptions of what `POST` below an item does. */
  actions?: Record<string, string>;
  /** The command that fills an empty site with sample content, where that includes this resource. */
  sample?: string;
  /** Fields that an item copies from its parent. */
  copies?: readonly string[];
}

/** Names of the resources that the sample content fills, and the command that loads it. */
export interface SampleDescription {
  resources: readonly string[];
  command: string;
}

/** The resources of a site; `sample`: those that the sample content fills, and how. */
export function describeSite(
  routes: readonly ResourceRoute[],
  sample: SampleDescription,
): { resources: ResourceDescription[] } {
  const resources = routes.filter(({ model }) => model.operations.size > 0).map(describe);
  for (const each of resources) if (sample.resources.includes(each.name)) each.sample = sample.command;
  return { resources };
}

function describe(route: ResourceRoute): ResourceDescription {
  const { model } = route;
  const { faces, labels, parent } = model;
  const fields = [...model.fields.values()].filter((field) => !field.hidden);
  const { states, copies } = faces;
  return {
    name: model.name,
    singular: labels.singular,
    plural: labels.plural,
    text: model.description,
    list: listPath(model),
    ...(model.singleton ? { singleton: true as const } : {}),
    ...(model.singleton || model.listOf ? {} : { item: itemTemplate(route) }),
    key: model.key.name,
    ...(parent ? { parent: listPath(parent.model) } : {}),
    ...(model.listParams.has('search') ? { search: true as const } : {}),
    ...mostOf(model),
    ...(model.schema.selfAlias === undefined ? {} : { self: model.schema.selfAlias }),
    ...(faces.upload ? { upload: true } : {}),
    ...(faces.accounts ? { account: true } : {}),
    names: namesOf(model, fields),
    fields: Object.fromEntries(fields.map((field) => [field.name, describeField(field, model)])),
    ...paramsOf(model),
    ...(states ? { states } : {}),
    ...trashOf(model),
    ...(model.actions.size > 0 ? { actions: actionsOf(model) } : {}),
    ...(copies ? { copies: copies.fields } : {}),
  };
}

/** Path of a list below the namespace, with the names of its parents in braces. */
export function listPath({ route }: ResourceModel): string {
  return route.replaceAll(/:(\w+)/g, '{$1}');
}

function describeField(field: FieldModel, model: ResourceModel): FieldDescription {
  const { schema } = field;
  const to = collectionsOf(field);
  const order = orderBy(field, model);
  return {
    type: field.type,
    ...(to.length > 0 ? { to } : {}),
    ...(schema.clock ? { clock: schema.clock } : {}),
    ...(schema.pipeline ? { pipeline: schema.pipeline } : {}),
    ...(order === undefined ? {} : { order }),
    ...(isLiteral(field) ? { literal: true as const } : {}),
  };
}

function isLiteral({ type, schema: { sanitize = 'none' } }: FieldModel): boolean {
  return ['string', 'text'].includes(type) && sanitize === 'none';
}

function mostOf({ listParams }: ResourceModel): Pick<ResourceDescription, 'most'> {
  const most = listParams.get('per_page')?.arg.maximum;
  return typeof most === 'number' ? { most } : {};
}

/** Collections that the ids in a field refer to. */
function collectionsOf({ targets, many }: FieldModel): string[] {
  const models = targets ?? (many?.target ? [many.target] : []);
  return models.filter(({ operations, parent }) => operations.has('list') && !parent).map(listPath);
}

function paramsOf(model: ResourceModel): Pick<ResourceDescription, 'params'> {
  const found: Record<string, string[]> = {};
  for (const { name, schema, arg } of model.listParams.values()) {
    const field = model.fields.get(schema.field ?? name);
    const isId = arg.type === 'integer' || (arg.type === 'array' && arg.items?.type === 'integer');
    const to = field && isId ? collectionsOf(field) : [];
    if (to.length > 0) found[name] = to;
  }
  return Object.keys(found).length > 0 ? { params: found } : {};
}

function orderBy({ name, column, sortColumn }: FieldModel, { list }: ResourceModel): string | undefined {
  if (list.orderings.has(name)) return name;
  if (column === undefined) return undefined;
  return [...list.orderings].find(([, by]) => by === column || (by !== undefined && by === sortColumn))?.[0];
}

const TEXTS = ['rendered', 'string', 'text'];

/** Texts that lists are ordered by, else the first texts: those with markup before plain ones. */
function namesOf(model: ResourceModel, fields: readonly FieldModel[]): string[] {
  const isWritten = model.operations.has('create') || model.operations.has('update');
  const texts = fields.filter(
    ({ type, schema, contexts, readOnly }) =>
      TEXTS.includes(type) && !schema.enum && !schema.format && contexts.has('embed') && !(isWritten && readOnly),
  );
  const ordered = texts.filter((field) => orderBy(field, model) !== undefined);
  const others = texts.sort((a, b) => TEXTS.indexOf(a.type) - TEXTS.indexOf(b.type));
  return (ordered.length > 0 ? ordered : others).map(({ name }) => name).slice(0, 2);
}

function trashOf({ faces: { trash }, listParams }: ResourceModel): Pick<ResourceDescription, 'trash'> {
  if (!trash || !listParams.has(trash.param.name)) return {};
  return { trash: { param: trash.param.name, value: trash.param.value, state: trash.status } };
}

function actionsOf({ actions }: ResourceModel): Record<string, string> {
  return Object.fromEntries([...actions].map(([name, { description }]) => [name, description]));
}
