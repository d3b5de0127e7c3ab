// Assigns each row of a shared table to exactly one resource.
import type { ResourceModel } from '../model/model.js';
import { and, not, or, type Predicate } from '../model/query.js';

/**
 * Rows that belong to a resource and to no other one of its table. When the discriminators of two resources match, the
 * one with more columns owns the row; when they are equal, the one whose parent exists; a row without a parent belongs
 * to the first.
 */
export function rowsOf(model: ResourceModel): Predicate {
  const all = model.site.ofTable.get(model.table!.name) ?? [model];
  const rivals = all.filter((other) => other !== model && overlap(model, other));
  if (rivals.length === 0) return model.rowScope;
  const ranked = all
    .filter((other) => other === model || rivals.includes(other))
    .sort((a, b) => Object.keys(b.discriminator).length - Object.keys(a.discriminator).length);
  const claims = [
    ...ranked.map((each) => [each, withParent(each)] as const),
    ...ranked.map((each) => [each, each.rowScope] as const),
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
  if (!parent) return model.rowScope;
  return and(model.rowScope, {
    op: 'exists',
    table: parent.model.table!.name,
    outer: parent.field.column!,
    inner: 'id',
    where: parent.model.rowScope,
  });
}
