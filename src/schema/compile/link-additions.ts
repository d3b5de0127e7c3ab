// Adds the hooks and actions of extensions to compiled models.
import type { Draftable } from './compile-resource.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import type { ParamModel } from '../../model/list.js';
import { PHASES, type OwnActionModel } from '../../model/hooks.js';
import type { AddedAction, AddedHooks, AddedListener, Additions } from '../../model/registered.js';
import type { ParamSchema } from '../../model/schema/schema.js';
import { rulesNamedIn } from '../check/check-rules-used.js';
import { didYouMean } from '../../text/nearest-name.js';
import { argSchema } from '../../values/json-schema.js';
import { compileRule } from '../../values/compile-value-rule.js';
import { compileRuleSchema } from './compile-rule.js';

/** Stands for every resource. */
const ALL = '*';
/** Phases inside the transaction of a write. */
const WRITING = ['input', 'saved', 'remove', 'removed'] as const;

/**
 * Links what extensions add besides the registries. Problems go to the reports of the extensions. `check` finds what is
 * wrong with the rule and the values of an action.
 */
export function linkAdditions(models: ModelSet, { hooks, actions, listeners }: Additions, check: ActionCheck): void {
  for (const added of hooks) linkHooks(models, added);
  for (const added of listeners) checkListener(models, added);
  for (const added of actions) {
    const violations = check(added);
    for (const { path, message, hint } of violations) added.report(['action', ...path], message, hint);
    if (violations.length === 0) linkAction(models, added);
  }
}

type ActionCheck = (action: AddedAction) => { path: (string | number)[]; message: string; hint?: string }[];

function linkHooks({ byName }: ModelSet, { name, resources, hooks, sideBySide, report }: AddedHooks): void {
  const named = resources.includes(ALL) ? [...byName.values()].filter(({ table }) => table) : [];
  for (const resource of resources) {
    if (resource === ALL) continue;
    const model = byName.get(resource);
    if (model?.table) named.push(model);
    else if (model) report(['hooks', 'resource'], `the resource "${resource}" has no table: no phases run for it`);
    else report(['hooks', 'resource'], `there is no resource "${resource}"`, didYouMean(resource, byName.keys()));
  }
  for (const model of named as Draftable<ResourceModel>[]) {
    for (const phase of PHASES) {
      const run = hooks[phase];
      if (run) model.hooks = { ...model.hooks, [phase]: [...model.hooks[phase], { trait: name, run }] };
    }
    if (!sideBySide && WRITING.some((phase) => hooks[phase])) model.sideBySide = false;
  }
}

/** A listener to a resource that there is not would never be called. */
function checkListener({ byName }: ModelSet, { resources, report }: AddedListener): void {
  for (const resource of resources) {
    if (resource !== ALL && !byName.has(resource))
      report(['listener', 'on'], `there is no resource "${resource}"`, didYouMean(resource, byName.keys()));
  }
}

function linkAction({ byName }: ModelSet, added: AddedAction): void {
  const { name, resource, on, report } = added;
  const model = byName.get(resource) as Draftable<ResourceModel> | undefined;
  if (!model)
    return report(['action', 'resource'], `there is no resource "${resource}"`, didYouMean(resource, byName.keys()));
  if (!model.table) return report(['action', 'resource'], `the resource "${resource}" stores no items`);
  const below = [...byName.values()].find(({ parent, path }) => parent?.model === model && path === name);
  if (on === 'item' && below)
    return report(['action', 'name'], `"${name}" is the path of the resource "${below.name}" below an item`);
  if (model.actions.has(name) || model.ownActions.has(name))
    return report(['action', 'name'], `the resource "${resource}" has an action "${name}" already`);
  if (model.singleton && on === 'collection')
    return report(['action', 'on'], 'a singleton has one item, and no collection', 'leave out "on"');
  for (const rule of rulesNamedIn(added.needs)) {
    if (!model.rules.has(rule))
      return report(['action', 'needs'], `there is no rule "${rule}"`, didYouMean(rule, model.rules.keys()));
  }
  model.ownActions = new Map([...model.ownActions, [name, compileAction(added, model)]]);
}

function compileAction(added: AddedAction, model: ResourceModel): OwnActionModel {
  const { name, on, description, body, needs, error, returns, run, report } = added;
  return {
    name,
    on,
    description,
    error,
    params: new Map(Object.entries(body).map(([param, schema]) => [param, member(param, schema)])),
    needs: compileRuleSchema(needs, model, ['action', 'needs'], report),
    ...(returns ? { returns } : {}),
    run,
  };
}

function member(name: string, schema: ParamSchema): ParamModel {
  return { name, schema, rule: compileRule(schema), arg: argSchema(schema) };
}
