// What the references in a column of a shared table lead to.
import type { ResourceModel } from '../model.js';

/**
 * The targets of a column in all resources with the same discriminator: the table does not show which of them a row
 * belongs to. Revisions of posts and of pages, for example, differ in their parents only.
 */
export function targetsOfColumn(model: ResourceModel, column: string): ResourceModel[] {
  const discriminator = JSON.stringify(model.discriminator);
  const siblings = (model.site.ofTable.get(model.table!.name) ?? []).filter(
    (other) => JSON.stringify(other.discriminator) === discriminator,
  );
  return siblings.flatMap((sibling) =>
    [...sibling.fields.values()].filter((field) => field.column === column).flatMap((field) => field.targets ?? []),
  );
}
