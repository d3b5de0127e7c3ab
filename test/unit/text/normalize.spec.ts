import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sanitizeFileName } from '../../../src/files/file-name.js';
import { accountKey } from '../../../src/model/functions/account-key.js';
import { fold, searchTerms } from '../../../src/text/fold.js';
import { normalize, separablePieces, streamSafe } from '../../../src/text/normalize.js';
import { slugify } from '../../../src/text/slug.js';

const marks = (count: number) => `a${'\u0301\u0316'.repeat(count / 2)}`;

describe('normalize', () => {
  it.each([
    ['e\u0301', 'NFC', 'é'],
    ['ﬁ', 'NFKC', 'fi'],
    ['é', 'NFKD', 'e\u0301'],
    ['한', 'NFKD', '\u1112\u1161\u11ab'],
  ] as const)('converts %j to %s', (text, form, result) => expect(normalize(text, form)).toBe(result));

  it('keeps texts of every language, and truncates long runs to 30 marks', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' })).map((parts) => parts.join(' '));
    fc.assert(fc.property(texts, (text) => expect(normalize(text, 'NFKC')).toBe(text.normalize('NFKC'))));
    expect(streamSafe(`x${marks(100)}y${marks(30)}`)).toBe(`x${marks(30)}y${marks(30)}`);
    expect(streamSafe('\uff9e'.repeat(40))).toBe('\uff9e'.repeat(30));
    expect(streamSafe(`${'\u{1d165}'.repeat(40)}z`)).toBe(`${'\u{1d165}'.repeat(30)}z`);
  });

  it('knows every character that a decomposition turns into a mark', () => {
    const missed: string[] = [];
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      if (!/^\p{M}/u.test(character.normalize('NFKD'))) continue;
      if (streamSafe(character.repeat(31)).length === 31 * character.length) missed.push(code.toString(16));
    }
    expect(missed).toEqual([]);
  });

  it('gives the same for a text as for its pieces', () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x3500; code++) {
      for (const base of ['a', 'é', 'か', 'ﾊ', 'ᄀ', 'ㄱ', '가', 'क']) {
        const text = `${base}${String.fromCodePoint(code)}\u0301x`;
        const pieces = [...separablePieces(text, 1)];
        if (pieces.join('') !== text) wrong.push(text);
        for (const form of ['NFC', 'NFKC', 'NFKD'] as const)
          if (pieces.map((piece) => normalize(piece, form)).join('') !== normalize(text, form)) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
    expect([...separablePieces('ab'.repeat(10), 8)].map(({ length }) => length)).toEqual([8, 8, 4]);
  });

  // Eight million marks in one run would take hours if it were sorted.
  it.each(['\u0301\u0316', '\u0301\uff9e', '\u0316\u{1d165}\u0301'])('terminates for millions of %j', (pair) => {
    const hostile = `a${pair.repeat(2 ** 21)}`;
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const)
      expect(normalize(hostile, form).length).toBeLessThanOrEqual(200);
    fold(hostile);
    searchTerms(hostile);
    slugify(hostile);
    accountKey(hostile);
    sanitizeFileName(`${hostile}.${hostile}`);
  });

  it('equals Unicode normalization', () => {
    const root = join(process.cwd(), 'src');
    const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== join('text', 'normalize.ts'))
      .filter((file) => /\.normalize\s*\(/.test(readFileSync(join(root, file), 'utf8')));
    expect(others).toEqual([]);
  });
});

it('folding works per line: a search text consists of texts folded one by one', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...'aΣσ\u0301\u3099é가ﬁ İi') }), { maxLength: 4 });
  fc.assert(fc.property(texts, (parts) => expect(fold(parts.join('\n'))).toBe(parts.map(fold).join('\n'))));
});
