// Compiles the query language of the lists of a resource, once its columns and indexes are known.
import { momentOf, operatorsOf } from '../../filters/operators/operators.js';
import { showsWritten } from '../../values/pipelines.js';
import type { ResourceModel } from '../../model/model.js';
import type { RuleModel } from '../../model/permissions.js';
import { and } from '../../model/query.js';
import { QUERY_WORDS, type QueryField, type QueryModel } from '../../model/query-language.js';
import { guardOf } from '../../model/functions/readers.js';
import { didYouMean } from '../../text/nearest-name.js';
import type { Draftable } from './compile-resource.js';
import type { TableModel } from '../../model/table.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

/** Adds the query language to a resource that has a table and does not switch it off. */
export function linkQuery(model: Draftable<ResourceModel>, report: Report): void {
  const { query: written } = model.schema.list ?? {};
  const scan = typeof written === 'object' ? written.scan : false;
  for (const [index, name] of (Array.isArray(scan) ? scan : []).entries())
    if (!model.fields.has(name))
      report(['list', 'query', 'scan', index], `unknown field "${name}"`, didYouMean(name, model.fields.keys()));
  if (!model.table || model.singleton || !model.operations.has('list') || written === false) return;
  const fields = new Map<string, QueryField>();
  for (const field of model.fields.values()) {
    const compiled = fieldOf(field, model, scan === true || (Array.isArray(scan) && scan.includes(field.name)));
    if (compiled) fields.set(field.name, compiled);
  }
  const query: QueryModel = { fields, taken: new Set(QUERY_WORDS.filter((word) => model.listParams.has(word))) };
  model.query = query;
}

/** Notes at the parent of a nested resource that its items can be created together with their parent. */
export function linkOwned(model: ResourceModel): void {
  const { parent, path, operations, faces, schema } = model;
  if (!parent || !operations.has('create') || faces.upload || schema.list?.query === false) return;
  const owner = parent.model as Draftable<ResourceModel>;
  if (owner.fields.has(path) || !owner.operations.has('create')) return;
  owner.owned = new Map([...(owner.owned ?? []), [path, model]]);
}

function fieldOf(field: FieldModel, model: ResourceModel, scans: boolean): QueryField | undefined {
  if (field.hidden || field.readers === 'nobody') return undefined;
  const { operators, missing } = operatorsOf(field, model);
  if (operators.size + missing.size === 0) return undefined;
  const guard = guardFor(field, model);
  const moment = momentOf(field);
  const targets = field.targets ?? (field.many?.target ? [field.many.target] : undefined);
  // Nested items are read through their parent only.
  const reached = targets?.filter(({ table, parent }) => table && !parent);
  return {
    field,
    operators,
    missing,
    indexed: scans || isIndexed(field, model),
    ...(guard ? { guard } : {}),
    ...(moment ? { moment } : {}),
    ...(reached && reached.length > 0 ? { targets: reached } : {}),
  };
}

/** Who may filter by a field: its readers, as far as steps about its parameters in `permissions.list` allow it. */
function guardFor(field: FieldModel, model: ResourceModel): RuleModel | undefined {
  const rules: RuleModel[] = [];
  const readers = guardOf([field], model);
  if (readers) rules.push(readers);
  if (field.opened) rules.push(field.opened);
  // Conditions test the raw text, while readers see the rendered one.
  if (field.type === 'rendered' && !showsWritten(field.schema)) rules.push((actor) => model.editors(actor));
  for (const { param, needs } of model.policy.list) {
    const filter = param === undefined ? undefined : model.listParams.get(param);
    if (filter?.schema.filter && (filter.schema.field ?? filter.name) === field.name) rules.push(needs);
  }
  return rules.length === 0 ? undefined : (actor) => and(...rules.map((rule) => rule(actor)));
}

/** Whether an index begins with the field, apart from columns by which most lists are narrowed. */
function isIndexed(field: FieldModel, model: ResourceModel): boolean {
  if (field.many || field.type === 'id') return true;
  const leading = new Set([...Object.keys(model.discriminator), ...model.partition]);
  const own = new Set([field.column, field.sortColumn]);
  return [...(model.table as TableModel).indexes.values()].some(({ columns }) => {
    const first = columns.find((column) => !leading.has(column) || own.has(column));
    return first !== undefined && own.has(first);
  });
}
