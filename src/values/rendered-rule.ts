// Values accepted for a rendered text: a string or `{ "raw": string }`.
import type { Rule } from '../model/value.js';
import { compileRule } from './compile-rule.js';

const text = compileRule({ type: 'string' });

/** Accepts a string or an object with `raw`; an object without it counts as not sent. */
export const renderedRule: Rule = (value, param) => {
  if (typeof value === 'string') return text(value, param);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const raw = (value as Record<string, unknown>)['raw'];
    return raw === undefined || raw === null ? { value: undefined } : text(raw, `${param}[raw]`);
  }
  return {
    issue: {
      code: 'rest_invalid_type',
      param,
      message: `${param} must be a string or an object with a string "raw".`,
      data: { param },
    },
  };
};
