// Regular expressions of schemas: compiled at boot, refused when they could run away, bounded per request (decisions 2.11).
// Called by the text and object rules, and by the check of schema files.
/** Texts longer than this are not matched at all: what a pattern describes is short. */
export const LONGEST_MATCHED = 2_000;
/** Why a pattern cannot be used, or undefined. */
export function patternProblem(pattern) {
    try {
        void new RegExp(pattern, 'u');
    }
    catch (error) {
        return error.message;
    }
    if (/\\[1-9]|\\k</.test(pattern))
        return 'back references can take for ever; write the pattern without them';
    return repeatsItself(pattern)
        ? 'a repeated group repeats its own content and can take for ever; set its rounds apart by a fixed character, as in (?:-[a-z]+)*'
        : undefined;
}
/** Compiles a schema's pattern, unanchored and in code points as JSON Schema has it. Throws at boot. */
export function compilePattern(pattern) {
    const problem = patternProblem(pattern);
    if (problem)
        throw new Error(`Pattern ${pattern}: ${problem}`);
    return new RegExp(pattern, 'u');
}
const OPENING = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/;
// Exponential time needs a repeated group whose content can be split in several ways.
function repeatsItself(pattern) {
    const groups = [{ start: 0, loose: false }];
    for (let at = 0; at < pattern.length; at++) {
        const group = groups.at(-1);
        switch (pattern[at]) {
            case '\\':
                at++;
                break;
            case '[':
                at = endOfClass(pattern, at);
                break;
            case '(':
                at += OPENING.exec(pattern.slice(at))[0].length - 1;
                groups.push({ start: at + 1, loose: false });
                break;
            case ')': {
                groups.pop();
                const body = pattern.slice(group.start, at);
                if (group.loose && isRepeated(pattern, at + 1) && !isSeparated(body) && !isWords(body))
                    return true;
                if (group.loose)
                    groups.at(-1).loose = true;
                break;
            }
            default:
                if (pattern[at] === '|' || isVarying(pattern, at))
                    group.loose = true;
        }
    }
    return false;
}
function endOfClass(pattern, from) {
    for (let at = from + 1; at < pattern.length; at++) {
        if (pattern[at] === '\\')
            at++;
        else if (pattern[at] === ']')
            return at;
    }
    return pattern.length;
}
function isVarying(pattern, at) {
    return /^(?:[*+?]|\{\d+,\d*\})/.test(pattern.slice(at, at + 16));
}
function isRepeated(pattern, at) {
    return /^(?:[*+]|\{(?!0,1\}|1\}|1,1\}))/.test(pattern.slice(at, at + 16));
}
const SEPARATOR = String.raw `(?:\\([.\-/+*?^$|:])|([-_/:,; @#=~]))`;
const REPEATED_CLASS = String.raw `(\[[\w-]+\]|\\[dw])(?:[+*]|\{\d+(?:,\d*)?\})`;
const SEPARATED_BEFORE = new RegExp(`^${SEPARATOR}${REPEATED_CLASS}$`);
const SEPARATED_AFTER = new RegExp(`^${REPEATED_CLASS}${SEPARATOR}$`);
// One repeated class with a fixed character before or after it that the class cannot contain: `-[a-z]+`, `\d{1,3}\.`.
function isSeparated(body) {
    const before = SEPARATED_BEFORE.exec(body);
    if (before)
        return !new RegExp(before[3], 'u').test((before[1] ?? before[2]));
    const after = SEPARATED_AFTER.exec(body);
    return after !== null && !new RegExp(after[1], 'u').test((after[2] ?? after[3]));
}
// A choice between words that differ in their first letter.
function isWords(body) {
    const words = /^\w+(?:\|\w+)+$/.test(body) ? body.split('|') : [];
    return words.length > 0 && new Set(words.map((word) => word[0])).size === words.length;
}
