// Values accepted for a rendered text: a string or `{ "raw": string }`.
import { compileRule } from './compile-value-rule.js';
import { storable } from './json-value.js';
import { rejectedOr, ruleOf, typeConstraint } from './rule.js';

const text = compileRule({ type: 'string' });

/** Accepts a string or an object with `raw`; an object without it counts as not sent. */
export const renderedRule = ruleOf(
  (value, param) => {
    if (!isObject(value)) return value;
    const raw = value['raw'];
    return raw === undefined || raw === null ? undefined : rejectedOr(text(raw, `${param}[raw]`));
  },
  [
    typeConstraint((value) => typeof value === 'string', 'must be a string or an object with a string "raw".'),
    storable,
  ],
);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
