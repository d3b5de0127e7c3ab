// Logs what has to be ordered: after each change that leaves little, and once an hour what is out of stock.
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
      const { items, total } = await resource<Variant>('variant').list({ stock: { eq: 0 }, per_page: 100 });
      log.info({ empty: total, first: items.map(({ sku }) => sku) }, 'stock');
    },
  },
});
