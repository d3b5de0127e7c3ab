// OPTIONS for one caller: without what they can neither see nor set in any item.
import { queryableField } from '../../engine/query/query-errors.js';
import { narrowQuery } from '../query/query-document.js';
import { couldEver } from '../../engine/rights/coarse-policy.js';
import { restrictionsOf } from '../../engine/rights/field-rights.js';
import { predicateFor } from '../../engine/rights/predicate-for.js';
import type { Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { RightModel } from '../../model/permissions.js';
import type { OptionsDocument } from './options-document.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';

type Described = ValueSchema & { readonly?: boolean; context?: unknown };

/** The part of a document that one caller gets. */
export interface CallerOptions {
  /** Equal for callers who get the same. */
  readonly key: string;
  narrow(document: OptionsDocument): OptionsDocument;
}

/** What a caller sees; undefined where no field has rights of its own. */
export function callerOptions(model: ResourceModel, actor: Actor): CallerOptions | undefined {
  if (!model.rights) return undefined;
  const unseen = restrictionsOf('read', model, actor).never;
  const closed = restrictionsOf('write', model, actor).never;
  // Who may write no item at all sets none of the fields that they do not see either, with or without a rule `write`.
  const unset = writes(model, actor) ? closed : [...new Set([...closed, ...unseen])];
  const params = forbiddenNames(model, actor);
  const fields = [...(model.query?.fields.keys() ?? [])].filter((name) => !queryableField(model, name, actor));
  const key = JSON.stringify([unseen, unset].map((rights) => rights.map(({ name }) => name)).concat(params, [fields]));
  return { key, narrow: (document) => narrow(structuredClone(document), model, { unseen, unset, params, fields }) };
}

function writes(model: ResourceModel, actor: Actor): boolean {
  return (['create', 'update'] as const).some((kind) => model.operations.has(kind) && couldEver(model, kind, actor));
}

interface Limits {
  unseen: readonly RightModel[];
  unset: readonly RightModel[];
  /** Forbidden parameters, and forbidden orders. */
  params: [string[], string[]];
  /** Fields that conditions cannot be about. */
  fields: string[];
}

function forbiddenNames({ listParams, list }: ResourceModel, actor: Actor): [string[], string[]] {
  const params = [...listParams.values()].filter(({ guard }) => guard && predicateFor(guard, actor).op === 'false');
  // The default ordering is replaced instead of rejected.
  const orders = [...list.orderingGuards].filter(
    ([name, guard]) => name !== list.defaultOrderby && predicateFor(guard, actor).op === 'false',
  );
  return [params.map(({ name }) => name), orders.map(([name]) => name)];
}

function narrow(
  document: OptionsDocument,
  model: ResourceModel,
  { unseen, unset, params, fields }: Limits,
): OptionsDocument {
  const schema = document.schema as Described & { required?: string[] };
  const closed = new Set(unset.map(({ name }) => name));
  const isUnset = ({ path }: RightModel) =>
    model.fields.get(path[0]!)?.readOnly === true ||
    path.some((_, index) => closed.has(path.slice(0, index + 1).join('.'))) ||
    nodeAt(schema, path)?.readonly === true;
  for (const right of unseen) {
    if (isUnset(right)) omit(schema, right.path);
    else mark(schema, right.path, { context: [] });
  }
  for (const right of unset) if (!unseen.includes(right)) mark(schema, right.path, { readonly: true });
  if (schema.required) schema.required = schema.required.filter((name) => name in schema.properties!);
  if (document.query) document.query = narrowQuery(document.query, [...fields, ...params[1]]);
  for (const { methods, args } of document.endpoints) {
    if (methods.includes('GET')) forbid(args, params);
    else for (const right of unset) omit({ properties: args } as ValueSchema, right.path);
  }
  return document;
}

function forbid(args: OptionsDocument['endpoints'][number]['args'], [params, orders]: Limits['params']): void {
  for (const name of params) delete args[name];
  const { orderby } = args;
  if (orderby?.enum) orderby.enum = orderby.enum.filter((name) => !orders.includes(String(name)));
}

function omit(schema: ValueSchema, path: readonly string[]): void {
  const [owner, name] = placeOf(schema, path);
  if (owner) delete owner[name];
}

function mark(schema: ValueSchema, path: readonly string[], marks: object): void {
  const node = nodeAt(schema, path);
  if (node) Object.assign(node, marks);
}

function nodeAt(schema: ValueSchema, path: readonly string[]): Described | undefined {
  const [owner, name] = placeOf(schema, path);
  return owner?.[name];
}

/** The properties that contain the last name of a path; for lists, those of their items. */
function placeOf(
  schema: ValueSchema,
  [name, ...rest]: readonly string[],
): [Record<string, ValueSchema> | undefined, string] {
  let at: ValueSchema | undefined = schema;
  while (at && !at.properties && at.items) at = at.items;
  const members = at?.properties as Record<string, ValueSchema> | undefined;
  if (rest.length === 0) return [members, name!];
  const inner = members?.[name!];
  return inner ? placeOf(inner, rest) : [undefined, name!];
}
