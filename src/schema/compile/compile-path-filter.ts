// Filters that look at a field of a referenced item: `ward.name`, or one step further, `patient.ward.name`.
import { filters } from '../../filters/registry.js';
import type { ResourceModel } from '../../model/model.js';
import type { ListPlan, ParamModel } from '../../model/list.js';
import { and, or, TRUE, type Predicate } from '../../model/query.js';
import { guardOf, withGuard } from '../../model/functions/readers.js';
import { inScope, type Actor } from '../../model/actor.js';
import type { ParamSchema } from '../../model/schema/schema.js';
import { searchColumn } from './compile-search.js';
import type { Derive, FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

const MOST_STEPS = 2;

/** A field behind references: the references on the way, and the resource that has the field. */
export interface FieldPath {
  steps: readonly { from: ResourceModel; reference: FieldModel }[];
  target: ResourceModel;
  field: FieldModel;
}

/** The field that a path with points leads to; undefined for other names, and for a path that leads nowhere, which is reported. */
export function pathOf(
  written: ParamSchema,
  name: string,
  model: ResourceModel,
  report: Report,
): FieldPath | undefined {
  const names = written.field?.split('.') ?? [];
  if (names.length < 2 || !written.filter || written.resource !== undefined) return undefined;
  const at = ['params', name, 'field'];
  if (names.length > MOST_STEPS + 1) report(at, `a path has at most ${MOST_STEPS} references`);
  const steps: { from: ResourceModel; reference: FieldModel }[] = [];
  let target = model;
  for (const step of names.slice(0, -1)) {
    const reference = target.fields.get(step);
    const next = reference?.column ? reference.targets?.[0] : undefined;
    if (!reference || !next?.table) {
      report(at, `"${step}" is not a reference field of "${target.name}"`);
      return undefined;
    }
    steps.push({ from: target, reference });
    target = next;
  }
  const field = target.fields.get(names.at(-1)!);
  if (!field) report(at, `"${target.name}" has no field "${names.at(-1)}"`);
  return field && { steps, target, field };
}

/** The filter of such a parameter: only items count that the caller may read, with fields that they may read in them. */
export function pathFilter(
  { steps, target, field }: FieldPath,
  schema: ParamSchema & { name: string },
  report: Report,
): ParamModel['filter'] | undefined {
  const filter = filters.get(schema.filter!)!;
  if (filter.keys) {
    report(['params', schema.name, 'filter'], `"${filter.name}" does not look behind a reference`);
    return undefined;
  }
  if (filter.folded && field.column) searchColumn(field, target, target.derive as Derive[]);
  const run = filter.compile({ ...schema, field: field.name }, target, report);
  if (!run) return undefined;
  return async (value, plan, op) => {
    const inner: ListPlan = { where: [], known: new Map(), order: [], offset: 0, page: 1 };
    await run(value, inner, op);
    if (inner.where.length === 0) return;
    const fields = [...steps.map(({ reference }) => reference), field];
    const condition = steps.reduceRight(
      (where, { reference }, at) => behind(reference, fields[at + 1]!, where, op.actor),
      and(...inner.where),
    );
    plan.where.push(withGuard(guardOf([fields[0]!], steps[0]!.from), op.actor, condition));
  };
}

/** Rows whose reference leads to a readable item for which the condition on `field` holds, and that shows the field. */
function behind(reference: FieldModel, field: FieldModel, where: Predicate, actor: Actor): Predicate {
  const targets = reference.targets!;
  const readable = targets.flatMap((each) => {
    const own = sameIn(each, field);
    if (!own || !inScope(actor, each.path, 'list')) return [];
    const read = each.rules.get('read')?.(actor) ?? TRUE;
    const more = Object.values(each.faces.asked?.(actor) ?? {});
    return [withGuard(guardOf([own], each), actor, and(each.rowScope, read, ...more))];
  });
  return {
    op: 'exists',
    table: targets[0]!.table!.name,
    outer: reference.column!,
    inner: 'id',
    where: and(or(...readable), where),
  };
}

/** The field of another resource of a table that has the values of a field. */
function sameIn(model: ResourceModel, { name, column, many }: FieldModel): FieldModel | undefined {
  const found = model.fields.get(name);
  return found && found.column === column && found.many?.table === many?.table ? found : undefined;
}
