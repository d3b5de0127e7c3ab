// An action of a resource that has one item.
import { defineExtension } from 'typecase';

export default defineExtension({
  action: {
    name: 'turn',
    resource: 'dome',
    description: 'Opens or closes the dome.',
    body: { open: { type: 'boolean', required: true } },
    needs: { signedIn: true },
    async run({ values, row, tx, op }) {
      const changes = { open: values['open'] ? 1 : 0, times: Number(row!['times']) + 1 };
      await tx.update(op.model.table!.name, changes, { op: 'eq', column: 'id', value: row!['id'] as number });
    },
  },
});
