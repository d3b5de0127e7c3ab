import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { slugify, truncateSlug } from '../../../src/text/slug.js';
import { runs } from '../../support/runs.js';
import { anyText } from '../../support/any-text.js';

describe('slugify (11.17)', () => {
  it.each([
    ['Hello Wörld & more!', 'hello-world-more'],
    ['R&D', 'rd'],
    ['Arts &amp; Culture', 'arts-culture'],
    ['Crème brûlée à la façade', 'creme-brulee-a-la-facade'],
    ['Straße Æther Łódź þing', 'strasse-aether-lodz-thing'],
    ['e\u0301te\u0301', 'ete'],
    ["It's a dog's life -- or not...", 'its-a-dogs-life-or-not'],
    ['a.b/c d', 'a-b-c-d'],
    ['one – two — three', 'one-two-three'],
    ['one&ndash;two&nbsp;three', 'one-two-three'],
    ['<b>bold</b> <script>x</script>', 'bold-x'],
    ['100% sure', '100-sure'],
    ['snake_case stays', 'snake_case-stays'],
    ['--- trim ---', 'trim'],
    ['“Quoted” ‘text’…', 'quoted-text'],
    ['3×4', '3x4'],
    ['日本', '%e6%97%a5%e6%9c%ac'],
    ['%E6%97%A5 x', '%e6%97%a5-x'],
    ['Привет', '%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82'],
    ['🙂', '%f0%9f%99%82'],
    ['%ff%fe', ''],
    ['!!!', ''],
    ['', ''],
  ])('%j becomes %j', (text, slug) => expect(slugify(text)).toBe(slug));

  it('does not truncate within an encoded character', () => {
    expect(slugify('日本', 10)).toBe('%e6%97%a5');
    expect(slugify('日'.repeat(100))).toHaveLength(198);
    expect(slugify('a'.repeat(300))).toHaveLength(200);
  });

  it('composes a letter with its accent when the character between them is removed', () => {
    for (const between of ['\0', '\u{ad}', '®']) expect(slugify(`A${between}\u{300}`)).toBe('a');
  });

  it('is the same for ASCII alone and beside a character that is removed', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[a-z\d]+(?:[-_][a-z\d]+)*$/));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, max) => {
        expect(slugify(text, max)).toBe(slugify(`${text}©`, max));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is idempotent', () => {
    const texts = fc.oneof(anyText(), fc.string({ unit: 'grapheme' }), fc.string());
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const slug = slugify(text, max);
        expect(slug.length).toBeLessThanOrEqual(max);
        expect(slug).toMatch(/^(?:[a-z0-9_-]|%[0-9a-f]{2})*$/);
        expect(slugify(slug, max)).toBe(slug);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('truncateSlug (11.20)', () => {
  it.each([
    ['hello', '-2', 200, 'hello-2'],
    ['a'.repeat(200), '-2', 200, `${'a'.repeat(198)}-2`],
    ['%e6%97%a5%e6%9c%ac', '-2', 18, '%e6%97%a5-2'],
    ['ab-cd', '-2', 5, 'ab-2'],
  ])('%j and %j in %i', (base, suffix, max, slug) => expect(truncateSlug(base, suffix, max)).toBe(slug));
});
