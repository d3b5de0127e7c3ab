// Seeds: items that a schema declares to exist from the first start on, such as the default category.
import { StartupError } from '../errors/problem.js';
import { reasonsOf, ResourceError } from '../errors/resource-error.js';
import { TRUE } from '../model/query.js';
import type { ContentWriter } from '../engine/content-writer.js';

/** Creates the seeds of every resource whose collection never had an item. */
export async function runSeeds(writer: ContentWriter): Promise<void> {
  for (const model of writer.models.byName.values()) {
    if (!model.table || model.seeds.length === 0) continue;
    if (await writer.find(model.name, {})) continue;
    await writer.batch(async (batch) => {
      // Another process that started at the same time may have created them.
      if (await batch.find(model.name, {})) return;
      // Settings refer to seeds by id, and a cluster's id sequence may not begin at 1.
      const empty = !(await batch.tx.first(model.table!.name, ['id'], TRUE));
      for (const [index, seed] of model.seeds.entries()) {
        const options = empty ? { id: index + 1 } : {};
        await batch.create(model.name, seed, options).catch((error) => rejectSeed(error, model.name, index));
      }
    });
  }
}

/** A seed that a trait or a unique index rejects is a mistake in the schema file. */
function rejectSeed(error: unknown, resource: string, index: number): never {
  const problem = { file: `resource ${resource}`, path: `seeds.${index}` };
  if (error instanceof Error && error.name === 'UniqueViolation')
    throw new StartupError([{ ...problem, message: 'another item has its unique values already' }]);
  if (!(error instanceof ResourceError)) throw error;
  throw new StartupError(reasonsOf(error).map((message) => ({ ...problem, message })));
}
