// Says in the log what has to be ordered, once an hour and after each payment that leaves little.
import { defineExtension } from 'typecase';

interface Variant {
  sku: string;
  stock: number;
}
const LITTLE = 3;

export default defineExtension({
  listener: {
    name: 'low-stock',
    on: 'variant.updated',
    async run({ item, fields }, { resource, log }) {
      if (!fields.includes('stock')) return;
      const { sku, stock } = await resource<Variant>('variant').get(item);
      if (stock < LITTLE) log.warn({ sku, stock }, 'order more');
    },
  },
  job: {
    name: 'stock-report',
    every: '1h',
    async run({ resource, log }) {
      const { items } = await resource<Variant>('variant').list({ per_page: 100 });
      log.info({ empty: items.filter(({ stock }) => stock === 0).map(({ sku }) => sku) }, 'stock');
    },
  },
});
