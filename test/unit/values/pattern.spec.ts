// Patterns of schemas match what RegExp matches, in linear time; those that could not are rejected at startup.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePattern, LONGEST_MATCHED, patternProblem } from '../../../src/values/patterns/pattern.js';
import { translatePattern } from '../../../src/values/patterns/pattern-syntax.js';
import { compileRule } from '../../../src/values/compile-value-rule.js';
import { runs } from '../../support/runs.js';
import { anyText } from '../../support/any-text.js';

/** Patterns of the schemas that the repository ships or tests with. */
function written(): string[] {
  return ['schemas', 'examples', 'test/engine', 'test/reference/schemas'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => patternsOf(JSON.parse(readFileSync(join(folder, name), 'utf8')))),
  );
}

function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'pattern' && typeof member === 'string') return [member];
    const keys = key === 'patternProperties' && typeof member === 'object' ? Object.keys(member as object) : [];
    return [...keys, ...patternsOf(member)];
  });
}

const PATTERNS = [
  '',
  '^$',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^#(?:[0-9a-f]{3}){1,2}$',
  '^(?:\\d{1,3}\\.){3}\\d{1,3}$',
  '^(?:foo|bar)+$',
  'a|^b|c$',
  '^v\\d+(?:\\.\\d+)*$',
  '^[(*+]+$',
  '\\p{L}+',
  '^[\\p{Lu}\\p{Script=Greek}_-]+$',
  '^\\P{ASCII}',
  '^[^\\p{L}\\s]+$',
  '^(?<year>\\d{4})-(\\d+)?$',
  '\\(a+\\)',
  '^\\s+\\S$',
  '[\\S]\\s[^\\S]',
  '^.$',
  '^..$',
  '^.*$',
  '\\ba\\b',
  'a\\Bb',
  '[\\b]',
  '\\u0041[\\u0042-\\u{44}]',
  '^\\u{1F600}$',
  '^\\uD83D\\uDE00+$',
  '^[😀-😂a]$',
  '\\x41\\cA?\\0?\\t?\\n',
  '^[\\w\\-.]+@[\\w\\-.]+$',
  '[]',
  '[^]',
  '^[^a-c\\d]$',
  '^[-a]+$',
  '^[a-]+$',
  '^[\\]\\[^]+$',
  '^[[:alpha:]+$',
  'a??b*?c+?d{1,2}?',
  '^a{2}b{1,}c{0,2}$',
  '\\/\\^\\$\\.\\{\\}\\|',
  '^(a|a)*$',
  '^(\\w+\\s?)*$',
  '(x+x+)+y',
  '(a+)+$',
  '(?:a|ab)(?:c|bcd)d*$',
  '(-[a-z-]+)*b',
  '(?:^|a)b',
  '(?:)*a',
  '(?:a?){3}b',
];
const SIGNS =
  'a b c d x y z A B D 0 1 9 7 X - _ . @ # ( * + [ ] ^ $ / { } | : é α Ω 日 ß ſ K 😀 😂 \u00a0 \ufeff \u2028 \n \r \t \v \0 \b \u0001'
    .split(' ')
    .concat(' ');
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'x', '-', 'B'), maxLength: 8 }),
  anyText({ maxLength: 6 }),
);

/** Texts that match, where fast-check can make them. */
function matching(pattern: RegExp): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(pattern);
  } catch {
    return texts;
  }
}

describe('V-07 patterns', () => {
  it('occur in the shipped schemas', () => expect(new Set(written()).size).toBeGreaterThan(3));

  it.each([...new Set([...PATTERNS, ...written()])])('%s matches what RegExp matches', (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
    const own = new RegExp(pattern, 'u');
    const ours = compilePattern(pattern);
    const near = matching(own).map((text) => text.slice(0, 12));
    const all = fc.oneof(
      texts,
      near,
      fc.tuple(near, texts).map(([a, b]) => a.slice(1) + b),
    );
    fc.assert(
      fc.property(all, (text) => ours.test(text) === own.test(text)),
      { numRuns: runs(200) },
    );
  });

  it('use RegExp only for patterns without ambiguity', () => {
    const plain = ['^[A-Z]{2}$', '^97[89]-?[0-9]{9}[0-9X]$', '^[a-z][a-z-]*$', '^.{1,1000}$', '^\\p{L}+'];
    const others = ['[a-z]+$', '^a*a*$', '^(a|a)*$', '^a|b*$', '^a?b?$', '^a{90}b{90}c*$', '^a*\\b', '^a?a+'];
    for (const pattern of plain) expect([pattern, translatePattern(pattern).plain]).toEqual([pattern, true]);
    for (const pattern of others) expect([pattern, translatePattern(pattern).plain]).toEqual([pattern, false]);
  });

  it.each(['(a', '[z-a]', '\\u{110000}', 'a**', 'a{2,1}', '\\-', '(?<a>x)(?<a>y)'])('%s is malformed', (pattern) => {
    expect(patternProblem(pattern)).toMatchObject({ malformed: true });
    expect(() => compileRule({ type: 'string', pattern })).toThrow(pattern);
  });

  it.each([
    ['(a)\\1', 'write out'],
    ['(?<n>a)\\k<n>', 'write out'],
    ['a(?=b)', 'maxLength'],
    ['^(?!-)', 'maxLength'],
    ['(?<=a)b', 'maxLength'],
    ['(?<!a)b', 'maxLength'],
    ['(?:a{100}){100}', 'maxLength'],
    ['(?:.{0,100}b){9}c$', '"maxLength" to at most'],
  ])('%s is refused, with a hint', (pattern, hint) => {
    expect(patternProblem(pattern)?.hint).toContain(hint);
    expect(patternProblem(pattern)?.malformed).toBeUndefined();
    expect(() => compileRule({ type: 'string', pattern })).toThrow(pattern);
  });

  it('may be large where the texts are short', () => {
    const pattern = '^(?:[a-z]{1,30} ?){1,8}$';
    expect(patternProblem(pattern)?.hint).toMatch(/"maxLength" to at most \d+/);
    expect(patternProblem(pattern, 200)).toBeUndefined();
    expect(compileRule({ type: 'string', pattern, maxLength: 200 })('ab cd', 'x')).toEqual({ value: 'ab cd' });
  });

  it.each(['^(a|a)*$', '^(\\w+\\s?)*$', '(x+x+)+y', '^(a+)+$', '(.*,)+b', '^a*a*a*a*a*$', '(?:a|b)*a(?:a|b){20}c'])(
    '%s takes linear time',
    (pattern) => {
      const rule = compileRule({ type: 'string', pattern });
      const hostile = ['a', 'x', 'ab', ',', 'xxa '].flatMap((part) => [
        `${part.repeat(LONGEST_MATCHED)}`.slice(0, LONGEST_MATCHED - 1) + '!',
        part.repeat(1024 ** 2),
      ]);
      const start = process.cpuUsage();
      for (const text of hostile) rule(text, 'x');
      // Exponential and quadratic engines take minutes.
      expect(process.cpuUsage(start).user).toBeLessThan(30_000_000);
    },
  );

  it('checks the length before the pattern', () => {
    const rule = compileRule({ type: 'string', pattern: '^a', maxLength: 5 });
    expect(rule('b'.repeat(6), 'x')).toMatchObject({ issue: { code: 'rest_too_long' } });
    expect(compileRule({ type: 'string', pattern: '^a' })('b'.repeat(LONGEST_MATCHED + 1), 'x')).toMatchObject({
      issue: { code: 'rest_too_long' },
    });
  });
});
