// Sets a value that its column does not hold, and selects without an order.
import { defineExtension } from 'typecase';

export default defineExtension({
  hooks: {
    resource: 'sighting',
    async input(draft, op) {
      if (draft.values.place === 'Unfit') draft.row.star = { id: draft.row.star };
      if (draft.values.place !== 'Counted') return;
      const { name: table } = op.model.table;
      const rows = await op.tx.select({ table, columns: ['id'], where: { op: 'true' } });
      draft.row.place = `Counted ${rows.length > 0}`;
    },
  },
});
