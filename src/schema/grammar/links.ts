// The grammar of links.
import { CONTEXTS } from '../../model/schema/schema.js';
import { flag, mapOf, ref, string, word, type Grammar } from './pieces.js';

/** A string, number, boolean or null. */
export const SCALAR = { type: ['string', 'number', 'boolean', 'null'] };

/** One link relation. */
export const LINK: Grammar = {
  type: 'object',
  description: 'A link relation of an item.',
  minProperties: 1,
  properties: {
    to: word('Resource it leads to; default: the one that the reference `id` leads to.'),
    when: word('Column that must not be empty for the link to be shown.'),
    id: word('Field with the id of the target; omitted when empty. Without it the link leads to the collection.'),
    query: mapOf({ type: 'string', minLength: 1 }, 'Query of a collection link: parameter to field.'),
    key: word('Literal last segment of the URL.'),
    path: word('Column with the path of the collection the link leads to.'),
    title: word('What a link to the item itself means.'),
    targetSchema: { type: 'object', description: 'What such a link lets a caller send.', additionalProperties: true },
    embeddable: flag('_embed may include the target.'),
    attributes: mapOf(SCALAR, 'Attributes of the link; $column is a column of `storage.where` of the referenced row.'),
    context: string('Only in this context.', { enum: CONTEXTS }),
    needs: ref('rule'),
    self: flag('Leads to the item itself.'),
  },
  additionalProperties: false,
};
