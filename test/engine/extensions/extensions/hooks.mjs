// Hooks for every phase that a rule of one's own needs, and one that fails.
import { defineExtension, ResourceError } from 'typecase';

export default defineExtension({
  hooks: {
    resource: 'sighting',
    input(draft, op) {
      if (op.values.place === 'Cellar')
        throw new ResourceError('rest_invalid_param', { message: 'There is no sky in a cellar.' });
    },
    async saved(row, op) {
      if (row.place === 'Edge') {
        await op.tx.update(op.model.table.name, { place: 'changed' }, { op: 'eq', column: 'id', value: row.id });
        throw new TypeError('fell off the edge');
      }
    },
    removed(row) {
      if (row.place === 'Kept') throw new ResourceError('rest_cannot_delete', { message: 'This one is kept.' });
    },
    present(views) {
      for (const view of views) {
        view.shown_by = 'hooks';
        if (view.place === 'Mirror') view.itself = view;
      }
    },
    authorize(op) {
      if (op.kind === 'retrieve' && op.headers['x-mood'] === 'grim')
        throw new ResourceError('rest_forbidden', { status: 403 });
    },
  },
});
