// Texts of any code points for random tests. The `binary` strings of fast-check keep a list of all of them, a million entries that every
// collection of garbage looks through from then on.
import * as fc from 'fast-check';

const codePoint = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x10ffff }) },
);

/** A text of up to so many code points, with controls, unassigned ones and halves of pairs; now and then the name of a member of all objects. */
export function anyText({ maxLength }: { maxLength?: number } = {}): fc.Arbitrary<string> {
  const points = fc.array(codePoint, maxLength === undefined ? {} : { maxLength });
  const texts = points.map((all) => String.fromCodePoint(...all));
  return fc.oneof(
    { weight: 9, arbitrary: texts },
    { weight: 1, arbitrary: fc.string({ maxLength: maxLength ?? 100 }) },
  );
}
