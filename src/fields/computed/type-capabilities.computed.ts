// Capabilities required for items of a type, derived from the suffix of their names.
import type { ComputedFunction } from '../../model/registry.js';

const PLURAL = [
  'edit',
  'edit_others',
  'delete',
  'publish',
  'read_private',
  'delete_private',
  'delete_published',
  'delete_others',
  'edit_private',
  'edit_published',
];

export const typeCapabilities: ComputedFunction = {
  name: 'type-capabilities',
  description:
    'Capabilities of a type of content, from `kind` (default: its path) and `create` (default: edit_<kind>) of its registration.',
  options: {},
  returns: { type: 'object' },
  reads: () => ['capabilities', 'rest_base'],
  compile: () => (row) => {
    const { kind = String(row['rest_base']), create = `edit_${kind}` } = (row['capabilities'] ?? {}) as Record<
      string,
      string
    >;
    const one = kind.replace(/s$/, '');
    const granted: Record<string, string> = {};
    // The keys are always those of posts, whatever the suffix of the values is.
    for (const verb of ['edit', 'read', 'delete']) granted[`${verb}_post`] = `${verb}_${one}`;
    for (const verb of PLURAL) granted[`${verb}_posts`] = `${verb}_${kind}`;
    return { ...granted, read: 'read', create_posts: create };
  },
};
