// Comment statuses: the stored ones, those that writers may send, and those that lists filter by.
import type { State } from '../../model/faces.js';
import type { Row } from '../../model/query.js';

/** Statuses of a comment. Others are set by other traits; no list includes them. */
const STATES = ['approved', 'hold', 'spam', 'trash'];

/** Names that writers may send, with the stored status; none for a return to the previous one. */
const WORDS = new Map<string, string | undefined>([
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

/** Names that lists accept, with the stored statuses. */
const FILTERS = new Map([
  ['approve', ['approved']],
  ['hold', ['hold']],
  ['spam', ['spam']],
  ['trash', ['trash']],
  ['all', ['approved', 'hold']],
  ['', ['approved', 'hold']],
  ['any', STATES],
]);

/** What moderators choose from. */
export const STATE_CHOICES: readonly State[] = [
  { value: 'approved', listed: 'approve' },
  { value: 'hold', listed: 'hold', waits: true },
  { value: 'spam', listed: 'spam' },
];

/** Reduces a name to lower case letters, digits, `_` and `-`. */
export function keyOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '');
}

/** Whether writers may send the name. */
export function isStateWord(word: string): boolean {
  return WORDS.has(word);
}

/** Every status that is stored. */
export const STORED_STATES: readonly string[] = STATES;

/** Every name that lists accept. */
export const LISTED_STATES: readonly string[] = [...FILTERS.keys()];

/** The names, for messages. */
export const STATE_WORDS: readonly string[] = [...WORDS.keys()];

/** Statuses that a list name stands for; none for an unknown name. */
export function statesFor(word: string): readonly string[] {
  return FILTERS.get(word) ?? [];
}

/** Status for a name given by an importer; unknown names are stored as they are. */
export function importedState(word: string): string {
  return WORDS.get(word) ?? word;
}

/** Columns to write when a writer sets the status `word` on a row; none when it has that status already. */
export function transition(word: string, row: Row, now: string): Row {
  const requested = WORDS.get(word);
  const next = requested ?? former(row['trashed_status']);
  if (next === row['status']) return {};
  const before = STATES.includes(row['status']) ? (row['status'] as string) : former(row['marked_status']);
  return {
    status: next,
    // The previous status is only recorded when the comment enters spam or trash.
    trashed_status: requested === 'spam' || requested === 'trash' ? before : '',
    trashed_at: next === 'trash' ? now : null,
    marked_status: '',
  };
}

function former(state: unknown): string {
  return STATES.includes(state as string) ? (state as string) : 'hold';
}
