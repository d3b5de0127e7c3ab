// Rule of fields that hold a URI: what is not safe to follow is rejected. The format `uri` of other texts sanitizes instead.
import type { Rule } from '../model/value.js';
import { isSafeUri } from './clean-uri.js';
import { compileRule } from './compile-value-rule.js';
import { withConstraints, constraint } from './rule.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

const MUST = 'must be an absolute URL such as https://example.org/page.';

/** The rule of an absolute URI with the lengths and pattern of a schema. */
export function uriRule({ format: _format, ...schema }: ValueSchema): Rule {
  return withConstraints(compileRule(schema), [
    constraint('rest_invalid_uri', (text: string | null) => (text === null || isSafeUri(text) ? undefined : MUST)),
  ]);
}
