// Rows of static resources, compiled from the declarations of other schemas.
import type { ResourceModel } from '../../model/model.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Draftable } from './compile-resource.js';

/** Collects the rows of resources that list themselves here, then the own rows. */
export function linkStatic(model: Draftable<ResourceModel>): void {
  const target = model.static;
  if (!target) return;
  const own = (model.schema.storage as { rows?: Record<string, unknown>[] }).rows ?? [];
  const rows: Record<string, unknown>[] = [];
  for (const other of model.site.byName.values()) {
    const entry = other.listsItselfIn[target.name];
    if (entry) rows.push({ ...describe(other), ...entry });
  }
  target.rows = [...rows, ...own];
}

/** Members of the row of a resource, taken from its own schema. */
function describe(model: ResourceModel): Record<string, unknown> {
  const references = [...model.fields.values()].flatMap((field) =>
    field.many?.target ? [field.many.target.name] : [],
  );
  const referencedBy = [...model.site.byName.values()]
    .filter((other) => [...other.fields.values()].some((field) => field.many?.target?.name === model.name))
    .map((other) => other.discriminator);
  const key = Object.values(model.discriminator)[0] ?? model.name;
  return {
    resource: model.name,
    slug: key,
    name: model.labels.plural,
    description: '',
    rest_base: model.path,
    hierarchical: model.faces.tree !== undefined,
    labels: model.labels,
    references: references.map((name) => kindOf(model.site.byName.get(name)!)),
    referenced_by: referencedBy.map((constants) => Object.values(constants)[0]).filter(Boolean),
  };
}

function kindOf(model: ResourceModel): Scalar {
  return Object.values(model.discriminator)[0] ?? model.name;
}
