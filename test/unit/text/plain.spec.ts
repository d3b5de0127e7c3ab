import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { encodeName, plainText, stripTags } from '../../../src/text/plain.js';
import { runs } from '../../support/runs.js';

describe('stripTags', () => {
  it.each([
    ['<p>One <b>two</b></p>', 'One two'],
    ['a <script>alert("<p>")</script> b', 'a  b'],
    ['<style>p{}</style>x', 'x'],
    ['1 < 2 > 1', '1 &lt; 2 > 1'],
    ['<<b>script>x', '&lt;script>x'],
    ['<a title="x > y">z</a>', 'z'],
    ['x<!-- note -->y', 'xy'],
    ['<unfinished', '&lt;unfinished'],
  ])('%j becomes %j', (value, text) => expect(stripTags(value)).toBe(text));
});

describe('plainText (25.7)', () => {
  it.each([
    ['  two   spaces ', 'two spaces'],
    ['line\r\nbreak\ttab', 'line break tab'],
    ['bell\u0007 and nul\u0000', 'bell and nul'],
    ['100%25 off %41', '100 off'],
    ['100% sure', '100% sure'],
    ['%%4141', ''],
    ['<div>div</div> <strong>strong</strong> <script>oh noes</script>', 'div strong'],
    ['\\o/ ¯\\_(ツ)_/¯', '\\o/ ¯\\_(ツ)_/¯'],
  ])('%j becomes %j', (value, text) => expect(plainText(value)).toBe(text));
});

describe('encodeName (16.11)', () => {
  it.each([
    ['R&D', 'R&amp;D'],
    ['R&amp;D', 'R&amp;D'],
    ['a < b > c', 'a &lt; b &gt; c'],
    ['"quoted" it\'s', '"quoted" it\'s'],
    ['Ünïcode', 'Ünïcode'],
    ['<i>x</i>', 'x'],
  ])('%j becomes %j', (value, name) => expect(encodeName(value)).toBe(name));

  it('keeps names that are encoded already', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab<>&;%41"/ \n', 'amp', '<b>') }), (value) => {
        const name = encodeName(value);
        expect(name).not.toMatch(/[<>\n]/);
        expect(encodeName(name)).toBe(name);
      }),
      { numRuns: runs(2000) },
    );
  });
});
