// Normalizes the values of a list parameter before they are compared (`normalize` of a schema file).
import type { ParamSchema } from '../../model/schema/schema.js';
import type { Rule } from '../../model/value.js';
import { converting } from '../../values/rule.js';
import { slugify } from '../../text/slug.js';

/** Maximum length of a stored slug. */
const SLUG_LENGTH = 200;

const FORMS: Record<NonNullable<ParamSchema['normalize']>, (text: string) => string> = {
  slug: (text) => slugify(text, SLUG_LENGTH),
  key: (text) => text.toLowerCase().replaceAll(/[^a-z0-9_-]/g, ''),
};

/** The rule, extended to normalize each text of an accepted value. */
export function normalized(rule: Rule, form: ParamSchema['normalize']): Rule {
  if (!form) return rule;
  const clean = (value: unknown) => (typeof value === 'string' ? FORMS[form](value) : value);
  return converting(rule, (value) => (Array.isArray(value) ? value.map(clean) : clean(value)));
}
