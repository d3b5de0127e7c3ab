import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fold, searchTerms } from '../../../src/text/fold.js';
import { runs } from '../../support/runs.js';
import { anyText } from '../../support/any-text.js';

describe('fold (6.14)', () => {
  it.each([
    ['Élan', 'elan'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Ünïcode', 'unicode'],
    ['Søren', 'soren'],
    ['Ångström', 'angstrom'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['Ёлка', 'елка'],
    ['ﬁn', 'fin'],
    ['日本語', '日本語'],
    ['हिन्दी', 'हिन्दी'],
    ['한국어', '한국어'],
    ['plain', 'plain'],
  ])('%j becomes %j', (text, key) => expect(fold(text)).toBe(key));

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.string({ unit: 'grapheme' })), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('searchTerms (section 6)', () => {
  it.each([
    ['', { include: [], exclude: [], phrase: '' }],
    ['Harbor', { include: ['harbor'], exclude: [], phrase: 'harbor' }],
    ['harbor, Window  river', { include: ['harbor', 'window', 'river'], exclude: [], phrase: 'harbor, window river' }],
    ['"paper moon" river', { include: ['paper moon', 'river'], exclude: [], phrase: 'paper moon river' }],
    ['"open end', { include: ['open end'], exclude: [], phrase: 'open end' }],
    ['river -stone', { include: ['river'], exclude: ['stone'], phrase: 'river -stone' }],
    ['river -"wet stone"', { include: ['river'], exclude: ['wet stone'], phrase: 'river - wet stone' }],
    ['the river of a kettle', { include: ['river', 'kettle'], exclude: [], phrase: 'the river of a kettle' }],
    ['the', { include: ['the'], exclude: [], phrase: 'the' }],
    ['a', { include: ['a'], exclude: [], phrase: 'a' }],
    ['日', { include: ['日'], exclude: [], phrase: '日' }],
    ['-', { include: ['-'], exclude: [], phrase: '-' }],
    ['"', { include: ['"'], exclude: [], phrase: '"' }],
    ['" "', { include: ['" "'], exclude: [], phrase: '" "' }],
    ['   ', { include: [], exclude: [], phrase: '' }],
    ['Élan élan', { include: ['elan'], exclude: [], phrase: 'elan elan' }],
  ])('%j', (search, terms) => expect(searchTerms(search)).toEqual(terms));

  it('returns more than nine terms as one', () => {
    const long = 'aa bb cc dd ee ff gg hh ii jj';
    expect(searchTerms(long)).toEqual({ include: [long], exclude: [], phrase: long });
    expect(searchTerms(long.slice(0, -3)).include).toHaveLength(9);
  });
});
