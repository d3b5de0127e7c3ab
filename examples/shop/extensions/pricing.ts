// A line keeps the price that its variant has when it is ordered.
import { defineExtension, equals } from 'typecase';

const cents = (price: unknown): number => Math.round(Number(price) * 100);

export default defineExtension({
  hooks: {
    resource: 'order-line',
    async input(draft, op, current) {
      const before = current ?? {};
      const variant = draft.row['variant'] ?? before['variant'];
      const quantity = draft.row['quantity'] ?? before['quantity'];
      const isOther = variant !== before['variant'];
      const table = op.model.site.byName.get('variant')!.table!.name;
      const found = isOther ? await op.tx!.first(table, ['price'], equals('id', variant)) : undefined;
      const price = isOther ? found?.['price'] : before['price'];
      draft.row['price'] = (cents(price) / 100).toFixed(2);
      draft.row['amount'] = ((cents(price) * Number(quantity)) / 100).toFixed(2);
    },
    // Prices are read where they are written; nothing else is decided.
    sideBySide: true,
  },
});
