// Texts of any code points for random tests. The `binary` strings of fast-check keep a list of all code points, a
// million entries that every later garbage collection traverses.
import * as fc from 'fast-check';

const codePoint = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x10ffff }) },
);

/**
 * A text of up to `maxLength` code points, with control characters, unassigned ones, lone surrogates; sometimes
 * `__proto__` and the like.
 */
export function anyText({ maxLength }: { maxLength?: number } = {}): fc.Arbitrary<string> {
  const points = fc.array(codePoint, maxLength === undefined ? {} : { maxLength });
  const texts = points.map((all) => String.fromCodePoint(...all));
  return fc.oneof(
    { weight: 9, arbitrary: texts },
    { weight: 1, arbitrary: fc.string({ maxLength: maxLength ?? 100 }) },
  );
}
