// Patterns of schemas that could run away are refused at boot.
import { describe, expect, it } from '@jest/globals';
import { patternProblem } from '../../../src/fields/pattern.js';
import { compileRule } from '../../../src/fields/value-rule.js';

describe('V-07 patterns', () => {
  it.each([
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^#(?:[0-9a-f]{3}){1,2}$',
    '^(?:\\d{1,3}\\.){3}\\d{1,3}$',
    '^(?:foo|bar)+$',
    '^(?:a|b)*$',
    '^v\\d+(?:\\.\\d+)*$',
    '^[(*+]+$',
    '\\p{L}+',
    '^(?<year>\\d{4})-(\\d+)?$',
    '\\(a+\\)',
  ])('%s can be used', (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
  });

  it.each([
    '(a+)+$',
    '(a*)*',
    '(?:a|a)*',
    '(a|ab)+',
    '([a-z]{2,5})+',
    '(a+){10}',
    '((a+)b?)*',
    '(.*,)+',
    '(-[a-z-]+)*',
    '(a',
    '(a)\\1',
    '[z-a]',
  ])('%s is refused', (pattern) => {
    expect(patternProblem(pattern)).toBeTruthy();
    expect(() => compileRule({ type: 'string', pattern })).toThrow(pattern);
  });
});
