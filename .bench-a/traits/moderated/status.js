/** States a remark has. Others are marks of other traits; no list shows them. */
const STATES = ['approved', 'hold', 'spam', 'trash'];
/** What writers say, and the state they mean; none for a return to the former one. */
const WORDS = new Map([
    ['approved', 'approved'],
    ['approve', 'approved'],
    ['1', 'approved'],
    ['hold', 'hold'],
    ['0', 'hold'],
    ['spam', 'spam'],
    ['unspam', undefined],
    ['trash', 'trash'],
    ['untrash', undefined],
]);
/** What lists ask for. */
const FILTERS = new Map([
    ['approve', ['approved']],
    ['hold', ['hold']],
    ['spam', ['spam']],
    ['trash', ['trash']],
    ['all', ['approved', 'hold']],
    ['', ['approved', 'hold']],
    ['any', STATES],
]);
/** Columns of the trait `trashable` and of ours that remember. */
const FORGOTTEN = { trashed_status: '', trashed_at: null, marked_status: '' };
/** Lower case letters, digits, `_` and `-` of a word (decisions 29). */
export function keyOf(text) {
    return text.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '');
}
/** Whether writers may say so. */
export function isStateWord(word) {
    return WORDS.has(word);
}
/** Words for messages. */
export const STATE_WORDS = [...WORDS.keys()];
/** States that a list asks for; none for a word that means nothing. */
export function statesAsked(word) {
    return FILTERS.get(word) ?? [];
}
/** State of a word that an importer gives; other states are kept as they are. */
export function stateGiven(word) {
    return WORDS.get(word) ?? word;
}
/** Columns to write when a writer says `word` about a row; none when it is in that state already. */
export function transition(word, row, now) {
    const before = STATES.includes(row['status']) ? row['status'] : former(row['marked_status']);
    const next = WORDS.get(word) ?? former(row['trashed_status']);
    if (next === row['status'])
        return {};
    if (next === 'spam')
        return { ...FORGOTTEN, status: next, trashed_status: before };
    if (next === 'trash')
        return { ...FORGOTTEN, status: next, trashed_status: before, trashed_at: now };
    return { ...FORGOTTEN, status: next };
}
function former(state) {
    return STATES.includes(state) ? state : 'hold';
}
