// Actions on an item and on the collection.
import { defineExtension, ResourceError, type ActionCall } from 'typecase';

interface Star {
  id: number;
  name: string;
}

export default defineExtension({
  action: [
    {
      name: 'see',
      resource: 'star',
      description: 'Notes that the star was seen.',
      body: {
        place: { type: 'string', required: true, minLength: 2, description: 'Where.' },
        times: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
      },
      needs: { signedIn: true },
      error: 'cannot_see',
      async run({ id, row, values, tx, resource, op }: ActionCall) {
        for (let count = 0; count < values['times']; count += 1)
          await resource('sighting').create({ star: id, place: values['place'] });
        await tx.update(
          op.model.table!.name,
          { sightings: { increment: values['times'] } },
          { op: 'eq', column: 'id', value: id },
        );
        if (values['place'] === 'indoors')
          throw new ResourceError('rest_invalid_param', { message: 'No star is seen there.' });
        if (values['place'] === 'void') throw new Error(`lost sight of ${row!['name']}`);
        if (values['place'] === 'swallowed')
          await resource('sighting')
            .create({ star: id, place: 'Cellar' })
            .catch(() => undefined);
        if (values['place'] === 'nameless')
          await resource('sighting')
            .create({ star: id })
            .catch(() => undefined);
        // Neither is awaited.
        if (values['place'] === 'hurried') void resource('star').create({ name: 'Hurried', notes: 'seen' });
        if (values['place'] === 'careless') void resource('sighting').create({ star: id, place: 'Cellar' });
      },
    },
    ...['dim', 'lit'].map((name) => ({
      name,
      resource: 'star',
      description: 'Says what it does.',
      body: { action: { type: 'string' as const } },
      needs: 'manage_options',
      run: () => ({ name }),
    })),
    {
      name: 'brightest',
      resource: 'star',
      on: 'collection',
      description: 'The brightest star that the caller may read.',
      body: { among: { type: 'integer', minimum: 1, default: 10 } },
      needs: true,
      returns: { type: 'object', properties: { name: { type: 'string' }, of: { type: 'integer' } } },
      async run({ actor, values, resource }: ActionCall) {
        const { items, total } = await resource<Star>('star').list(
          { per_page: 1, orderby: 'id', order: 'asc' },
          { as: actor },
        );
        return { name: items[0]?.name ?? null, of: Math.min(total, values['among']) };
      },
    },
  ],
});
