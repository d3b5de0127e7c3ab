// The bounds of a number: of an inclusive and an exclusive one the stricter counts. As in draft 4, `true` makes the
// inclusive one exclusive.
import type { ValueSchema } from '../model/schema/value-schema.js';

/** A limit; `exclusive` when the value itself is outside. */
export interface Bound {
  value: number;
  exclusive: boolean;
}

/** The lower and the upper bound of a number, as far as its schema has them. */
export function boundsOf(schema: ValueSchema): { lower?: Bound; upper?: Bound } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const lower = stricter(minimum, exclusiveMinimum, (exclusive, inclusive) => exclusive >= inclusive);
  const upper = stricter(maximum, exclusiveMaximum, (exclusive, inclusive) => exclusive <= inclusive);
  return { ...(lower && { lower }), ...(upper && { upper }) };
}

function stricter(
  inclusive: number | undefined,
  exclusive: number | boolean | undefined,
  wins: (exclusive: number, inclusive: number) => boolean,
): Bound | undefined {
  if (typeof exclusive === 'number' && (inclusive === undefined || wins(exclusive, inclusive)))
    return { value: exclusive, exclusive: true };
  return inclusive === undefined ? undefined : { value: inclusive, exclusive: exclusive === true };
}
