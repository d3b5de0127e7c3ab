// What a caller may read of the fields of a resource: decided once per caller where no row matters, else by one statement
// per rule for all rows of a response.
import type { Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { RightModel } from '../../model/permissions.js';
import type { Operation, View } from '../../model/operation.js';
import { and, oneOf, type Predicate, type Row } from '../../model/query.js';
import { evaluate } from './evaluate.js';
import { predicateFor } from './predicate-for.js';
import type { Withheld } from '../../model/shown.js';

/** A right that depends on the row. */
export interface RowRight {
  right: RightModel;
  rows: Predicate;
}

/** The rights of one kind that a caller does not have in every row. */
export interface Restrictions {
  /** In no row. */
  never: readonly RightModel[];
  /** In the rows of a condition. */
  some: readonly RowRight[];
}

type Kind = 'read' | 'write';

const NONE: Restrictions = { never: [], some: [] };
// Rules depend on the caller alone, and a caller is one object for the whole request.
const known: Record<Kind, WeakMap<Actor, Map<ResourceModel, Restrictions>>> = {
  read: new WeakMap(),
  write: new WeakMap(),
};

/** The rights on fields and members that a caller lacks, in all rows or in some. */
export function restrictionsOf(kind: Kind, model: ResourceModel, actor: Actor): Restrictions {
  if (!model.rights) return NONE;
  let models = known[kind].get(actor);
  if (!models) known[kind].set(actor, (models = new Map()));
  let found = models.get(model);
  if (!found) models.set(model, (found = decide(kind, model.rights[kind], actor)));
  return found;
}

function decide(kind: Kind, rights: readonly RightModel[], actor: Actor): Restrictions {
  const conditions = rights.map((right) => ({ right, rows: predicateFor(right[kind]!, actor) }));
  return {
    never: conditions.filter(({ rows }) => rows.op === 'false').map(({ right }) => right),
    some: conditions.filter(({ rows }) => rows.op !== 'false' && rows.op !== 'true'),
  };
}

/** Whether a caller may see only a part of some items of a resource. */
export function seesInPart(model: ResourceModel, actor: Actor): boolean {
  const { never, some } = restrictionsOf('read', model, actor);
  return never.length + some.length > 0;
}

/** Names of the fields that a caller sees in no row; undefined without any. */
export function neverSeen(model: ResourceModel, actor: Actor): ReadonlySet<string> | undefined {
  if (!model.rights) return undefined;
  const names = restrictionsOf('read', model, actor)
    .never.filter(({ path }) => path.length === 1)
    .map(({ name }) => name);
  return names.length > 0 ? new Set(names) : undefined;
}

/** What the caller may not see of some rows; undefined when that is nothing. */
export async function withheldFrom(op: Operation, rows: readonly Row[]): Promise<WithheldFields | undefined> {
  const { never, some } = restrictionsOf('read', op.model, op.actor);
  if (never.length + some.length === 0) return undefined;
  const seen = new Map<RightModel, ReadonlySet<Row>>();
  const byCondition = new Map<string, ReadonlySet<Row>>();
  for (const { right, rows: where } of some) {
    // Several fields may have the same rule.
    const key = JSON.stringify(where);
    const found = byCondition.get(key) ?? (await rowsSeen(op, rows, right, where));
    byCondition.set(key, found);
    seen.set(right, found);
  }
  return new WithheldFields(never, seen, op.model.faces.copies?.shown ?? []);
}

/** The rows in which a right holds. Those of an item operation are decided by the statement that loaded the item. */
async function rowsSeen(
  op: Operation,
  rows: readonly Row[],
  { name }: RightModel,
  where: Predicate,
): Promise<ReadonlySet<Row>> {
  if (!op.model.table) return seenInStatic(rows, where);
  const decided = rows.length === 1 && rows[0]!['id'] === op.id ? op.ruleResults[`read:${name}`] : undefined;
  if (decided !== undefined) return new Set(decided ? rows : []);
  const ids = rows.map((row) => row['id'] as number);
  if (ids.length === 0) return new Set();
  const found = await op.store.select({
    table: op.model.table!.name,
    columns: ['id', 'row_version'],
    where: and(oneOf('id', ids), where),
    order: [],
  });
  // Another version of a row than the one to be shown may be open to more callers.
  const versions = new Map(found.map((row) => [row['id'] as number, row['row_version']]));
  return new Set(rows.filter((row) => versions.has(row['id']) && versions.get(row['id']) === row['row_version']));
}

async function seenInStatic(rows: readonly Row[], where: Predicate): Promise<ReadonlySet<Row>> {
  const seen = new Set<Row>();
  for (const row of rows) if (await evaluate(where, row, undefined)) seen.add(row);
  return seen;
}

/** What one caller may not see of the rows of a response. */
export class WithheldFields implements Withheld {
  private readonly hidden: ReadonlySet<string>;
  private readonly byRow: readonly [RightModel, ReadonlySet<Row>][];

  /** `copies`: members of a view that show something of each field. */
  constructor(
    private readonly never: readonly RightModel[],
    seen: ReadonlyMap<RightModel, ReadonlySet<Row>>,
    private readonly copies: readonly string[],
  ) {
    this.hidden = new Set(never.map(({ name }) => name));
    this.byRow = [...seen];
  }

  has(row: Row, name: string): boolean {
    return this.hidden.has(name) || this.byRow.some(([right, rows]) => right.name === name && !rows.has(row));
  }

  /** Leaves out of a view what the caller may not see of its row. */
  strip(view: View, row: Row): void {
    for (const right of this.never) this.drop(view, right);
    for (const [right, rows] of this.byRow) if (!rows.has(row)) this.drop(view, right);
  }

  private drop(view: View, { path: [field, ...members] }: RightModel): void {
    if (members.length > 0) {
      if (Object.hasOwn(view, field!)) view[field!] = without(view[field!], members);
      return;
    }
    delete view[field!];
    for (const copy of this.copies) {
      if (Object.hasOwn(view, copy)) view[copy] = without(view[copy], [field!]);
    }
  }
}

/** A copy of a value without the member of that path, in each item of a list. */
export function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, [name!, ...rest]));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name!)) return value;
  const { [name!]: member, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...(value as object), [name!]: without(member, rest) };
}
