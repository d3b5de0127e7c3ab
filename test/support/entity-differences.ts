// What TypeORM's schema comparison would change so that the tables equal the entities.
import type { DataSource } from 'typeorm';

/** TypeORM mistakes the default of a TEXT column of MySQL, which is an expression, for a string. */
const EXPRESSION_DEFAULT = /^ALTER TABLE `\w+` CHANGE `(\w+)` `\1` \w*text NOT NULL DEFAULT '/;

/** The statements of the comparison, without those for columns that TypeORM misreads. */
export async function entityDifferences(source: DataSource): Promise<string[]> {
  const { upQueries } = await source.driver.createSchemaBuilder().log();
  const statements = upQueries.map(({ query }) => query);
  return source.options.type === 'mysql' ? statements.filter((sql) => !EXPRESSION_DEFAULT.test(sql)) : statements;
}
