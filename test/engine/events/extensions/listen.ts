// Listeners that write down what they are told, by way of a global: the test runs in the same process.
import { defineExtension } from 'typecase';

interface Told {
  all: string[];
  failing: string[];
}
const told = ((globalThis as { told?: Told }).told ??= { all: [], failing: [] });

export default defineExtension({
  listener: [
    {
      name: 'all',
      on: '*',
      run: ({ resource, action, item }) => void told.all.push(`${resource}.${action} ${item}`),
    },
    {
      name: 'failing',
      on: ['note.created', 'note.deleted'],
      run({ item, action }) {
        told.failing.push(`${action} ${item}`);
        // The second item that is made, the first time.
        const made = [...new Set(told.failing.filter((each) => each.startsWith('created')))];
        const times = told.failing.filter((each) => each === `${action} ${item}`).length;
        if (made.indexOf(`${action} ${item}`) === 1 && times < 2) throw new Error('not yet');
      },
    },
  ],
});
