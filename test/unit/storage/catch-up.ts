// Stands in for replication: a database that stands still until it is told to catch up. Used by the replica specs.
import { engineOf, openConnection } from '../../support/fresh-database.js';

const TABLES = {
  mysql: 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
};

/** Makes every row of `from` those of `to`, in one transaction, as a replica would come to have them. Their tables are the same. */
export async function catchUp(from: string, to: string): Promise<void> {
  const engine = engineOf(from) as 'mysql' | 'postgres';
  const [source, target] = [await openConnection(from), await openConnection(to)];
  try {
    const names = (await source.runSql(TABLES[engine])).map(({ name }) => String(name));
    await source.runSql(
      engine === 'mysql' ? 'START TRANSACTION WITH CONSISTENT SNAPSHOT' : 'BEGIN ISOLATION LEVEL REPEATABLE READ',
    );
    await target.runSql('BEGIN');
    for (const name of names) {
      await target.runSql(`DELETE FROM ${name}`);
      if (engine === 'mysql') {
        await target.runSql(`INSERT INTO ${name} SELECT * FROM ${new URL(from).pathname.slice(1)}.${name}`);
      } else {
        const [row] = await source.runSql(`SELECT CAST(json_agg(t) AS text) AS rows FROM ${name} AS t`);
        const rows = String(row!['rows'] ?? '[]').replaceAll("'", "''");
        await target.runSql(
          `INSERT INTO ${name} SELECT * FROM json_populate_recordset(CAST(NULL AS ${name}), '${rows}')`,
        );
      }
    }
    await target.runSql('COMMIT');
    await source.runSql('COMMIT');
  } finally {
    await source.close();
    await target.close();
  }
}
