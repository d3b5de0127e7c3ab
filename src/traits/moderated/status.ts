// The states of moderation: what is stored, what writers say, what lists ask for (decisions 14.2-14.7). Called by the trait moderated.
import type { Row } from '../../model/query.js';

/** States a remark has. Others are marks of other traits; no list shows them. */
const STATES = ['approved', 'hold', 'spam', 'trash'];

/** What writers say, and the state they mean; none for a return to the former one. */
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

/** Lower case letters, digits, `_` and `-` of a word (decisions 29). */
export function keyOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '');
}

/** Whether writers may say so. */
export function isStateWord(word: string): boolean {
  return WORDS.has(word);
}

/** Words for messages. */
export const STATE_WORDS: readonly string[] = [...WORDS.keys()];

/** States that a list asks for; none for a word that means nothing. */
export function statesAsked(word: string): readonly string[] {
  return FILTERS.get(word) ?? [];
}

/** State of a word that an importer gives; other states are kept as they are. */
export function stateGiven(word: string): string {
  return WORDS.get(word) ?? word;
}

/** Columns to write when a writer says `word` about a row; none when it is in that state already. */
export function transition(word: string, row: Row, now: string): Row {
  const asked = WORDS.get(word);
  const next = asked ?? former(row['trashed_status']);
  if (next === row['status']) return {};
  const before = STATES.includes(row['status']) ? (row['status'] as string) : former(row['marked_status']);
  return {
    status: next,
    // A way back is remembered on the way in only.
    trashed_status: asked === 'spam' || asked === 'trash' ? before : '',
    trashed_at: next === 'trash' ? now : null,
    marked_status: '',
  };
}

function former(state: unknown): string {
  return STATES.includes(state as string) ? (state as string) : 'hold';
}
