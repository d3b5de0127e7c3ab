// What a list can be asked: orderings, search, parameters and their filters. Called by compile.
import { compileRule } from '../fields/value-rule.js';
import { argSchema } from '../fields/json-schema.js';
import { filters } from '../filters/registry.js';
import type { FieldModel, ParamModel, ResourceModel } from '../model/model.js';
import type { Report } from '../model/registry.js';
import type { ParamSchema } from '../model/schema.js';
import { compileRules } from './compile-policy.js';
import { compileSearch, searchColumn, sortColumn } from './compile-search.js';
import { normalized } from './normalize-param.js';
import { contextParam, standardListParams } from './standard-params.js';
import type { Draftable } from './start-model.js';

/** Orderings, search and parameters of a resource whose references are linked. */
export function linkLists(
  model: Draftable<ResourceModel>,
  derive: ResourceModel['derive'][number][],
  report: Report,
): void {
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
  model.list = { ...model.list, orderings };
  if (model.table) linkSearch(model, derive, report);
  const standard = standardListParams(schema, model.contexts, {
    orderings: [...orderings.keys()],
    defaultOrderby: model.list.defaultOrderby,
    defaultOrder: model.list.defaultOrder,
    perPage: model.list.perPage,
    maxPerPage: model.list.maxPerPage,
  });
  for (const [name, param] of Object.entries(schema.params ?? {})) {
    const field = model.fields.get(param.field ?? name);
    if (param.filter === 'contains' && field?.column) searchColumn(field, model, derive);
  }
  model.listParams = compileParams({ ...standard, ...schema.params }, model, report);
  model.itemParams = compileParams(
    { context: contextParam(model.contexts, model.defaultContext), ...schema.itemParams },
    model,
    report,
  );
  model.deleteParams = compileParams(schema.deleteParams ?? {}, model, report);
}

function linkSearch(model: Draftable<ResourceModel>, derive: ResourceModel['derive'][number][], report: Report): void {
  const columns = compileSearch(model, derive, report);
  if (!columns) return;
  const { mode = 'terms', privileged } = model.schema.search!;
  model.search = { columns, mode };
  if (!privileged) return;
  const extra = privileged.fields
    .map((name) => model.fields.get(name))
    .filter((field): field is FieldModel => Boolean(field?.column));
  const needs = compileRules(model, { rules: { search: privileged.needs } }, report).get('search')!;
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
    const field = model.fields.get(written.field ?? name);
    const inferred = field && filter?.valueFor?.(field.schema);
    const schema: ParamSchema = { ...paramValue(field), ...filter?.value, ...inferred, ...written };
    const run = filter?.compile({ ...schema, name }, model, report);
    compiled.set(name, {
      name,
      schema,
      rule: normalized(compileRule(schema), schema.normalize),
      arg: argSchema(schema),
      ...(run ? { filter: run } : {}),
    });
  }
  return compiled;
}

function paramValue(field: FieldModel | undefined): ParamSchema {
  const type = field?.arg.type;
  return type && typeof type === 'string' && type !== 'object' && type !== 'array' ? { type } : {};
}
