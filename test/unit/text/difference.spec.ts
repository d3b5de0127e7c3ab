import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { differenceOf, withDifference } from '../../../src/text/difference.js';
import { renderContent } from '../../../src/text/render.js';
import { runs } from '../../support/runs.js';

/** Texts with much in common: pieces of few, in any order. */
const pieces = fc.constantFrom(
  'word ',
  'Zwölf 😀',
  '😁',
  '\n\n',
  '<p>',
  '</p>',
  "it's ",
  'a',
  '\u0001',
  'the quick brown fox ',
);
const texts = fc.array(pieces, { maxLength: 60 }).map((some) => some.join(''));

describe('the difference of two texts', () => {
  it('restores every text, keeps it well-formed, and is never much longer than it', () => {
    fc.assert(
      fc.property(
        fc.oneof(texts, fc.string({ unit: 'binary' })),
        fc.oneof(texts, fc.string({ unit: 'binary' })),
        (source, text) => {
          const stored = differenceOf(source, text);
          expect(withDifference(source, stored)).toBe(text);
          if (source.isWellFormed() && text.isWellFormed()) expect(stored.isWellFormed()).toBe(true);
          expect(stored.length).toBeLessThanOrEqual(text.length + (text.startsWith('\u0001') ? 20 : 0));
        },
      ),
      { numRuns: runs(20_000) },
    );
  });

  it('between a text and a version with some changes is short', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ minLength: 40, maxLength: 200 }), fc.constantFrom('<p>', '&#8217;', '')), {
          minLength: 1,
          maxLength: 30,
        }),
        (parts) => {
          const source = parts.map(([part]) => part).join('');
          const text = parts.map(([part, inserted]) => part + inserted).join('');
          expect(differenceOf(source, text).length).toBeLessThanOrEqual(10 + parts.length * 40);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  it('between a text and its rendering is small', () => {
    const words = 'The quick brown fox jumps over the lazy dog, and the dog sleeps on. ';
    const raw = Array.from({ length: 12 }, (_, n) => `${words.repeat(n + 2)}It's "${n}" — more.`).join('\n\n');
    const html = renderContent(raw);
    const stored = differenceOf(raw, html);
    expect(withDifference(raw, stored)).toBe(html);
    expect(stored.length).toBeLessThan(html.length / 5);
  });

  it.each([
    ['equal texts are a header', 'the same text', 'the same text', '\u0001d.'],
    [
      'pieces that have little in common are passed over',
      'It is "old" stuff, and this is the same',
      '<p>It is &#8220;old&#8221; stuff, and this is the same</p>\n',
      '\u000113.0.0.q.<p>It is &#8220;old&#8221;b.s.5.</p>\n',
    ],
    ['no text stays none', 'something', '', ''],
    ['a text with nothing in common stays as it is', 'one thing', 'another', 'another'],
    ['a text that looks like a difference is one', '', '\u0001x', '\u00010.0.0.2.\u0001x'],
  ])('%s', (_name, source, text, stored) => {
    expect(differenceOf(source, text)).toBe(stored);
    expect(withDifference(source, stored)).toBe(text);
  });

  it('between long texts is found, too', () => {
    const raw = 'Some words in a row, and then "some" more. '.repeat(50_000);
    const html = renderContent(raw);
    const stored = differenceOf(raw, html);
    expect(withDifference(raw, stored)).toBe(html);
    expect(withDifference(raw, differenceOf(raw, `<p>${raw}</p>`))).toBe(`<p>${raw}</p>`);
    expect(differenceOf(raw, `<p>${raw}</p>`).length).toBeLessThan(40);
  });

  it('cannot be applied to a source of another length', () => {
    expect(withDifference('as it was', differenceOf('as it is now', 'as it is now'))).toBeUndefined();
  });
});
