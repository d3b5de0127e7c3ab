// Items as they are shown within others and in exports: without links.
import type { FieldSelection } from '../../model/shown.js';

/** Every field, and no links. */
export const WITHOUT_LINKS: FieldSelection = {
  key: '-_links',
  has: (name) => name !== '_links' && name !== '_embedded',
  reaches: ([name]) => name !== '_links' && name !== '_embedded',
  pick: (view) => view,
};
