import { toList } from './coerce.js';
import { fingerprint } from './json-value.js';
import { counted, memberName, refuse, refuseType } from './value-issue.js';
/** `type: array`. `item` is the compiled rule of `items`. */
export function listRule(schema, item) {
    const { minItems = 0, maxItems = Infinity, uniqueItems } = schema;
    const tooFew = `must have at least ${counted(minItems, 'item')}.`;
    const tooMany = `must have at most ${counted(maxItems, 'item')}.`;
    return (value, param) => {
        const list = toList(value);
        if (!list)
            return refuseType(param, 'must be a list, or a text with commas between the items.');
        // Counted first: a refused list of a million items costs nothing more.
        if (list.length > maxItems)
            return refuse('rest_too_many_items', param, tooMany);
        if (list.length < minItems)
            return refuse('rest_too_few_items', param, tooFew);
        const kept = [];
        for (let index = 0; index < list.length; index++) {
            const checked = item(list[index], memberName(param, index));
            if ('issue' in checked)
                return checked;
            kept.push(checked.value);
        }
        if (uniqueItems && new Set(kept.map(fingerprint)).size < kept.length) {
            return refuse('rest_duplicate_items', param, 'must not contain the same item twice.');
        }
        return { value: kept };
    };
}
