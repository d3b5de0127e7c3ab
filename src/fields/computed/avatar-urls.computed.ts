// URLs of avatars by e-mail hash.
import { CONTEXTS } from '../../model/schema/schema.js';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ComputedFunction } from '../../model/registry.js';

const SIZES = [24, 48, 96];
const hashes = new LRUCache<string, string>({ max: 2000 });

function hash(email: string): string {
  const key = email.trim().toLowerCase();
  let known = hashes.get(key);
  if (known === undefined) hashes.set(key, (known = createHash('sha256').update(key).digest('hex')));
  return known;
}

export const avatarUrls: ComputedFunction = {
  name: 'avatar-urls',
  description: 'URLs of an avatar in three sizes for the e-mail address in `column`.',
  options: { column: { type: 'string', description: 'Column with the e-mail address (default email).' } },
  check: (check, { column = 'email' }) => check.column(['column'], String(column)),
  returns: {
    type: 'object',
    properties: Object.fromEntries(
      SIZES.map((size) => [
        String(size),
        {
          type: 'string',
          format: 'uri',
          description: `Picture of ${size} by ${size} pixels.`,
          contexts: CONTEXTS,
        },
      ]),
    ),
  },
  reads: ({ column = 'email' }) => [String(column)],
  compile({ column = 'email' }) {
    const name = String(column);
    return (row, { site }) => {
      const { avatarUrl, avatarDefault } = site.settings;
      const start = `${avatarUrl}${hash(String(row[name] ?? ''))}?s=`;
      return Object.fromEntries(SIZES.map((size) => [String(size), `${start}${size}&d=${avatarDefault}&r=g`]));
    };
  },
};
