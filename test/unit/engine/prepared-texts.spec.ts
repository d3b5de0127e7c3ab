import { describe, expect, it } from '@jest/globals';
import { eachText, PreparedTexts, limitedPool, TextsMissing } from '../../../src/engine/writes/prepared-texts.js';
import { runText, type TextPoolRunner } from '../../../src/model/runtime/texts.js';
import { TextLimitError } from '../../../src/text/pool/text-pool.js';

const LARGE = 'x'.repeat(20_000);
const first = (text: string) => `${text.slice(0, 1)}!`;
const joined = (one: string, other: string) => one.slice(0, 1) + other.slice(0, 1);

/** Counts its calls. */
function countingPool(): { pool: TextPoolRunner; requested: number[] } {
  const requested: number[] = [];
  const pool: TextPoolRunner = async (work, ...texts) => {
    requested.push(texts.length);
    return work(...texts);
  };
  return { pool, requested };
}

describe('prepared texts', () => {
  it('of small size are computed at once, also without an operation', async () => {
    const { pool, requested: asked } = countingPool();
    const texts = new PreparedTexts(pool);
    expect(await texts.complete(async () => runText({ runText: texts.run }, first, 'abc'))).toBe('a!');
    expect(runText(undefined, first, LARGE)).toBe('x!');
    expect(asked).toEqual([]);
  });

  it('of large size end the attempt, are computed outside, and are present in the next attempt', async () => {
    const { pool, requested: asked } = countingPool();
    const texts = new PreparedTexts(pool);
    let attempts = 0;
    const result = await texts.complete(async () => {
      attempts++;
      const one = texts.run(first, LARGE);
      return [one, texts.run(first, LARGE), texts.run(joined, one, LARGE)];
    });
    expect(result).toEqual(['x!', 'x!', 'xx']);
    expect({ attempts, asked }).toEqual({ attempts: 3, asked: [1, 2] });
  });

  it('that are independent are requested together', async () => {
    const { pool, requested: asked } = countingPool();
    const texts = new PreparedTexts(pool);
    let attempts = 0;
    await texts.complete(async () => {
      attempts++;
      eachText(['a', 'b', 'c'], (end) => void texts.run(first, LARGE + end));
    });
    expect({ attempts, asked }).toEqual({ attempts: 2, asked: [1, 1, 1] });
  });

  it('leave other errors unchanged, and give up on texts that change with every attempt', async () => {
    const texts = new PreparedTexts(countingPool().pool);
    await expect(texts.complete(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
    let n = 0;
    await expect(texts.complete(async () => texts.run(first, `${n++}${LARGE}`))).rejects.toBeInstanceOf(TextsMissing);
    expect(n).toBe(8);
  });
});

it.each([
  ['costly', 'rest_text_too_costly', 413],
  ['busy', 'rest_unavailable', 503],
] as const)('a pool that reports a text as %s leads to %s', async (reason, code, status) => {
  const refusing = limitedPool(() => Promise.reject(new TextLimitError(reason)));
  await expect(refusing(first, LARGE)).rejects.toMatchObject({ code, status });
});
