// Which rows of a shared table belong to which resource, so that every row belongs to one. Called by dumps and by rerender.
import type { ResourceModel } from '../model/model.js';
import { and, equals, not, or, type Predicate } from '../model/query.js';

/** Rows with the constants of a resource. */
export function ownRows(model: ResourceModel): Predicate {
  return and(...Object.entries(model.discriminator).map(([column, value]) => equals(column, value)));
}

/**
 * Rows that belong to a resource and to no other one of its table. Of resources whose constants both fit, the one with
 * more of them has the row; of those with the same, the one whose parent exists; a row without a parent goes to the first.
 */
export function rowsOf(model: ResourceModel): Predicate {
  const all = model.site.ofTable.get(model.table!.name) ?? [model];
  const rivals = all.filter((other) => other !== model && overlap(model, other));
  if (rivals.length === 0) return ownRows(model);
  const ranked = all
    .filter((other) => other === model || rivals.includes(other))
    .sort((a, b) => Object.keys(b.discriminator).length - Object.keys(a.discriminator).length);
  const claims = [
    ...ranked.map((each) => [each, withParent(each)] as const),
    ...ranked.map((each) => [each, ownRows(each)] as const),
  ];
  const mine = claims.flatMap(([claimant, claim], rank) => {
    if (claimant !== model || (rank >= ranked.length && !model.parent)) return [];
    return [and(claim, ...claims.slice(0, rank).map(([, earlier]) => not(earlier)))];
  });
  return or(...mine);
}

function overlap(a: ResourceModel, b: ResourceModel): boolean {
  return Object.entries(a.discriminator).every(
    ([column, value]) => !(column in b.discriminator) || b.discriminator[column] === value,
  );
}

function withParent(model: ResourceModel): Predicate {
  const { parent } = model;
  if (!parent) return ownRows(model);
  return and(ownRows(model), {
    op: 'exists',
    table: parent.model.table!.name,
    outer: parent.field.column!,
    inner: 'id',
    where: ownRows(parent.model),
  });
}
