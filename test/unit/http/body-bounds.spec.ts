// Bounds of bodies one by one: scanners fed in pieces of any size, memory shared between callers, slices of text.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { BodyBudget, sharesOf } from '../../../src/http/memory/body-budget.js';
import { BodyBuffer } from '../../../src/http/request/body-buffer.js';
import { decodeText } from '../../../src/http/request/body-text.js';
import { untrustedBounds, writerBounds, type BodyBounds } from '../../../src/http/request/body-bounds.js';
import { FormScanner } from '../../../src/http/request/form-scanner.js';
import { JsonScanner } from '../../../src/http/request/json-scanner.js';
import { parseForm } from '../../../src/http/request/parse-query.js';
import { bodyLimits } from '../../../src/http/resource/body-limits.js';
import { UploadPlaces } from '../../../src/http/resource/upload-places.js';
import { ANONYMOUS } from '../../../src/model/actor.js';
import { expectLinear } from '../../support/growth.js';

/** Bytes of a text in pieces of `size`. */
function pieces(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    Buffer.from(bytes.subarray(at * size, (at + 1) * size)),
  );
}

function scan(text: string, bounds: BodyBounds, size: number): string | undefined {
  const scanner = new JsonScanner(bounds);
  try {
    for (const piece of pieces(text, size)) scanner.take(piece);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the limits of a body', () => {
  const route = (path: string, action: object) => ({
    base: '/cms/v2',
    model: {
      route: path,
      fields: new Map(),
      operations: new Set(),
      faces: {},
      ownActions: new Map([['count', { name: 'count', needs: () => ({ op: 'true' }), ...action }]]),
    },
  });
  const rules = bodyLimits(
    [route('/posts', { on: 'item' }), route('/posts/:parent/meta', { on: 'collection' })] as never,
    { body: 1, contentBody: 2 },
  );
  it.each([
    ['/cms/v2/posts/5/count', true],
    ['/cms/v2/posts/5/meta/count', true],
    ['/cms/v2/posts/5/meta/count/?x=/y', true],
    ['/cms/v2/posts/5/meta/6', false],
    ['/cms/v2/posts/count', false],
    ['/cms/v2/posts', false],
  ])('is that of an action where the path is: %s', (url, mayWrite) => {
    expect(rules({ url } as never).mayWrite!(ANONYMOUS, 'POST')).toBe(mayWrite);
  });
});

describe('the JSON scanner', () => {
  const bounds: BodyBounds = { bytes: 1e6, depth: 3, members: 4, items: 5 };

  it.each([
    ['{"a":{"b":{}}}', undefined],
    ['{"a":{"b":{"c":{}}}}', 'deeper than 3'],
    ['[[[]]]', undefined],
    ['[[[[', 'deeper than 3'],
    ['{"a":1,"b":1,"c":1,"d":1}', undefined],
    ['{"a":1,"a":1,"a":1,"a":1,"a":1}', 'more than 4 members'],
    ['{"a":[1,2,3],"b":[1,2]}', undefined],
    ['{"a":[1,2,3],"b":[1,2,3]}', 'more than 5 list items'],
    ['[[],[]]', undefined],
    ['[[],[],[]]', 'more than 5 list items'],
    ['{"a":"[[[[{{{{::::,,,,,,,,","b":"\\"[[[[","c\\\\":1}', undefined],
    ['{"a":"\\\\\\"[[[[[","b":"\\\\"}', undefined],
    ['{"a":"\\\\",":":[[[', 'deeper than 3'],
    [']]]]]]]]{"a":1}', undefined],
  ])('%s', (text, reason) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const found = scan(text, bounds, size);
      if (reason === undefined) expect(found).toBeUndefined();
      else expect(found).toContain(reason);
    }
  });

  it.each([
    ['backslashes', '\\'],
    ['escaped quotes', '\\"'],
    ['empty strings', '"",'],
    ['open lists', '['],
    ['members', '"":'],
    ['line feeds', '\n'],
  ])('takes time in proportion to the number of %s', (_, piece) => {
    const most: BodyBounds = { bytes: Infinity, depth: 1e6, members: Infinity, items: Infinity };
    expectLinear(
      (count) => `{"a":"${piece.repeat(count)}`,
      (text) => scan(text, most, 1024),
    );
    expectLinear(
      (count) => `{"a":${piece.repeat(count)}`,
      (text) => scan(text, most, 1024),
    );
  });

  it('counts correctly however the body is split into chunks', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 9 }), (json, size) => {
        const [depth, members, items] = measure(json);
        const text = JSON.stringify(json);
        const exact = { bytes: 1e6, depth, members, items };
        const wide = { bytes: 1e6, depth: 99, members: 1e6, items: 1e6 };
        expect(scan(text, exact, size)).toBeUndefined();
        if (depth > 0) expect(scan(text, { ...wide, depth: depth - 1 }, size)).toContain('deeper');
        if (members > 0) expect(scan(text, { ...wide, members: members - 1 }, size)).toContain('members');
        if (items > 0) expect(scan(text, { ...wide, items: items - 1 }, size)).toContain('list items');
      }),
    );
  });

  it('limits escapes and lines', () => {
    const writer = writerBounds(1e8);
    expect(scan(`{"a":"${'\\n'.repeat(1_500_001)}"}`, writer, 65_536)).toContain('escapes');
    expect(scan(`{"a":"${'\\u4e2d'.repeat(1_300_000)}"}`, writer, 65_536)).toBeUndefined();
    expect(scan('\n'.repeat(50_001), writer, 65_536)).toContain('lines');
    expect(scan(`"${'\r'.repeat(50_001)}`, writer, 65_536)).toContain('lines');
  });

  it('has lower limits for callers who may not write', () => {
    const many = `{${'"a":1,'.repeat(1500)}"b":1}`;
    expect(scan(many, writerBounds(1e6), 1000)).toBeUndefined();
    expect(scan(many, untrustedBounds(1e6), 1000)).toContain('more than 1000 members');
  });
});

/** Levels, members and at least so many items (an empty list counts as one). */
function measure(json: unknown): [depth: number, members: number, items: number] {
  if (typeof json !== 'object' || json === null) return [0, 0, 0];
  const inner = Object.values(json).map(measure);
  const sum = (at: 1 | 2) => inner.reduce((total, each) => total + each[at], 0);
  const own = Object.keys(json).length;
  const isList = Array.isArray(json);
  return [
    1 + Math.max(0, ...inner.map(([depth]) => depth)),
    sum(1) + (isList ? 0 : own),
    sum(2) + (isList ? Math.max(1, own) : 0),
  ];
}

describe('the form scanner', () => {
  it('decodes plus signs as spaces and leaves encoded ones', () => {
    const scanner = new FormScanner(10);
    const parts = pieces('a+b=1+2&c=%2B', 2);
    for (const part of parts) scanner.take(part);
    expect(parseForm(Buffer.concat(parts).toString())).toEqual({ 'a b': '1 2', c: '+' });
  });

  it('counts parameters while they arrive', () => {
    const scanner = new FormScanner(3);
    scanner.take(Buffer.from('a&b&'));
    expect(() => scanner.take(Buffer.from('&'))).toThrow(/At most 3 parameters/);
    expect(() => new FormScanner(1e9).take(Buffer.from('&'.repeat(1000)))).toThrow(/At most 1000/);
  });

  it('limits the length of names', () => {
    expect(() => parseForm(`${'['.repeat(5000)}=1`)).toThrow(/name/);
    expect(() => parseForm(Array.from({ length: 501 }, () => 'a[]=1').join('&'))).toThrow(/500 items/);
    expect(parseForm(Array.from({ length: 500 }, () => 'a[]=1').join('&'))['a']).toHaveLength(500);
  });
});

describe('the memory budget for bodies', () => {
  const budget = () => new BodyBudget({ total: 100, anonymous: 40, account: 60, network: 20 });
  const alive = () => false;

  it('is divided between accounts and networks', () => {
    const all = budget();
    const first = all.open('#1', true, alive);
    first.take(60);
    expect(() => all.open('#1', true, alive).take(1)).toThrow(/memory/);
    all.open('10.0.0.1', false, alive).take(20);
    expect(() => all.open('10.0.0.1', false, alive).take(1)).toThrow(/memory/);
    all.open('10.0.0.2', false, alive).take(20);
    expect(() => all.open('10.0.0.3', false, alive).take(1)).toThrow(/memory/);
    expect(all.size).toBe(100);
    expect(() => all.open('#2', true, alive).take(1)).toThrow(/memory/);
    first.release();
    first.release();
    expect(all.size).toBe(40);
    all.open('#2', true, alive).take(60);
  });

  it('frees memory that was never released', () => {
    const all = budget();
    let gone = false;
    all.open('#1', true, () => gone).take(60);
    const next = all.open('#1', true, alive);
    expect(() => next.take(30)).toThrow(/memory/);
    gone = true;
    next.take(30);
    expect(all.size).toBe(30);
    next.release();
    expect(all.size).toBe(0);
  });

  it('always admits one body of the largest size', () => {
    const shares = sharesOf(1, 1000, 900);
    new BodyBudget(shares).open('#1', true, alive).take(1000);
    new BodyBudget(shares).open('10.0.0.1', false, alive).take(900);
  });
});

describe('the bytes of a body', () => {
  it('are joined whatever the size of the chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 30 }), (parts) => {
        const gathered = new BodyBuffer();
        for (const part of parts) gathered.append(Buffer.from(part));
        expect(gathered.bytes).toEqual(Buffer.concat(parts.map((part) => Buffer.from(part))));
      }),
    );
  });

  it('are decoded in slices without splitting characters', async () => {
    for (const character of ['é', '中', '😀']) {
      for (const before of ['', 'x', 'xx', 'xxx']) {
        const text = before + character.repeat(600_000 / character.length);
        expect((await decodeText(Buffer.from(text))) === text).toBe(true);
      }
    }
    expect(await decodeText(Buffer.from('\ufeffa'))).toBe('a');
    expect(await decodeText(Buffer.alloc(0))).toBe('');
    expect(await decodeText(Buffer.alloc(2_000_000, 0x80))).toBeUndefined();
    expect(await decodeText(Buffer.concat([Buffer.alloc(600_000, 0x61), Buffer.from([0xe4])]))).toBeUndefined();
  });
});

describe('concurrent uploads', () => {
  it('are limited per account, and released', async () => {
    const places = new UploadPlaces();
    const ends: (() => void)[] = [];
    const upload = (account: number) => places.run(account, () => new Promise<void>((end) => ends.push(end)));
    const running = Array.from({ length: 8 }, () => upload(1));
    await expect(upload(1)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    const others = [2, 3, 4].flatMap((account) => Array.from({ length: 8 }, () => upload(account)));
    await expect(upload(5)).rejects.toMatchObject({ status: 503 });
    for (const end of ends.splice(0)) end();
    await Promise.all([...running, ...others]);
    await expect(places.run(1, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
    expect(await places.run(1, async () => 'done')).toBe('done');
  });
});
