// Compiles the parameters of lists: orderings, search, filters.
import { compileRule } from '../../values/compile-value-rule.js';
import { argSchema } from '../../values/json-schema.js';
import { filters } from '../../filters/registry.js';
import type { ResourceModel } from '../../model/model.js';
import type { ParamModel } from '../../model/list.js';
import type { RuleModel } from '../../model/permissions.js';
import { and } from '../../model/query.js';
import { fieldsOfColumn, guardOf } from '../../model/functions/readers.js';
import type { ParamSchema } from '../../model/schema/schema.js';
import { foundParams } from './compile-found.js';
import { compileRuleSchema } from './compile-rule.js';
import { compileSearch, searchColumn, sortColumn } from './compile-search.js';
import { MAX_SEARCH_TERM } from '../../text/search-term.js';
import { pathFilter, pathOf } from './compile-path-filter.js';
import { normalized } from './normalize.js';
import { contextParam, standardListParams } from '../grammar/standard-params.js';
import type { Draftable } from './compile-resource.js';
import type { Derive, FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

/** The standard parameter with the text of a search. */
const SEARCH = 'search';

/** Orderings, search and parameters of a resource whose references are linked. */
export function linkLists(model: Draftable<ResourceModel>, derive: Derive[], report: Report): void {
  const schema = model.schema;
  const orderings = new Map<string, string | undefined>();
  for (const [index, name] of (schema.list?.orderby ?? ['id']).entries()) {
    const field = model.fields.get(name);
    const alias = schema.list?.orderings?.[name];
    const source = alias === undefined ? field : (model.fields.get(alias) ?? undefined);
    if (model.table && source && !source.column)
      report(['list', 'orderby', index], `lists cannot be ordered by the type ${source.type}`);
    if (model.table && alias !== undefined && !source && !model.table.columns.has(alias)) {
      report(['list', 'orderings', name], `there is no field or column "${alias}"`);
    }
    orderings.set(name, model.table && source ? sortColumn(source, model, derive) : alias);
  }
  if (model.table) linkSearch(model, derive, report);
  model.list = { ...model.list, orderings, orderingGuards: orderingGuards(model, orderings) };
  const standard = standardListParams(schema, model.contexts, {
    paginated: model.list.paginated,
    orderings: [...orderings.keys()],
    defaultOrderby: model.list.defaultOrderby,
    defaultOrder: model.list.defaultOrder,
    perPage: model.list.perPage,
    maxPerPage: model.list.maxPerPage,
  });
  for (const [name, param] of Object.entries(schema.params ?? {})) {
    const field = model.fields.get(param.field ?? name);
    if (filters.get(param.filter ?? '')?.folded && field?.column) searchColumn(field, model, derive);
  }
  model.listParams = compileParams({ ...standard, ...foundParams(model), ...schema.params }, model, report);
  const search = model.listParams.get(SEARCH);
  if (search && !search.filter) search.longest = MAX_SEARCH_TERM;
  const notInLinks = membersNotInLinks(model.listParams);
  if (notInLinks.size > 0) model.list.notInLinks = notInLinks;
  model.filterParams = inOrder([...model.listParams.values()].filter((param) => param.filter));
  model.itemParams = compileParams(
    { context: contextParam(model.contexts, model.defaultContext), ...schema.itemParams },
    model,
    report,
  );
  model.deleteParams = compileParams(schema.deleteParams ?? {}, model, report);
}

function membersNotInLinks(params: ReadonlyMap<string, ParamModel>): Map<string, readonly string[]> {
  return new Map(
    [...params].flatMap(([name, { schema }]) => {
      const members = schema.options?.['notInLinks'];
      return Array.isArray(members) ? [[name, members as string[]] as const] : [];
    }),
  );
}

/** Registered functions come first: they may take the place of other parameters. */
function inOrder(params: readonly ParamModel[]): ParamModel[] {
  return [...params.filter((param) => param.opaque), ...params.filter((param) => !param.opaque)];
}

/** Guards of orderings by values that not every reader may read, unless a step of the schema restricts them itself. */
function orderingGuards(
  model: ResourceModel,
  orderings: ReadonlyMap<string, string | undefined>,
): Map<string, RuleModel> {
  const guards = new Map<string, RuleModel>();
  for (const [name, column] of orderings) {
    const source = name === 'include_slugs' ? 'slug' : column;
    if (source === undefined) continue;
    const guard = guardOf(fieldsOfColumn(source, model), model, isDecided(model, 'orderby', name));
    if (guard) guards.set(name, guard);
  }
  return guards;
}

/** Whether a step of the schema decides who may send a value of a parameter. */
function isDecided({ schema }: ResourceModel, param: string, value?: string): boolean {
  return (schema.permissions?.list ?? []).some(
    (step) => step.param === param && (value === undefined || !step.in || step.in.includes(value)),
  );
}

function linkSearch(model: Draftable<ResourceModel>, derive: Derive[], report: Report): void {
  const columns = compileSearch(model, derive, report, isDecided(model, 'search'));
  if (!columns) return;
  const { mode = 'terms', privileged } = model.schema.search!;
  const { ruled, ...open } = columns;
  model.search = { ...open, mode, ...(ruled.length > 0 ? { ruled } : {}) };
  if (!privileged) return;
  const extra = privileged.fields
    .map((name) => model.fields.get(name))
    .filter((field): field is FieldModel => Boolean(field?.column));
  const rule = compileRuleSchema(privileged.needs, model, ['search', 'privileged', 'needs'], report);
  const guard = guardOf(extra, model, true);
  const needs: RuleModel = guard ? (actor) => and(rule(actor), guard(actor)) : rule;
  model.search.privileged = { columns: extra.map((field) => searchColumn(field, model, derive)), needs };
}

function compileParams(
  params: Record<string, ParamSchema>,
  model: ResourceModel,
  report: Report,
): Map<string, ParamModel> {
  const compiled = new Map<string, ParamModel>();
  for (const [name, written] of Object.entries(params)) {
    const filter = written.filter ? filters.get(written.filter) : undefined;
    const path = filter && pathOf(written, name, model, report);
    const field = path?.field ?? model.fields.get(written.field ?? name);
    const inferred = field && filter?.valueFor?.(field.schema);
    const schema: ParamSchema = { ...paramValue(field), ...filter?.value, ...inferred, ...written };
    const run = path
      ? pathFilter(path, { ...schema, name }, report)
      : filter?.compile({ ...schema, name }, model, report);
    const looksAt = path ? [] : field && (filter ? !filter.keys : written.field !== undefined) ? [field] : [];
    // A trait that reads a parameter narrows by the field of its name.
    const named = field && !filter && model.schema.params?.[name] ? [field] : [];
    const guard = guardOf(looksAt, model, isDecided(model, name)) ?? guardOf(named, model, true);
    const codes = filter?.codes?.({ ...schema, name }, model);
    const groups = path ? undefined : filter?.groups?.({ ...schema, name }, model);
    compiled.set(name, {
      name,
      schema,
      rule: normalized(compileRule(schema), schema.normalize),
      arg: argSchema(schema),
      ...(guard ? { guard } : {}),
      ...(filter?.opaque ? { opaque: true } : {}),
      ...(filter?.longest !== undefined && schema.maxLength === undefined ? { longest: filter.longest } : {}),
      ...(run ? { filter: run } : {}),
      ...(run && codes ? { codes } : {}),
      ...(run && groups ? { groups } : {}),
    });
  }
  return compiled;
}

function paramValue(field: FieldModel | undefined): ParamSchema {
  const type = field?.arg.type;
  return type && typeof type === 'string' && type !== 'object' && type !== 'array' ? { type } : {};
}
