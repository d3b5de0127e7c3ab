// Listeners that record their events in a global: the test runs in the same process.
import { defineExtension } from 'typecase';

interface Received {
  all: string[];
  failing: string[];
}
const received = ((globalThis as { received?: Received }).received ??= { all: [], failing: [] });

export default defineExtension({
  listener: [
    {
      name: 'all',
      on: '*',
      run: ({ resource, action, item }) => void received.all.push(`${resource}.${action} ${item}`),
    },
    {
      name: 'failing',
      on: ['note.created', 'note.deleted'],
      run({ item, action }) {
        received.failing.push(`${action} ${item}`);
        // The second created item, the first time.
        const created = [...new Set(received.failing.filter((each) => each.startsWith('created')))];
        const times = received.failing.filter((each) => each === `${action} ${item}`).length;
        if (created.indexOf(`${action} ${item}`) === 1 && times < 2) throw new Error('not yet');
      },
    },
  ],
});
