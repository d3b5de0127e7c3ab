// Prepares what server transactions need besides the tables of the models: the lock slots. Earlier releases locked the
// row of a state table instead.
import type { DdlConnection } from '../sql/connection.js';
import { FORMER_STATE } from '../sql/data-version.js';
import { makeSlots } from '../sql/locks.js';
import type { Statements } from '../sql/statements.js';

/**
 * Creates the slots, and drops the state table of earlier releases: a process of such a release does not take these
 * locks, and can no longer write. Runs under the exclusive lock of a boot; idempotent.
 */
export async function prepareLocks(db: DdlConnection, statements: Statements): Promise<void> {
  await makeSlots(db, statements);
  const { dialect } = statements;
  const former = await dialect.inspect(FORMER_STATE, async (sql) => db.rows(sql, []));
  if (former) await db.exec(`DROP TABLE ${dialect.quote(FORMER_STATE.name)}`);
}

/** Keeps every other transaction of the site waiting until the end of this one; nothing where transactions take turns. */
export async function holdSite(db: DdlConnection, { dialect }: Statements): Promise<void> {
  if (!dialect.locks) return;
  const { sql, params } = dialect.locks.alone();
  await db.run(sql, params);
}
