// Items that a schema wants to be there from the first boot on: the default category. Called when a site is opened.
import { BootError } from '../errors/problem.js';
import { ResourceError } from '../errors/resource-error.js';
import { TRUE } from '../model/query.js';
import type { ContentWriter } from './content-writer.js';

/** Makes the seeds of every resource whose collection has never held anything. */
export async function plantSeeds(writer: ContentWriter): Promise<void> {
  for (const model of writer.models.byName.values()) {
    if (!model.table || model.seeds.length === 0) continue;
    if (await writer.find(model.name, {})) continue;
    await writer.batch(async (batch) => {
      // Another process that started with us may have been faster.
      if (await batch.find(model.name, {})) return;
      // Settings name seeds by their ids, which a cluster would not begin at 1.
      const empty = !(await batch.tx.first(model.table!.name, ['id'], TRUE));
      for (const [index, seed] of model.seeds.entries()) {
        const options = empty ? { id: index + 1 } : {};
        await batch.create(model.name, seed, options).catch((error) => refuse(error, model.name, index));
      }
    });
  }
}

/** What a trait refuses of a seed is a mistake in its file. */
function refuse(error: unknown, resource: string, index: number): never {
  if (!(error instanceof ResourceError)) throw error;
  throw new BootError([{ file: `resource ${resource}`, path: `seeds.${index}`, message: error.message }]);
}
