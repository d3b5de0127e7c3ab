// Messages of a schema in place of those of the engine, where several rules of a field share the code of their error.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const permissions = { rules: { read: true, create: true, edit: true } };
const BOUNDS = { minimum: 'too small', maximum: 'too large' };
let site: TestSite;

beforeAll(async () => {
  const fields = {
    above: { type: 'integer', nullable: true, exclusiveMinimum: 0, maximum: 5, messages: BOUNDS },
    within: { type: 'integer', nullable: true, minimum: 1, exclusiveMinimum: 3, messages: BOUNDS },
    price: { type: 'decimal', nullable: true, exclusiveMinimum: 0, exclusiveMaximum: 9, messages: BOUNDS },
    state: {
      type: 'string',
      enum: ['open', 'closed'],
      default: 'open',
      allowStored: ['gone'],
      messages: { enum: 'open or closed', reference: 'no reference' },
    },
    mood: { type: 'string', enum: ['good'], default: 'good', allowStored: ['*'], messages: { enum: 'good' } },
    zone: { type: 'string', format: 'timezone', messages: { format: 'no such zone' } },
  };
  site = await startTestSchemas([{ name: 'thing', path: 'things', fields, permissions } as { name: string }]);
});
afterAll(() => site.close());

it.each<[Record<string, unknown>, string]>([
  [{ above: 0 }, 'too small'],
  [{ above: -1 }, 'too small'],
  [{ above: 6 }, 'too large'],
  [{ within: 3 }, 'too small'],
  [{ price: '0.00' }, 'too small'],
  [{ price: '9' }, 'too large'],
  [{ state: 'lost' }, 'open or closed'],
  [{ state: 'gone' }, 'open or closed'],
  [{ mood: 'bad' }, 'good'],
  [{ zone: 'Mars/Base' }, 'no such zone'],
])('%j: %s', async (body, message) => {
  const [name] = Object.keys(body);
  const { body: refused } = await site.send('POST', '/things', { body, status: 400 });
  expect(refused.data.params).toEqual({ [name!]: message });
});
