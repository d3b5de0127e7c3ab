// Sanitizing of plain strings before they are stored.
import type { Operation } from '../model/operation.js';
import { runText } from '../model/runtime/texts.js';
import { descriptionHtml } from '../text/sanitize-html.js';
import { encodeName, plainText } from '../text/plain.js';

/** The sanitizing function of a schema's `sanitize` key. `uri` is sanitized by its format already. */
export function cleaner(
  kind: 'plain' | 'description' | 'name' | 'uri' | 'none',
): (value: string, op?: Operation) => string {
  switch (kind) {
    case 'plain':
      return (value, op) => runText(op, plainText, value);
    case 'name':
      return (value, op) => runText(op, encodeName, value);
    case 'description':
      return (value, op) => runText(op, descriptionHtml, value);
    default:
      return (value) => value;
  }
}
