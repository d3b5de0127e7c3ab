// Throws and returns values that cannot be sent to a client.
import { defineExtension, ResourceError } from 'typecase';

const cyclic = {};
cyclic.self = cyclic;

const thrown = {
  nothing: undefined,
  frozen: Object.freeze(new Error('frozen')),
  unreadable: new Proxy(new Error('unreadable'), {
    get() {
      throw new Error('not to be read');
    },
    getPrototypeOf() {
      throw new Error('not to be read');
    },
  }),
  bigint: new ResourceError('odd', { status: 409, data: { size: 1n } }),
  cyclic: new ResourceError('odd', { status: 409, data: cyclic }),
  locked: Object.freeze(new ResourceError('odd', { status: 403, headers: Object.freeze({}) })),
  done: new ResourceError('odd', { status: 200 }),
  unknown: new ResourceError('odd', { status: Number.NaN }),
  nameless: new ResourceError(),
};

const returned = { 'a returned BigInt': { size: 1n }, 'what contains itself': cyclic };

const later = {
  name: 'throw-later',
  resource: 'sighting',
  on: 'collection',
  description: 'Throws after the commit.',
  needs: 'manage_options',
  returns: { type: 'object' },
  run({ after }) {
    after(() => {
      throw new Error('the letter was not sent');
    });
    return { done: true };
  },
};

export default defineExtension({
  action: [
    later,
    {
      name: 'throw',
      resource: 'sighting',
      on: 'collection',
      description: 'Writes, and throws.',
      body: { what: { type: 'string', required: true }, star: { type: 'integer', required: true } },
      needs: 'manage_options',
      async run({ values, resource }) {
        await resource('sighting').create({ star: values.star, place: 'Thrown' });
        if (values.what in returned) return returned[values.what];
        throw thrown[values.what];
      },
    },
  ],
});
