// Changes what the references of other items lead to, with the digests of unique values that they are part of.
import { equals, NEXT_VERSION, type Predicate, type Row } from '../query.js';
import type { Transaction } from '../store.js';
import type { DigestModel, TableModel } from '../table.js';
import type { Scalar } from '../schema/schema.js';
import { digestOf } from './unique-digest.js';
import { portionsOf, updateInPortions } from './update-in-portions.js';

/** A reference column of a table. */
export interface ReferenceColumn {
  table: TableModel;
  column: string;
}

/** A digest column, and the rows that have it. */
interface Digest {
  name: string;
  of: DigestModel;
  where: Readonly<Record<string, Scalar>>;
}

/**
 * Makes references lead to the item `target`, in the rows that satisfy `where`; 0: to nothing.
 * Rejected with a violation of a unique index when a row would then share values that are unique with another one.
 */
export async function moveReferences(
  tx: Transaction,
  reference: ReferenceColumn,
  target: number,
  where: Predicate,
): Promise<void> {
  const { table, column } = reference;
  const digests = digestsWith(table, column);
  if (target !== 0 && digests.length > 0) return moveOneByOne(tx, reference, target, where, digests);
  // With a reference to nothing, no digest is left.
  const empty = Object.fromEntries(digests.map(({ name }) => [name, null]));
  await updateInPortions(tx, table.name, { [column]: target, ...empty, ...NEXT_VERSION }, where);
}

async function moveOneByOne(
  tx: Transaction,
  { table, column }: ReferenceColumn,
  target: number,
  where: Predicate,
  digests: readonly Digest[],
): Promise<void> {
  const sources = digests.flatMap(({ of, where: rows }) => [
    ...of.sources.map((source) => source.column),
    ...Object.keys(rows),
  ]);
  const columns = [...new Set(['id', ...sources])];
  for await (const rows of portionsOf(tx, { table: table.name, columns, where })) {
    for (const row of rows) {
      const set = { [column]: target, ...digestsOf({ ...row, [column]: target }, digests), ...NEXT_VERSION };
      await tx.update(table.name, set, equals('id', row['id']));
    }
  }
}

function digestsOf(row: Row, digests: readonly Digest[]): Record<string, string | null> {
  const own = digests.filter(({ where }) => Object.entries(where).every(([name, value]) => row[name] === value));
  return Object.fromEntries(
    own.map(({ name, of }) => [
      name,
      digestOf(
        of,
        of.sources.map((source) => row[source.column]),
      ),
    ]),
  );
}

/** The digests of a table that a reference is part of. */
function digestsWith({ indexes }: TableModel, column: string): Digest[] {
  return [...indexes.values()].flatMap(({ columns, digests = [] }) =>
    digests
      .filter(({ sources }) => sources.some((source) => source.reference && source.column === column))
      .map((of) => ({ name: columns.at(-1)!, of, where: of.where })),
  );
}
