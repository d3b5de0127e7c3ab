import { compileRuleSchema } from './compile-rule.js';
/** Who writes when a schema says nothing. */
const WRITERS = 'manage_options';
/** Named rules of a resource: `read`, `create`, `edit`, `delete` always exist. */
export function compileRules(model, written, report) {
    const rules = new Map();
    const all = { read: true, create: WRITERS, edit: WRITERS, delete: { rule: 'edit' }, ...written.rules };
    for (const [name, rule] of Object.entries(all)) {
        rules.set(name, compileRuleSchema(rule, model, ['permissions', 'rules', name], report));
    }
    return rules;
}
function defaultSteps(model) {
    const { errors } = model;
    const editContext = { param: 'context', in: ['edit'], needs: { rule: 'edit' }, error: errors.context };
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
export function compilePolicy(model, written, report) {
    const fallback = defaultSteps(model);
    const steps = (kind) => (written[kind] ?? fallback[kind]).map((step, index) => compileStep(step, model, ['permissions', kind, index], report));
    return { list: steps('list'), retrieve: steps('retrieve'), create: steps('create'), update: steps('update'), delete: steps('delete') };
}
function compileStep(step, model, path, report) {
    return {
        ...(step.given ? { given: [step.given].flat() } : {}),
        ...(step.param ? { param: step.param } : {}),
        ...(step.in ? { in: step.in } : {}),
        ...(step.notIn ? { notIn: step.notIn } : {}),
        notMe: step.notMe ?? false,
        changed: step.changed ?? false,
        needs: compileRuleSchema(step.needs, model, [...path, 'needs'], report),
        error: step.error,
        detail: step.detail ?? false,
    };
}
