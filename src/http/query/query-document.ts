// What the query language offers for a resource, for OPTIONS and the OpenAPI document.
import { fieldsFor } from '../../engine/perform/aggregate.js';
import { targetsOf } from '../../engine/perform/expand.js';
import { sortNames } from '../../engine/query/sorting.js';
import type { ResourceModel } from '../../model/model.js';
import { AGGREGATE_FUNCTIONS, QUERY_LIMITS, type QueryField } from '../../model/query-language.js';

/** The member `query` of OPTIONS. */
export interface QueryDocument {
  /** Operators by field, and the resources whose fields follow the name of a reference. */
  fields: Record<string, { operators: string[]; references?: string[]; indexed?: false }>;
  /** Sort keys that can be combined. */
  orderby: string[];
  expand: string[];
  aggregate: Record<string, true | string[]>;
  group: string[];
  cursor: true;
  formats: string[];
  limits: typeof QUERY_LIMITS;
}

export const EXPORT_TYPES = ['application/x-ndjson', 'text/csv'];

/** The document of a resource; undefined for one without the language. */
export function queryDocument(model: ResourceModel): QueryDocument | undefined {
  const { query } = model;
  if (!query) return undefined;
  const aggregate = AGGREGATE_FUNCTIONS.map((name) => [name, name === 'count' || fieldsFor(model, name)] as const);
  return {
    fields: Object.fromEntries(
      [...query.fields]
        .filter(([, { operators }]) => operators.size > 0)
        .map(([name, field]) => [name, describeField(field)]),
    ),
    orderby: sortNames(model),
    expand: expandable(model),
    aggregate: Object.fromEntries(aggregate),
    group: fieldsFor(model, 'group'),
    cursor: true,
    formats: EXPORT_TYPES,
    limits: QUERY_LIMITS,
  };
}

/** What `aggregate` takes: `count`, `sum.price`. */
export function aggregateNames({ aggregate }: QueryDocument): string[] {
  return Object.entries(aggregate).flatMap(([name, fields]) =>
    fields === true ? [name] : fields.map((field) => `${name}.${field}`),
  );
}

function describeField({ operators, targets, indexed }: QueryField): QueryDocument['fields'][string] {
  return {
    operators: [...operators.keys()],
    ...(targets ? { references: targets.map(({ name }) => name) } : {}),
    ...(indexed ? {} : { indexed: false as const }),
  };
}

/** Names of the references whose items can be put in the place of their ids. */
export function expandable(model: ResourceModel): string[] {
  return model.query ? expandableBehind(model) : [];
}

/** The same behind a reference of another resource, whether or not the lists of this one have the query language. */
export function expandableBehind({ fields }: ResourceModel): string[] {
  return [...fields.values()]
    .filter((field) => field.contexts.size > 0 && targetsOf(field).length > 0)
    .map(({ name }) => name);
}

/** Paths that `expand` takes, one reference further included. */
export function expandPaths(model: ResourceModel): string[] {
  return expandable(model).flatMap((name) => {
    const further = targetsOf(model.fields.get(name)!).flatMap(expandableBehind);
    return [name, ...new Set(further.map((below) => `${name}.${below}`))];
  });
}

/** A copy without the fields that a caller may never ask about. */
export function narrowQuery(document: QueryDocument, forbidden: readonly string[]): QueryDocument {
  const without = (names: string[]) => names.filter((name) => !forbidden.includes(name));
  return {
    ...document,
    fields: Object.fromEntries(Object.entries(document.fields).filter(([name]) => !forbidden.includes(name))),
    orderby: without(document.orderby),
    expand: without(document.expand),
    aggregate: Object.fromEntries(
      Object.entries(document.aggregate).map(([name, fields]) => [name, fields === true ? true : without(fields)]),
    ),
    group: without(document.group),
  };
}
