// Value rules that a moderated resource adds to those of its field types.
import type { FieldModel } from '../../model/model.js';
import type { Rule } from '../../model/value.js';
import { isStateWord, keyOf, STATE_WORDS } from './status.js';

/** Wraps the rule of a field. */
export function replaceRule(field: FieldModel | undefined, wrap: (rule: Rule, field: FieldModel) => Rule): void {
  if (!field) return;
  field.rule = wrap(field.rule, field);
  if (field.createRule) field.createRule = wrap(field.createRule, field);
}

/** Accepts an empty address. */
export function emptyToo(rule: Rule): Rule {
  return (value, param) => (value === '' ? { value } : rule(value, param));
}

/** Accepts the status names that writers may send. */
export function stateRule(rule: Rule, { schema }: FieldModel): Rule {
  return (value, param) => {
    const checked = rule(value, param);
    if ('issue' in checked) return checked;
    const word = keyOf(checked.value as string);
    if (isStateWord(word) || schema.keeps?.includes(word)) return { value: word };
    return {
      issue: { code: 'rest_not_in_enum', param, message: `${param} must be one of ${STATE_WORDS.join(', ')}.` },
    };
  };
}
