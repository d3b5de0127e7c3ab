/** Makes the seeds of every resource whose collection has never held anything. */
export async function plantSeeds(writer) {
    for (const model of writer.models.byName.values()) {
        if (!model.table || model.seeds.length === 0)
            continue;
        if (await writer.find(model.name, {}))
            continue;
        await writer.batch(async (batch) => {
            for (const seed of model.seeds)
                await batch.create(model.name, seed);
        });
    }
}
