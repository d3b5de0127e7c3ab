// The measure of linear time finds what is slower, whatever one step of it costs.
import { describe, expect, it } from '@jest/globals';
import { expectLinear } from '../../support/growth.js';

const blanks = (size: number): string => ' '.repeat(size);

/** As many steps as `steps` says. */
function spin(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum + step) % 1009;
  return sum;
}

describe('expectLinear', () => {
  it.each<[string, (text: string) => unknown]>([
    ['a pair of loops', (text) => spin(text.length ** 2)],
    ['a pair of loops of rare steps', (text) => spin((text.length / 30) ** 2)],
    ['a pair of loops beside linear work', (text) => [spin(20 * text.length), spin((text.length / 4) ** 2)]],
    ['a search from every place', (text) => Array.from(text, (_, at) => text.lastIndexOf('x', at))],
    ['a pattern that backtracks', (text) => / +x/.test(text)],
    [
      'a text cut at every step',
      (text) => {
        // The pieces are not kept: collecting them would take longer than cutting, at one size more than at another.
        let sum = 0;
        for (let at = 0; at < text.length; at++) sum += text.slice(at, at + text.length / 8).toUpperCase().length;
        return sum;
      },
    ],
  ])('finds %s', (_, work) => {
    expect(() => expectLinear(blanks, work)).toThrow(/^[\d.]+ ms at size \d+, [\d.]+ ms at size \d+$/);
  });

  it.each<[string, (text: string) => unknown]>([
    ['nothing', () => undefined],
    ['a single loop', (text) => spin(text.length)],
    ['a single loop of slow steps', (text) => spin(2000 * text.length)],
    ['a sort', (text) => Array.from(text, (_, at) => Math.sin(at)).sort()],
    ['a replacement', (text) => text.replaceAll(' ', '&nbsp;')],
  ])('passes %s', (_, work) => {
    expect(() => expectLinear(blanks, work)).not.toThrow();
  });
});
