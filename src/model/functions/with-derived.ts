// Columns that a trait changes outside the draft of an operation, with those derived from them.
import type { Draft } from '../operation.js';
import type { ResourceModel } from '../model.js';
import type { Row } from '../query.js';
import type { TextWork } from '../runtime/texts.js';

/**
 * The changes with every column derived from them: rendered texts, sort keys, search texts, digests of unique values.
 * `current` is the stored row, with all columns that are not derived; without it the changes are a whole row.
 */
export function withDerived({ derive }: ResourceModel, changes: Row, texts: TextWork, current?: Row): Row {
  const draft: Draft = { values: {}, row: { ...changes }, many: {}, meta: {} };
  for (const each of derive) each(draft, texts, current);
  return draft.row;
}
