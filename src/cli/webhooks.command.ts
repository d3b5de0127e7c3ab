// `webhooks`: shows the state of deliveries; `webhooks replay`: sends some again.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { createCommandLogger } from '../http/request/logger.js';
import { updateDerived } from '../model/functions/update-derived.js';
import type { ResourceModel } from '../model/model.js';
import { and, equals, NEXT_VERSION, not, oneOf, TRUE, type Predicate } from '../model/query.js';
import type { Reader } from '../model/store.js';
import type { OpenSite } from '../server/open-site.js';

interface Options {
  failed?: boolean;
  webhook?: string;
}

/** Adds the command. */
export function webhooksCommand(program: Command): void {
  const group = program
    .command('webhooks')
    .description('count the deliveries of webhooks: pending, delivered and failed');
  group.action(() => withDeliveries((site, model) => printCounts(site, model)));
  group
    .command('replay [ids...]')
    .description('send deliveries again: those with these ids, or all that were given up')
    .option('--failed', 'all that were given up')
    .option('--webhook <id>', 'only those of one webhook')
    .action((ids: string[], options: Options) => {
      if (ids.length === 0 && !options.failed) throw new Error('Give ids of deliveries, or say --failed.');
      if (ids.length > 0 && options.failed) throw new Error('Give ids of deliveries or say --failed, not both.');
      const numbers = [...ids, ...(options.webhook === undefined ? [] : [options.webhook])];
      const wrong = numbers.find((id) => !/^[1-9]\d{0,15}$/.test(id));
      if (wrong !== undefined) throw new Error(`"${wrong}" is not an id.`);
      return withDeliveries((site, model) => replay(site, model, ids.map(Number), options));
    });
}

async function withDeliveries(work: (site: OpenSite, model: ResourceModel) => Promise<void>): Promise<void> {
  const config = readConfig();
  const { openSite } = await import('../server/open-site.js');
  const site = await openSite(config, createCommandLogger(config.log), { bare: true, existing: true });
  try {
    const model = [...site.models.byName.values()].find(({ faces }) => faces.delivery);
    if (!model) throw new Error('No resource of this site has the trait "webhook-delivery".');
    await work(site, model);
  } finally {
    await site.close();
  }
}

async function printCounts({ store }: OpenSite, model: ResourceModel): Promise<void> {
  const { state } = model.faces.delivery!.columns;
  const counts = await store.reader.countBy(model.table!.name, state, TRUE);
  for (const word of ['pending', 'delivered', 'failed']) process.stdout.write(`${word}: ${counts.get(word) ?? 0}\n`);
}

async function replay(
  { store, models }: OpenSite,
  model: ResourceModel,
  ids: number[],
  options: Options,
): Promise<void> {
  const { state, attempts, due, error, done, target } = model.faces.delivery!.columns;
  const wanted: Predicate[] = [
    options.failed ? equals(state, 'failed') : oneOf('id', ids),
    ...(options.webhook === undefined ? [] : [equals(target, Number(options.webhook))]),
  ];
  const again = { [state]: 'pending', [attempts]: 0, [due]: 0, [error]: '', [done]: null };
  const table = model.table!.name;
  const webhooks = models.byName.get(model.faces.delivery!.of)!;
  const [count, waiting] = await store.transaction(async (tx) => {
    if (ids.length > 0) {
      const found = await tx.select({ table, columns: ['id'], where: and(...wanted), order: [] });
      const missing = ids.filter((id) => !found.some((row) => row['id'] === id));
      const of = options.webhook === undefined ? '' : ` of webhook ${options.webhook}`;
      if (missing.length > 0)
        throw new Error(`There is no delivery ${missing.join(', ')}${of}. Nothing is sent again.`);
    }
    // Counted before the update, which makes failed deliveries indistinguishable from the others.
    const idle = await inactiveWebhooks(webhooks, tx);
    const waits = idle.length === 0 ? 0 : await tx.count(table, and(...wanted, oneOf(target, idle)));
    return [await updateDerived(model, again, and(...wanted), tx, NEXT_VERSION, { site: store }), waits];
  }, {});
  process.stdout.write(`${deliveries(count - waiting)} sent again\n`);
  if (waiting > 0) process.stdout.write(`${deliveries(waiting)} kept until the webhook is switched on\n`);
}

/** Ids of the inactive webhooks. */
async function inactiveWebhooks({ table, faces }: ResourceModel, reader: Reader): Promise<number[]> {
  const where = not(equals(faces.webhook!.columns.active, 1));
  const rows = await reader.select({ table: table!.name, columns: ['id'], where, order: [] });
  return rows.map((row) => row['id'] as number);
}

const deliveries = (count: number): string => `${count} ${count === 1 ? 'delivery is' : 'deliveries are'}`;
