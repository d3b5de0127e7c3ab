import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { etagOf } from '../../../src/http/response/etag.js';
import { exceeds, jsonPieces } from '../../../src/http/request/json-pieces.js';
import { largeBody } from '../../../src/http/response/large-body.js';
import { runs } from '../../support/runs.js';

const written = (value: unknown, pretty: boolean) => [...jsonPieces(value, pretty)].join('');
const LONG = 'a"\\\n\u0001\u2028é\u2014😀\ud800'.repeat(30_000);

describe('JSON in pieces', () => {
  it.each([false, true])('equals the result of JSON.stringify (pretty: %s)', (pretty) => {
    const hard = {
      long: LONG,
      shifted: `x${LONG}`,
      list: [LONG, undefined, null, [], {}, [[1], { a: undefined }]],
      none: undefined,
      when: new Date(0),
      number: NaN,
      empty: { list: [], object: {} },
      'a "name"': { deep: { deeper: [LONG, 1, true] } },
    };
    const indent = pretty ? 4 : undefined;
    expect(written(hard, pretty) === JSON.stringify(hard, null, indent)).toBe(true);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const large = [value, { value, LONG }];
        return written(large, pretty) === JSON.stringify(large, null, indent);
      }),
      { numRuns: runs(30) },
    );
  });

  it('rejects circular values, as JSON.stringify does, but not repeated ones', () => {
    const around: Record<string, unknown> = { LONG };
    around['inside'] = { list: [around] };
    expect(() => written(around, false)).toThrow(TypeError);
    const small: Record<string, unknown> = {};
    small['inside'] = small;
    expect(() => written(small, false)).toThrow(TypeError);
    const twice = { LONG };
    expect(written([twice, twice], false)).toBe(JSON.stringify([twice, twice]));
  });

  it('supports deeply nested values', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 1_500; level += 1) deep = level % 2 ? [deep] : { deep };
    expect(exceeds(deep, 10_000)).toBe(true);
    expect(written(deep, false)).toBe(JSON.stringify(deep));
  });

  it('yields only short pieces', () => {
    for (const piece of jsonPieces([LONG, { LONG }], false)) expect(piece.length).toBeLessThan(400_000);
  });

  it('makes bodies with an ETag of their text', async () => {
    const text = JSON.stringify([LONG]);
    const { chunks, bytes, hash } = await largeBody([LONG], false, undefined);
    expect(Buffer.concat(chunks).equals(Buffer.from(text))).toBe(true);
    expect(bytes).toBe(Buffer.byteLength(text));
    expect(etagOf(3, hash)).toBe(etagOf(3, text));
  });

  it('detects large values by their characters and members', () => {
    expect([exceeds('abc', 3), exceeds('abcd', 3), exceeds([1, 2, 3], 3), exceeds({ abc: 'd' }, 5)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
