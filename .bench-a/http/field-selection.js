// The `_fields` parameter (decisions 5.7): parsed once per distinct text, asked by the engine, applied to each item.
import { LRUCache } from 'lru-cache';
const MOST_REMEMBERED = 500;
const remembered = new LRUCache({ max: MOST_REMEMBERED });
/** The selection that `_fields` asks for: a list, or text with commas or blanks; undefined when it names nothing. */
export function fieldSelection(asked) {
    const text = Array.isArray(asked) ? asked.filter((part) => typeof part === 'string').join(',') : asked;
    if (typeof text !== 'string')
        return undefined;
    let selection = remembered.get(text);
    if (!selection)
        remembered.set(text, (selection = new Selected(text)));
    return selection.key === '' ? undefined : selection;
}
class Selected {
    key;
    wanted = new Map();
    constructor(text) {
        const paths = [...new Set(text.split(/[\s,]+/).filter((path) => path !== ''))];
        this.key = paths.join(',');
        for (const path of paths)
            want(this.wanted, path.split('.'));
    }
    has(name) {
        return this.wanted.has(name);
    }
    pick(view) {
        return pickFrom(view, this.wanted);
    }
}
function want(wanted, [name = '', ...below]) {
    const before = wanted.get(name);
    if (before === true)
        return;
    if (below.length === 0)
        wanted.set(name, true);
    else {
        const members = before ?? new Map();
        wanted.set(name, members);
        want(members, below);
    }
}
function pickFrom(view, wanted) {
    const picked = {};
    for (const name in view) {
        const members = wanted.get(name);
        if (members === true)
            picked[name] = view[name];
        else if (members && isObject(view[name])) {
            const inner = pickFrom(view[name], members);
            if (Object.keys(inner).length > 0)
                picked[name] = inner;
        }
    }
    return picked;
}
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
