// Compiles the saved queries of a resource: lists with fixed conditions, fields and order, at `<path>/views/<name>`.
import { className } from '../../text/class-name.js';
import { didYouMean } from '../../text/nearest-name.js';
import type { ResourceModel } from '../../model/model.js';
import type { ParamModel } from '../../model/list.js';
import type { PolicyStep } from '../../model/permissions.js';
import { SHORTHANDS, type QueryField, type SavedView, type SortKey } from '../../model/query-language.js';
import type { ViewSchema } from '../../model/schema/list-schema.js';
import type { Draftable } from './compile-resource.js';
import { compileRuleSchema } from './compile-rule.js';
import type { Report } from '../../model/option-check.js';
import { isFixedTime } from '../../model/functions/relative-time.js';

/** Parameters that change the order: a view with an order of its own has none. */
const ORDER = ['orderby', 'order'];
const FORBIDDEN = 'rest_forbidden';
const MAX_DEPTH = 8;

type Path = (string | number)[];

/** Adds the views of a resource, each a list of the same items. */
export function linkViews(model: Draftable<ResourceModel>, report: Report): void {
  const written = Object.entries(model.schema.views ?? {});
  if (written.length === 0) return;
  if (!model.query)
    return report(['views'], 'views are lists in the query language, which this resource does not take');
  const below = new Set(
    [...model.site.byName.values()].filter((each) => each.parent?.model === model).map(({ path }) => path),
  );
  model.views = written.map(([name, schema]) => {
    const at = ['views', name];
    if (below.has(name))
      report(at, `/${model.path}/…/${name} is the path of a nested resource`, 'give it another name');
    return viewOf(name, schema, model, at, report);
  });
}

function viewOf(name: string, schema: ViewSchema, model: ResourceModel, at: Path, report: Report): ResourceModel {
  const order = orderOf(schema.orderby, model, [...at, 'orderby'], report);
  new ConditionCheck(report).all(schema.where ?? {}, model, [...at, 'where'], 0);
  const needs =
    schema.needs === undefined ? undefined : compileRuleSchema(schema.needs, model, [...at, 'needs'], report);
  const view: SavedView = {
    name,
    where: schema.where ?? {},
    ...(order ? { order } : {}),
    ...(schema.fields ? { fields: new Set(schema.fields) } : {}),
    ...(needs ? { needs } : {}),
  };
  const step: PolicyStep[] = needs ? [{ needs, error: FORBIDDEN, keepAllow: false, asParameterError: false }] : [];
  const { across: _across, views: _views, owned: _owned, ...rest } = model as Draftable<ResourceModel>;
  return {
    ...rest,
    listOf: model,
    view,
    route: `${model.route}/views/${name}`,
    typeName: `${model.typeName}${className(name)}View`,
    description: schema.description ?? model.description,
    operations: new Set(['list']),
    list: { ...model.list, ...(schema.perPage === undefined ? {} : { perPage: schema.perPage }) },
    listParams: paramsOf(model, schema),
    policy: { ...model.policy, list: [...step, ...model.policy.list] },
    batch: false,
  };
}

function paramsOf(model: ResourceModel, { perPage, orderby }: ViewSchema): Map<string, ParamModel> {
  const params = new Map([...model.listParams].filter(([name]) => orderby === undefined || !ORDER.includes(name)));
  const page = params.get('per_page');
  if (page && perPage !== undefined)
    params.set('per_page', {
      ...page,
      schema: { ...page.schema, default: perPage },
      arg: { ...page.arg, default: perPage },
    });
  return params;
}

function orderOf(text: string | undefined, model: ResourceModel, at: Path, report: Report): SortKey[] | undefined {
  if (text === undefined) return undefined;
  return text.split(',').map((part): SortKey => {
    const name = part.trim().replace(/^[+-]/, '');
    const known = [...model.list.orderings].filter(([, column]) => column !== undefined).map(([each]) => each);
    if (!known.includes(name)) report(at, `"${name}" is none of the orderings offered`, `allowed: ${known.join(', ')}`);
    return { name, direction: part.trim().startsWith('-') ? 'desc' : 'asc' };
  });
}

/** Checks fixed conditions as a request with them would be. */
class ConditionCheck {
  constructor(private readonly report: Report) {}

  all(sent: Readonly<Record<string, unknown>>, model: ResourceModel, at: Path, depth: number): void {
    if (depth > MAX_DEPTH) return this.report(at, 'is nested too deeply');
    for (const [name, value] of Object.entries(sent)) {
      const place = [...at, name];
      const fields = model.query?.fields;
      if ((name === 'or' || name === 'and') && !fields?.has(name)) this.group(value, model, place, depth);
      else if (!fields?.has(name))
        this.report(place, `"${name}" cannot be used in conditions`, didYouMean(name, fields?.keys() ?? []));
      else this.member(fields.get(name)!, value, place, depth);
    }
  }

  private group(value: unknown, model: ResourceModel, at: Path, depth: number): void {
    if (!Array.isArray(value) || value.length === 0) return this.report(at, 'is a list of conditions');
    for (const [index, part] of value.entries()) {
      if (typeof part !== 'object' || part === null) this.report([...at, index], 'is an object of conditions');
      else this.all(part as Record<string, unknown>, model, [...at, index], depth + 1);
    }
  }

  private member(field: QueryField, value: unknown, at: Path, depth: number): void {
    const [equal, oneOf] = SHORTHANDS;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.operand(field, Array.isArray(value) ? oneOf : equal, value, at);
    const behind: Record<string, unknown> = {};
    for (const [word, operand] of Object.entries(value)) {
      const needed = field.missing.get(word);
      if (needed !== undefined) this.report([...at, word], `needs ${needed} at the field "${field.field.name}"`);
      else if (field.operators.has(word)) this.operand(field, word, operand, [...at, word]);
      else if (field.targets) behind[word] = operand;
      else
        this.report(
          [...at, word],
          `"${word}" is not an operator of the type ${field.field.type}`,
          didYouMean(word, field.operators.keys()),
        );
    }
    if (Object.keys(behind).length === 0) return;
    const target = field.targets?.find(({ query }) => query);
    if (target) this.all(behind, target, at, depth + 1);
    else this.report(at, 'refers to items that take no conditions');
  }

  private operand(field: QueryField, word: string, operand: unknown, at: Path): void {
    const operator = field.operators.get(word);
    if (!operator) return this.report(at, `the type ${field.field.type} takes no "${word}"`);
    const values = Array.isArray(operand) ? operand : [operand];
    for (const value of values) {
      const refused = misplaced(field, value);
      if (refused !== undefined) return this.report(at, refused);
    }
    const known = values.map((value) => sampleOf(field, value));
    const checked = operator.rule(Array.isArray(operand) ? known : known[0], String(at.at(-1)));
    if ('issue' in checked) this.report(at, checked.issue.message);
  }
}

/** Why a placeholder cannot stand for a value of a field; undefined where it can, and for values of their own. */
function misplaced({ field, moment }: QueryField, value: unknown): string | undefined {
  if (value === '$me' && field.type !== 'reference' && field.type !== 'id')
    return '"$me" stands for the id of the caller: only references are compared with it';
  if (isFixedTime(value) && !moment) return `the time cannot be compared with the type ${field.type}`;
  return undefined;
}

/** A value that a placeholder may stand for. */
function sampleOf({ field }: QueryField, value: unknown): unknown {
  if (value === '$me') return 1;
  if (isFixedTime(value)) return field.type === 'date' ? '2000-01-01' : '2000-01-01T00:00:00Z';
  return value;
}
