// The known name nearest to a mistyped one, for hints of problems at boot. Called by check.ts, its parts and config.ts.
/**
 * Nearest of the candidates, or undefined when none is near: a few typing mistakes apart, or one
 * is the beginning of the other.
 * Case, `_` and `-` do not count.
 */
export function nearest(word, candidates) {
    const wanted = folded(word);
    const limit = wanted.length <= 1 ? 0 : wanted.length <= 3 ? 1 : wanted.length <= 7 ? 2 : 3;
    let best;
    let bestDistance = limit + 1;
    let longer;
    let shorter;
    for (const candidate of candidates) {
        const name = folded(candidate);
        const distance = editDistance(wanted, name, bestDistance);
        if (distance < bestDistance)
            [best, bestDistance] = [candidate, distance];
        if (begins(wanted, name) && (!longer || candidate.length < longer.length))
            longer = candidate;
        if (begins(name, wanted) && (!shorter || candidate.length > shorter.length))
            shorter = candidate;
    }
    return bestDistance <= 1 ? best : (longer ?? best ?? shorter);
}
/** `did you mean "x"?` for the nearest candidate. */
export function didYouMean(word, candidates) {
    const name = nearest(word, candidates);
    return name === undefined ? undefined : `did you mean "${name}"?`;
}
function folded(word) {
    return word.toLowerCase().replace(/[_-]/g, '');
}
function begins(start, word) {
    return start.length >= 3 && word.startsWith(start);
}
// Optimal string alignment: a swap of neighbours is one mistake. Gives up at `bound`.
function editDistance(left, right, bound) {
    if (Math.abs(left.length - right.length) >= bound)
        return bound;
    let before = [];
    let last = Array.from({ length: right.length + 1 }, (_, index) => index);
    for (let i = 1; i <= left.length; i++) {
        const row = [i];
        for (let j = 1; j <= right.length; j++) {
            const same = left[i - 1] === right[j - 1];
            let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
            if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
                cost = Math.min(cost, before[j - 2] + 1);
            }
            row.push(cost);
        }
        if (Math.min(...row) >= bound)
            return bound;
        before = last;
        last = row;
    }
    return last[right.length];
}
