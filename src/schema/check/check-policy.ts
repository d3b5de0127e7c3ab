// Steps that can never apply, and values that the fields and parameters of rules, steps and links never have.
import type { Problem } from '../../errors/problem.js';
import type { ResourceModel } from '../../model/model.js';
import type { ParamModel } from '../../model/list.js';
import { isReading, OPERATIONS, type OperationKind, type Scalar } from '../../model/schema/schema.js';
import type { PolicyStepSchema } from '../../model/schema/permission-schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import { withGuards } from '../grammar/guards.js';
import { members, oneOrMany, record, text } from '../load/as-json.js';
import { type Path, problemAt, type SchemaFile } from '../load/load.js';
import { allowedValueProblem, paramValueProblem, storedValueProblem, type ValueProblem } from './known-values.js';
import { partsOfRule, writtenRules } from './written-rules.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

/** Conditions of a step that need a value to look at. */
const ABOUT_VALUES = ['in', 'notIn', 'notSelf', 'changed'] as const;

/** Reports them for one resource; `model` is linked, with its parameters and its rows where it is static. */
export function checkPolicy(model: ResourceModel, report: Report): void {
  for (const kind of OPERATIONS) {
    const written = (model.schema.permissions?.[kind] ?? []).map((step, index) => ({
      step,
      path: ['permissions', kind, index] as Path,
    }));
    for (const { step, path } of withGuards(kind, written, model.schema)) checkStep(model, kind, step, path, report);
  }
  checkLinkGuards(model, report);
  for (const { rule, path } of writtenRules(model.schema).flatMap(partsOfRule))
    checkCompared(model, record(rule), path, report);
  checkConstants(model, report);
  checkFilters(model, report);
  checkLinks(model, report);
}

/** Guards without an error make only links: no step checks their values. */
function checkLinkGuards(model: ResourceModel, report: Report): void {
  for (const field of model.fields.values()) {
    const { guard } = field.schema;
    if (!guard || guard.error !== undefined) continue;
    const problem = (value: Scalar) => storedValueProblem(field, value, model);
    checkValues({ in: guard.in }, ['fields', field.name, 'guard'], problem, report);
  }
}

function checkStep(
  model: ResourceModel,
  kind: OperationKind,
  step: PolicyStepSchema,
  path: Path,
  report: Report,
): void {
  if (step.field !== undefined) checkSent(model, kind, step, path, report);
  else if (step.param !== undefined) checkParam(model, kind, { ...step, param: step.param }, path, report);
  else {
    const without = ABOUT_VALUES.find((key) => step[key] !== undefined);
    if (without)
      report([...path, without], `"${without}" is about a value, and the step has none`, 'add "field" or "param"');
  }
  if (step.changed && kind === 'create')
    report([...path, 'changed'], 'a new item has no stored value to differ from', 'leave out "changed"');
  if (step.asParameterError && step.param === undefined)
    report([...path, 'asParameterError'], 'only a refused parameter is reported so', 'leave out "asParameterError"');
}

function checkSent(
  model: ResourceModel,
  kind: OperationKind,
  { field: sent, in: some, notIn, notSelf }: PolicyStepSchema,
  path: Path,
  report: Report,
): void {
  if (kind !== 'create' && kind !== 'update')
    return report([...path, 'field'], `no fields are sent to ${kind}`, 'a step names a parameter with "param"');
  const fields: FieldModel[] = [];
  for (const [rest, name] of oneOrMany(sent)) {
    const field = model.fields.get(String(name));
    if (field && !field.hidden) fields.push(field);
    else {
      const sendable = [...model.fields.values()].filter((each) => !each.hidden).map((each) => each.name);
      const message = field ? `"${field.name}" is hidden: clients cannot send it` : `unknown field "${String(name)}"`;
      report([...path, 'field', ...rest], message, field ? undefined : didYouMean(String(name), sendable));
    }
  }
  // The value sent for a read-only field is compared as it was sent.
  const plain = fields.filter((field) => !field.readOnly && field.column !== undefined);
  if (plain.length < fields.length || plain.length === 0) return;
  const problem = (value: Scalar) => commonProblem(plain.map((field) => storedValueProblem(field, value, model)));
  checkValues({ in: some, notIn }, path, problem, report);
  if (notSelf && !plain.some((field) => field.columns[0]?.kind === 'integer'))
    report([...path, 'notSelf'], `"${plain[0]!.name}" holds no ids`, 'leave out "notSelf"');
}

function checkParam(
  model: ResourceModel,
  kind: OperationKind,
  step: PolicyStepSchema & { param: string },
  path: Path,
  report: Report,
): void {
  const { param: name } = step;
  const params = paramsOf(model, kind);
  const param = params.get(name);
  if (!param) {
    const hint =
      params.size === 0
        ? `a step names a field of the body with "field"`
        : (didYouMean(name, params.keys()) ?? `there are: ${[...params.keys()].join(', ')}`);
    return report([...path, 'param'], `${kind} has no parameter "${name}"`, hint);
  }
  if (step.changed) report([...path, 'changed'], 'a parameter is not stored', 'leave out "changed"');
  checkValues(step, path, (value) => paramValueProblem(param, value, model), report);
}

function paramsOf(model: ResourceModel, kind: OperationKind): ReadonlyMap<string, ParamModel> {
  if (isReading(kind)) return kind === 'list' ? model.listParams : model.itemParams;
  return kind === 'delete' ? model.deleteParams : new Map();
}

function checkValues(
  { in: some = [], notIn = [] }: Pick<PolicyStepSchema, 'in' | 'notIn'>,
  path: Path,
  problemOf: (value: Scalar) => ValueProblem | undefined,
  report: Report,
): void {
  for (const [key, values] of [
    ['in', some],
    ['notIn', notIn],
  ] as const) {
    for (const [index, value] of values.entries()) reportValue(problemOf(value), [...path, key, index], report);
  }
}

/** The problem of a value that none of several fields can have. */
function commonProblem(problems: readonly (ValueProblem | undefined)[]): ValueProblem | undefined {
  return problems.every((problem) => problem !== undefined) ? problems[0] : undefined;
}

function reportValue(problem: ValueProblem | undefined, path: Path, report: Report): void {
  if (problem) report(path, problem.message, problem.hint);
}

/** Values in `is`, and in `where` of `referencedBy`. */
function checkCompared(model: ResourceModel, rule: Record<string, unknown>, path: Path, report: Report): void {
  checkColumns(model, rule['is'], [...path, 'is'], report);
  if (model.static && typeof rule['capabilityIn'] === 'string') {
    const columns = rowColumns(model);
    if (!columns.has(rule['capabilityIn']))
      report(
        [...path, 'capabilityIn'],
        `no row has a member "${rule['capabilityIn']}"`,
        didYouMean(rule['capabilityIn'], columns),
      );
  }
  for (const [, written] of oneOrMany(rule['referencedBy'])) {
    const other = model.site.byName.get(String(written).split('.')[0]!);
    if (other) checkColumns(other, rule['where'], [...path, 'where'], report);
  }
}

function checkColumns(model: ResourceModel, wanted: unknown, path: Path, report: Report): void {
  for (const [name, values] of members(wanted)) {
    // Comparisons are checked when the rule is compiled.
    if (!Array.isArray(values) && typeof values === 'object' && values !== null) continue;
    for (const [rest, value] of oneOrMany(values)) {
      const problem = model.static
        ? rowProblem(model, name, value as Scalar)
        : columnProblem(model, name, value as Scalar);
      reportValue(problem, [...path, name, ...rest], report);
    }
  }
}

function columnProblem(model: ResourceModel, name: string, value: Scalar): ValueProblem | undefined {
  const field = model.fields.get(name) ?? [...model.fields.values()].find(({ column }) => column === name);
  return field && storedValueProblem(field, value, model);
}

function rowColumns(model: ResourceModel): Set<string> {
  return new Set([...model.static!.rows.flatMap((row) => Object.keys(row)), 'hidden']);
}

function rowProblem(model: ResourceModel, name: string, value: Scalar): ValueProblem | undefined {
  const columns = rowColumns(model);
  if (!columns.has(name)) return { message: `no row has a member "${name}"`, hint: didYouMean(name, columns) };
  const values = model.static!.rows.map((row) => row[name]);
  if (typeof value !== 'string' || values.includes(value)) return undefined;
  const words = values.flatMap((each) => text(each) ?? []);
  return { message: `no row has ${JSON.stringify(value)} there`, hint: didYouMean(value, words) };
}

/** Constant columns that a field of the resource shows too. */
function checkConstants(model: ResourceModel, report: Report): void {
  for (const [column, value] of Object.entries(model.discriminator)) {
    reportValue(columnProblem(model, column, value), ['storage', 'where', column], report);
    const field = [...model.fields.values()].find((each) => each.column === column);
    if (field?.schema.default !== undefined && field.schema.default !== value)
      report(['fields', field.name, 'default'], `the column "${column}" is always ${JSON.stringify(value)}`);
  }
}

/** Values that parameters allow, and their defaults, where they filter by a field with known values. */
function checkFilters(model: ResourceModel, report: Report): void {
  for (const [name, param] of model.listParams) {
    if (model.schema.params?.[name] === undefined) continue;
    const { enum: allowed = [], items, default: fallback } = param.schema;
    const places: [Path, unknown][] = [
      ...allowed.map((value, index): [Path, unknown] => [['enum', index], value]),
      ...(items?.enum ?? []).map((value, index): [Path, unknown] => [['items', 'enum', index], value]),
      ...oneOrMany(fallback ?? undefined).map(([rest, value]): [Path, unknown] => [['default', ...rest], value]),
    ];
    for (const [rest, value] of places)
      reportValue(allowedValueProblem(param, value as Scalar, model), ['params', name, ...rest], report);
  }
}

function checkLinks(model: ResourceModel, report: Report): void {
  for (const [relation, written] of members(model.schema.links)) {
    for (const [rest, each] of oneOrMany(written)) {
      const link = record(each);
      const target = model.site.byName.get(text(link['to']) ?? '');
      if (!target) continue;
      const path = ['links', relation, ...rest];
      for (const [param] of members(link['query'])) {
        // `filter[name]` is a member of the parameter `filter`.
        if (!target.listParams.has(param.split('[')[0]!))
          report(
            [...path, 'query', param],
            `lists of "${target.name}" have no parameter "${param}"`,
            didYouMean(param, target.listParams.keys()),
          );
      }
      checkKey(target, text(link['key']), [...path, 'key'], report);
    }
  }
}

/** The key of a fixed item: of a static resource the rows are known. */
function checkKey(target: ResourceModel, key: string | undefined, path: Path, report: Report): void {
  if (key === undefined) return;
  if (target.static) {
    const keys = target.static.rows.map((row) => String(row[target.key?.name ?? 'slug']));
    if (!keys.includes(key)) report(path, `"${target.name}" has no row "${key}"`, didYouMean(key, keys));
  } else if (target.integerKey && !/^[1-9]\d*$/.test(key))
    report(path, `items of "${target.name}" are named by their id, which "${key}" is not`);
}

/** Warnings about the links of one file that lead nowhere: to what lives below an item, or is not named by its id. */
export function linkNotices(file: SchemaFile, model: ResourceModel): Problem[] {
  const found: Problem[] = [];
  const report: Report = (path, message, hint) => found.push(problemAt(file, path, message, hint));
  for (const [relation, written] of members(record(file.schema)['links']))
    for (const [rest, each] of oneOrMany(written)) {
      const link = record(each);
      const target = targetOf(model, link);
      if (target) checkLinkTarget(model, link, target, ['links', relation, ...rest], report);
    }
  return found;
}

/** The resource that a link leads to, where it names one or the reference that it is made from has only one. */
function targetOf(model: ResourceModel, { to, id }: Record<string, unknown>): ResourceModel | undefined {
  if (to !== undefined) return model.site.byName.get(text(to) ?? '');
  const { targets = [] } = model.fields.get(text(id) ?? '') ?? {};
  return targets.find((target) => target.parent ?? !target.integerKey) ?? targets[0];
}

function checkLinkTarget(
  model: ResourceModel,
  { id, key, query }: Record<string, unknown>,
  target: ResourceModel,
  path: Path,
  report: Report,
): void {
  const { name, parent } = target;
  if (parent && (id !== undefined || key !== undefined))
    report(
      [...path, id === undefined ? 'key' : 'id'],
      `the path of an item of "${name}" begins with that of its "${parent.model.name}", which the link does not have`,
      `link to the list: {"to": "${name}"} in the links of "${parent.model.name}"`,
    );
  else if (parent && query !== undefined && !target.across)
    report(
      [...path, 'query'],
      `"${name}" has a list below each "${parent.model.name}" alone`,
      'give its "parent" "across": true',
    );
  else if (parent && query === undefined && parent.model !== model)
    report([...path, 'to'], `"${name}" is a list below each "${parent.model.name}", and this is none`);
  else if (target.table && !target.integerKey && model.fields.get(text(id) ?? '')?.targets)
    report(
      [...path, 'id'],
      `items of "${name}" are named by their ${target.key!.name}, and a reference has their id`,
      'leave the link out: "expand" shows the item',
    );
}
