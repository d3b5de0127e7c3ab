import { describe, expect, it } from '@jest/globals';
import { PasswordHasher } from '../../../src/auth/password-hasher.js';
import { CHEAP_HASH, refusal } from './world.js';

describe('the password hasher', () => {
  const hasher = new PasswordHasher({ cost: CHEAP_HASH });

  it('uses the costs that OWASP recommends, and verifies hashes with other costs', async () => {
    const standard = await new PasswordHasher().hash('correct horse');
    expect(standard).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify(standard, 'correct horse')).toBe(true);
  });

  it('makes argon2id hashes that differ and verify', async () => {
    const [one, two] = await Promise.all([hasher.hash('correct horse'), hasher.hash('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
    expect(one).not.toBe(two);
    expect(await hasher.verify(one, 'correct horse')).toBe(true);
    expect(await hasher.verify(one, 'correct horse ')).toBe(false);
  });

  it.each([undefined, '', 'plain', '$argon2id$broken', '$P$BabcdefghABCDEFGH', 'nobody'])(
    'rejects %j as a hash',
    async (stored) => {
      expect(await hasher.verify(stored, 'nobody')).toBe(false);
    },
  );

  it('reads at most 4,096 bytes of a password', async () => {
    const longest = 'é'.repeat(2048);
    const stored = await hasher.hash(longest);
    expect(await hasher.verify(stored, longest)).toBe(true);
    expect(await hasher.verify(stored, `${longest}a`)).toBe(false);
    expect(await refusal(hasher.hash(`${longest}a`))).toBe('400 rest_user_invalid_password');
  });

  it('rejects work beyond its queue, and continues afterwards', async () => {
    const narrow = new PasswordHasher({ cost: CHEAP_HASH, cores: 1, queue: 2 });
    const all = await Promise.all(Array.from({ length: 5 }, () => refusal(narrow.hash('p'))));
    expect(all.map((each) => each.startsWith('no refusal'))).toEqual([true, true, true, false, false]);
    expect(all[4]).toBe('503 rest_unavailable');
    expect(await narrow.verify(await narrow.hash('p'), 'p')).toBe(true);
  });
});
