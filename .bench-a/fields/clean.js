// How plain strings are cleaned before they are stored (decisions 16.11, 25.7). Called by the string and text field types.
import { descriptionHtml } from '../text/html.js';
import { encodeName, plainText } from '../text/plain.js';
/** The cleaning function of a schema's `clean` key. `uri` is cleaned by its format already. */
export function cleaner(kind) {
    switch (kind) {
        case 'plain':
            return plainText;
        case 'name':
            return encodeName;
        case 'description':
            return descriptionHtml;
        default:
            return (value) => value;
    }
}
