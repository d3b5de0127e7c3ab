import { isUnchanged } from './json-value.js';
import { refuse } from './value-issue.js';
// A form that takes the value as it stands is a better reading than one that has to coerce it.
function matches(rules, value, param) {
    const exact = [];
    const coerced = [];
    const reasons = [];
    for (const rule of rules) {
        const checked = rule(value, param);
        if ('issue' in checked)
            reasons.push(checked.issue.message);
        else
            (isUnchanged(value, checked.value) ? exact : coerced).push(checked.value);
    }
    return { fitting: exact.length > 0 ? exact : coerced, reasons };
}
/** `anyOf`: the first form that fits. */
export function anyOfRule(rules) {
    return (value, param) => {
        const { fitting, reasons } = matches(rules, value, param);
        return fitting.length > 0 ? { value: fitting[0] } : refuse('rest_no_matching_schema', param, noneText(reasons));
    };
}
/** `oneOf`: exactly one form fits. */
export function oneOfRule(rules) {
    return (value, param) => {
        const { fitting, reasons } = matches(rules, value, param);
        if (fitting.length === 1)
            return { value: fitting[0] };
        if (fitting.length === 0)
            return refuse('rest_no_matching_schema', param, noneText(reasons));
        return refuse('rest_one_of_multiple_matches', param, 'fits several of the allowed forms. Send a value that fits only one.');
    };
}
function noneText(reasons) {
    return `fits none of the allowed forms: ${reasons.map((reason) => reason.replace(/\.$/, '')).join('; or ')}.`;
}
