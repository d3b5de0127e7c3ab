// The checks of each operation, defaults filled (decisions 9.9). Called by compile.
import type { PolicyStep, ResourceModel, RuleModel } from '../model/model.js';
import type { Report } from '../model/registry.js';
import type { OperationKind, PermissionSchema, PolicyStepSchema, RuleSchema } from '../model/schema.js';
import { compileRuleSchema } from './compile-rule.js';

/** Who writes when a schema says nothing. */
const WRITERS: RuleSchema = 'manage_options';

/** Named rules of a resource: `read`, `create`, `edit`, `delete` always exist. */
export function compileRules(model: ResourceModel, written: PermissionSchema, report: Report): Map<string, RuleModel> {
  const rules = new Map<string, RuleModel>();
  const all: Record<string, RuleSchema> = {
    read: true,
    create: WRITERS,
    edit: WRITERS,
    delete: { rule: 'edit' },
    ...written.rules,
  };
  for (const [name, rule] of Object.entries(all)) {
    rules.set(name, compileRuleSchema(rule, model, ['permissions', 'rules', name], report));
  }
  return rules;
}

function defaultSteps(model: ResourceModel): Record<OperationKind, PolicyStepSchema[]> {
  const { errors } = model;
  const editContext: PolicyStepSchema = {
    param: 'context',
    in: ['edit'],
    needs: { rule: 'edit' },
    error: errors.context,
  };
  const guarded = model.defaultContext === 'edit';
  return {
    list: guarded ? [{ needs: { rule: 'edit' }, error: errors.read }] : [editContext],
    retrieve: [{ needs: { rule: 'read' }, error: errors.read }, ...(guarded ? [] : [editContext])],
    create: [{ needs: { rule: 'create' }, error: errors.create }],
    update: [{ needs: { rule: 'edit' }, error: errors.update }],
    delete: [{ needs: { rule: 'delete' }, error: errors.delete }],
  };
}

/** Compiled steps per operation. */
export function compilePolicy(
  model: ResourceModel,
  written: PermissionSchema,
  report: Report,
): Record<OperationKind, PolicyStep[]> {
  const fallback = defaultSteps(model);
  const steps = (kind: OperationKind) =>
    (written[kind] ?? fallback[kind]).map((step, index) =>
      compileStep(step, model, ['permissions', kind, index], report),
    );
  return {
    list: steps('list'),
    retrieve: steps('retrieve'),
    create: steps('create'),
    update: steps('update'),
    delete: steps('delete'),
  };
}

function compileStep(
  step: PolicyStepSchema,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): PolicyStep {
  return {
    ...(step.given ? { given: [step.given].flat() } : {}),
    ...(step.param ? { param: step.param } : {}),
    ...(step.in ? { in: step.in } : {}),
    ...(step.notIn ? { notIn: step.notIn } : {}),
    notMe: step.notMe ?? false,
    changed: step.changed ?? false,
    needs: compileRuleSchema(step.needs, model, [...path, 'needs'], report),
    error: step.error,
    late: step.late ?? false,
    detail: step.detail ?? false,
  };
}
