import { isStateWord, keyOf, STATE_WORDS } from './status.js';
/** Wraps the rule of a field. */
export function replaceRule(field, wrap) {
    if (field)
        field.rule = wrap(field.rule, field);
}
/** An address may be left empty (decisions 14.32, 30). */
export function emptyToo(rule) {
    return (value, param) => (value === '' ? { value } : rule(value, param));
}
/** What writers may say of a state (decisions 14.3). */
export function stateRule(rule, { schema }) {
    return (value, param) => {
        const checked = rule(value, param);
        if ('issue' in checked)
            return checked;
        const word = keyOf(checked.value);
        if (isStateWord(word) || schema.keeps?.includes(word))
            return { value: word };
        return { issue: { code: 'rest_not_in_enum', param, message: `${param} must be one of ${STATE_WORDS.join(', ')}.` } };
    };
}
