// A trait that numbers the bookings of each room, and a hook that refuses a second one of a day, or one for nobody.
import { and, defineExtension, equals, ResourceError, type Row } from 'typecase';

export default defineExtension({
  trait: {
    name: 'numbered',
    description: 'Items get a number among those of the same reference.',
    options: { by: { type: 'string', required: true, description: 'The reference.' } },
    hooks: (model, { by }: { by: string }) => ({
      async input(draft, op, current) {
        if (current) return;
        const of = Number(draft.row[by]);
        const numbered = await op.tx!.count(model.table!.name, equals(by, of));
        draft.row['number'] ||= `${of}-${numbered + 1}`;
      },
    }),
  },
  hooks: {
    resource: 'booking',
    async input(draft, op, current) {
      const { room, day } = { ...current, ...draft.row } as Row;
      if (draft.many['guests']?.length === 0)
        throw new ResourceError('nobody_comes', { status: 400, message: 'Name the guests.' });
      const { name } = op.model.table!;
      if (await op.tx!.first(name, ['id'], and(equals('room', Number(room)), equals('day', String(day)))))
        throw new ResourceError('taken', { status: 409, message: 'The room is taken on this day.' });
    },
  },
});
