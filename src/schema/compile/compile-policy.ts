// Compiles the rules and permission checks of each operation, with secure defaults.
import { computedFunctions } from '../../fields/computed/registry.js';
import type { ResourceModel } from '../../model/model.js';
import type { PolicyStep, RuleModel } from '../../model/permissions.js';
import { and, TRUE } from '../../model/query.js';
import type { OperationKind } from '../../model/schema/schema.js';
import type { PermissionSchema, PolicyStepSchema, RuleSchema } from '../../model/schema/permission-schema.js';
import { compileRuleSchema, compileWriters } from './compile-rule.js';
import { MANAGERS } from '../grammar/permission-presets.js';
import { withGuards } from '../grammar/guards.js';
import { isContextStep, sameRule, withSafeSteps, type SafeSteps } from '../grammar/safe-steps.js';
import type { Draftable } from './compile-resource.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

/** The rules about writing. */
const WRITING = new Set(['create', 'edit', 'delete']);
const CONTEXT_RULE: RuleSchema = { rule: 'edit' };

/** Compiles the permissions: rules, steps, and the readers of each field. */
export function compilePermissions(model: Draftable<ResourceModel>, written: PermissionSchema, report: Report): void {
  const rules = rulesOf(model, written);
  model.rules = new Map(
    Object.entries(rules).map(([name, rule]) => {
      const compile = WRITING.has(name) ? compileWriters : compileRuleSchema;
      return [name, compile(rule, model, ['permissions', 'rules', name], report)];
    }),
  );
  const steps = (kind: OperationKind) =>
    withGuards(kind, withSafeSteps(kind, written[kind], safeSteps(model), rules), model.schema).map(({ step, path }) =>
      compileStep(step, model, path, report),
    );
  model.policy = {
    list: steps('list'),
    retrieve: steps('retrieve'),
    create: steps('create'),
    update: steps('update'),
    delete: steps('delete'),
  };
  model.editNarrows = !sameRule({ rule: 'edit' }, { rule: 'read' }, rules);
  model.editors = editorsOf(model, written);
  for (const field of model.fields.values()) field.readers = readersOf(field, model);
}

/** Named rules of a resource: `read`, `create`, `edit`, `delete` always exist. */
function rulesOf(model: ResourceModel, { rules = {} }: PermissionSchema): Record<string, RuleSchema> {
  const all = { read: MANAGERS, create: MANAGERS, edit: MANAGERS, delete: CONTEXT_RULE, ...rules };
  if (model.parent?.hides !== 'first' || !model.parent.field.targets?.includes(model.parent.model)) return all;
  return { ...all, read: { all: [{ through: model.parent.field.name, rule: 'read' }, all.read] } };
}

function safeSteps(model: ResourceModel): SafeSteps {
  const { errors } = model;
  return {
    base: {
      ...(model.defaultContext === 'edit' ? { list: { needs: { rule: 'edit' }, error: errors.read } } : {}),
      retrieve: { needs: { rule: 'read' }, error: errors.read },
      create: { needs: { rule: 'create' }, error: errors.create },
      update: { needs: { rule: 'edit' }, error: errors.update },
      delete: { needs: { rule: 'delete' }, error: errors.delete },
    },
    context: { param: 'context', in: ['edit'], needs: CONTEXT_RULE, error: errors.context },
  };
}

/** Rows of a list in the context `edit`: the requirements of its steps on the caller, and the rule that narrows it. */
function editorsOf(model: ResourceModel, { list = [] }: PermissionSchema): RuleModel {
  const named = list.some(isContextStep) ? model.policy.list.filter(isContextStep).map((step) => step.needs) : [];
  const edit = model.rules.get('edit') ?? (() => TRUE);
  return (actor) => and(...named.map((needs) => needs(actor)), edit(actor));
}

/** Readers of a computed field are those of the fields whose values it reveals. */
function readersOf(field: FieldModel, model: ResourceModel): FieldModel['readers'] {
  const own = shownTo(field, model);
  if (own === 'everyone' || !field.column || field.type === 'password') return own;
  const showing = [...model.fields.values()].filter(({ type, schema }) => {
    const shows = type === 'computed' ? computedFunctions.get(schema.function ?? '')?.shows : undefined;
    return shows?.(schema.options ?? {}).includes(field.column!) ?? false;
  });
  const readers = [own, ...showing.map((other) => shownTo(other, model))];
  return readers.includes('everyone') ? 'everyone' : readers.includes('editors') ? 'editors' : 'nobody';
}

function shownTo({ name, type, contexts }: FieldModel, model: ResourceModel): FieldModel['readers'] {
  // The id of the parent is part of the URL.
  if (name === 'id' || name === model.parent?.field.name) return 'everyone';
  if (type === 'password') return 'nobody';
  if (contexts.has('view') || contexts.has('embed')) return 'everyone';
  if (!contexts.has('edit')) return 'nobody';
  return model.defaultContext === 'edit' ? 'everyone' : 'editors';
}

function compileStep(
  step: PolicyStepSchema,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): PolicyStep {
  return {
    ...(step.field ? { field: [step.field].flat() } : {}),
    ...(step.param ? { param: step.param } : {}),
    ...(step.in ? { in: step.in } : {}),
    ...(step.notIn ? { notIn: step.notIn } : {}),
    notSelf: step.notSelf ?? false,
    changed: step.changed ?? false,
    needs: compileRuleSchema(step.needs, model, [...path, 'needs'], report),
    error: step.error,
    keepAllow: step.keepAllow ?? false,
    asParameterError: step.asParameterError ?? false,
  };
}
