import { describe, expect, it } from '@jest/globals';
import { TextsAhead } from '../../../src/engine/writes/texts-ahead.js';
import type { TextCall } from '../../../src/model/runtime/texts.js';

const LONG = 'x'.repeat(300);
const first = (text: string) => text.slice(0, 1);
const joined = (one: string, other: string) => `${one.length} ${other.length}`;

/** Results that differ from those of the functions themselves, so that they can be distinguished. */
function marking(): { texts: TextsAhead; sent: TextCall[][] } {
  const sent: TextCall[][] = [];
  const texts = new TextsAhead(async (calls) => {
    sent.push([...calls]);
    return calls.map(({ work, texts: of }) => (of[0] === 'none' ? undefined : `ahead ${work(...of)}`));
  });
  return { texts, sent };
}

describe('texts ahead', () => {
  it('contain the results of announced calls, by function and all of its texts', async () => {
    const { texts, sent: asked } = marking();
    texts.note((run) => {
      run(first, LONG);
      run(joined, '', LONG);
      run(joined, 'a', LONG);
    });
    await texts.ready();
    expect(asked.map(({ length }) => length)).toEqual([3]);
    expect(texts.run(first, LONG)).toBe('ahead x');
    expect(texts.run(joined, '', LONG)).toBe('ahead 0 300');
    expect(texts.run(joined, 'a', LONG)).toBe('ahead 1 300');
    expect(texts.run(joined, LONG, '')).toBe('300 0');
    expect(texts.run(joined, 'b', LONG)).toBe('1 300');
  });

  it('are computed on demand for calls that were not announced or have no result', async () => {
    const { texts } = marking();
    texts.note((run) => void run(joined, 'none', LONG));
    await texts.ready();
    expect(texts.run(joined, 'none', LONG)).toBe('4 300');
    expect(texts.run(first, `y${LONG}`)).toBe('y');
  });

  it('of small size are computed at once', async () => {
    const { texts, sent: asked } = marking();
    const made: string[] = [];
    texts.note((run) => void made.push(run(first, 'abc'), run(first, LONG)));
    await texts.ready();
    expect(made).toEqual(['a', '']);
    expect(asked.flat()).toHaveLength(1);
    expect(texts.run(first, 'abc')).toBe('a');
  });

  it('are sent while more calls are announced', () => {
    const { texts, sent: asked } = marking();
    for (let at = 0; at < 1000; at += 1) texts.note((run) => void run(first, `${at} ${LONG}`));
    expect(asked.length).toBeGreaterThan(0);
  });

  it('keep the calls before an error, which the write will report', async () => {
    const { texts } = marking();
    texts.note((run) => {
      run(first, LONG);
      throw new TypeError('not a text');
    });
    await texts.ready();
    expect(texts.run(first, LONG)).toBe('ahead x');
  });
});
