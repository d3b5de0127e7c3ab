// `_fields`: its notations, and the members of an item that it selects.
import { describe, expect, it } from '@jest/globals';
import { fieldSelection, rememberSelection } from '../../../src/http/resource/field-selection.js';

const item = {
  id: 7,
  title: { raw: 'a', rendered: 'b' },
  meta: { colour: 'red', size: { width: 1, height: 2 } },
  list: [{ a: 1 }],
  none: null,
  _links: { self: [{ href: 'x' }] },
};
const pick = (requested: unknown) => fieldSelection(requested)?.pick(item);

describe('a selection of fields', () => {
  it.each([[undefined], [''], [' , '], [[]], [7], [{ a: 'id' }], [[['id']]]])(
    'of %j selects everything',
    (requested) => {
      expect(fieldSelection(requested)).toBeUndefined();
    },
  );

  it('is a text with commas or spaces, or a list', () => {
    for (const requested of ['id,none', ' id , none ', 'id none', ['id', 'none'], ['id,none']]) {
      expect(pick(requested)).toEqual({ id: 7, none: null });
    }
  });

  it('selects nested members, or the whole object when both are named', () => {
    expect(pick('title.raw,meta.size.width')).toEqual({ title: { raw: 'a' }, meta: { size: { width: 1 } } });
    expect(pick('title.raw,title')).toEqual({ title: item.title });
    expect(pick('title,title.raw')).toEqual({ title: item.title });
  });

  it('ignores unknown names', () => {
    expect(pick('nothing,title.nothing,list.a,none.x,id.x,__proto__,constructor.name')).toEqual({});
    expect(Object.getPrototypeOf(pick('__proto__'))).toBe(Object.prototype);
  });

  it('has the same key for the same order of names', () => {
    const keys = ['id,title', ' id, title,id', ['id', 'title']].map((requested) => fieldSelection(requested)!.key);
    expect(new Set(keys).size).toBe(1);
    const selection = fieldSelection('title.raw,_links')!;
    expect([selection.has('title'), selection.has('_links'), selection.has('raw')]).toEqual([true, true, false]);
  });
});

describe('a selection that is too large', () => {
  it.each([
    ['a.'.repeat(8) + 'a', /deeper than 8 levels/],
    ['a.'.repeat(500_000), /at most 4096 characters/],
    [['a'.repeat(3000), 'b'.repeat(3000)], /at most 4096 characters/],
    [Array.from({ length: 201 }, (_, at) => `f${at}`).join(','), /at most 200 fields/],
    [Array.from({ length: 100_000 }, () => 'a'), /at most 200 fields/],
  ])('%.20j is refused with its limit', (requested, reason) => {
    expect(() => fieldSelection(requested)).toThrow(
      expect.objectContaining({
        code: 'rest_invalid_param',
        details: expect.objectContaining({
          data: expect.objectContaining({ params: { _fields: expect.stringMatching(reason) } }),
        }),
      }),
    );
  });

  it('is accepted at the limits', () => {
    expect(fieldSelection('a.'.repeat(7) + 'a')!.has('a')).toBe(true);
    expect(fieldSelection(Array.from({ length: 200 }, (_, at) => `f${at}`))!.has('f199')).toBe(true);
  });

  it('is parsed at every use until it is remembered', () => {
    const first = fieldSelection('id,title.raw,only_here');
    expect(fieldSelection('id,title.raw,only_here')).not.toBe(first);
    rememberSelection(first);
    expect(fieldSelection('id,title.raw,only_here')).toBe(first);
    expect(first!.pick(item)).toEqual({ id: 7, title: { raw: 'a' } });
  });
});
