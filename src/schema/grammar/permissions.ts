// The grammar of permissions: the steps of each operation, or a preset.
import { choice, listOf, mapOf, ref, type Grammar } from './pieces.js';
import { PRESETS } from './permission-presets.js';

const steps = (what: string) => listOf(ref('step'), `Checks of ${what}, in this order.`);

/** Grammar of permissions. */
export const PERMISSIONS: Grammar = {
  type: ['object', 'string'],
  description:
    'Who may do what. What is not said is for holders of manage_options. ' +
    Object.entries(PRESETS)
      .map(([name, { description }]) => `${name}: ${description}.`)
      .join(' '),
  ...choice(
    { type: 'string' },
    { enum: Object.keys(PRESETS) },
    {
      properties: {
        rules: mapOf(ref('rule'), 'Named rules on a row: read, create, edit, delete and any of your own.'),
        list: steps('lists'),
        retrieve: steps('reading one item'),
        create: steps('creating'),
        update: steps('changing'),
        delete: steps('deleting'),
      },
      additionalProperties: false,
    },
  ),
};
