// Value rules that a moderated resource adds to those of its field types.
import type { Rule } from '../../model/value.js';
import { constraint, converting, withException } from '../../values/rule.js';
import { isStateWord, keyOf, STATE_WORDS } from './status.js';
import type { FieldModel } from '../../model/field.js';

/** Wraps the rule of a field. */
export function replaceRule(field: FieldModel | undefined, wrap: (rule: Rule, field: FieldModel) => Rule): void {
  if (!field) return;
  field.rule = wrap(field.rule, field);
  if (field.createRule) field.createRule = wrap(field.createRule, field);
}

/** Accepts an empty e-mail or IP address. */
export function emptyToo(rule: Rule): Rule {
  return withException(rule, (value) => value === '');
}

/** Accepts the status names that writers may send. */
export function stateRule(rule: Rule, { schema }: FieldModel): Rule {
  const must = `must be one of ${STATE_WORDS.join(', ')}.`;
  const isKnown = (word: string): boolean => isStateWord(word) || schema.allowStored?.includes(word) === true;
  return converting(rule, (value) => keyOf(value as string), [
    constraint('rest_not_in_enum', (word: string) => (isKnown(word) ? undefined : must)),
  ]);
}
