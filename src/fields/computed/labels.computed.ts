// User interface labels, derived from the singular and plural of a registered resource.
import type { ComputedFunction } from '../../model/registry.js';

export const labels: ComputedFunction = {
  name: 'labels',
  description:
    'Texts for user interfaces; with `of: classification` those of a kind of terms, else those of a kind of content.',
  options: {
    of: {
      type: 'string',
      enum: ['content', 'classification'],
      description: 'Kinds of content (default) or kinds of terms.',
    },
  },
  returns: { type: 'object' },
  reads: () => ['labels', 'hierarchical'],
  compile({ of }) {
    const make = of === 'classification' ? termLabels : contentLabels;
    return (row) => {
      const { singular = row['name'], plural = row['name'] } = (row['labels'] ?? {}) as Record<string, string>;
      return make(String(singular), String(plural), Boolean(row['hierarchical']));
    };
  },
};

function contentLabels(one: string, many: string, tree: boolean): Record<string, string | null> {
  const [single, several] = [one.toLowerCase(), many.toLowerCase()];
  return {
    name: many,
    singular_name: one,
    add_new: 'Add new',
    add_new_item: `Add a ${single}`,
    edit_item: `Edit the ${single}`,
    new_item: `New ${single}`,
    view_item: `View the ${single}`,
    view_items: `View ${several}`,
    search_items: `Search ${several}`,
    not_found: `No ${several} found.`,
    not_found_in_trash: `No ${several} in the trash.`,
    parent_item_colon: tree ? `Above this ${single}:` : null,
    all_items: `All ${several}`,
    archives: `${one} archives`,
    attributes: `${one} attributes`,
    insert_into_item: `Insert into the ${single}`,
    uploaded_to_this_item: `Uploaded to this ${single}`,
    featured_image: 'Featured image',
    set_featured_image: 'Set the featured image',
    remove_featured_image: 'Remove the featured image',
    use_featured_image: 'Use as featured image',
    filter_items_list: `Filter the list of ${several}`,
    filter_by_date: 'Filter by date',
    items_list_navigation: `Pages of the list of ${several}`,
    items_list: `List of ${several}`,
    item_published: `${one} published.`,
    item_published_privately: `${one} published privately.`,
    item_reverted_to_draft: `${one} is a draft again.`,
    item_trashed: `${one} moved to the trash.`,
    item_scheduled: `${one} scheduled.`,
    item_updated: `${one} updated.`,
    item_link: `Link to a ${single}`,
    item_link_description: `A link to a ${single}.`,
    menu_name: many,
    name_admin_bar: one,
    template_name: `Single ${single}`,
  };
}

function termLabels(one: string, many: string, tree: boolean): Record<string, string | null> {
  const [single, several] = [one.toLowerCase(), many.toLowerCase()];
  const flat = (text: string) => (tree ? null : text);
  const nested = (text: string) => (tree ? text : null);
  return {
    name: many,
    singular_name: one,
    search_items: `Search ${several}`,
    popular_items: flat(`Popular ${several}`),
    all_items: `All ${several}`,
    parent_item: nested(`Above this ${single}`),
    parent_item_colon: nested(`Above this ${single}:`),
    name_field_description: 'The name as it appears on the site.',
    slug_field_description: 'The form of the name used in URLs.',
    parent_field_description: nested(`The ${single} above this one, to build a tree.`),
    desc_field_description: 'Themes may show it.',
    edit_item: `Edit the ${single}`,
    view_item: `View the ${single}`,
    update_item: `Update the ${single}`,
    add_new_item: `Add a ${single}`,
    new_item_name: `Name of the new ${single}`,
    separate_items_with_commas: flat(`Separate ${several} with commas`),
    add_or_remove_items: flat(`Add or remove ${several}`),
    choose_from_most_used: flat(`Choose from the most used ${several}`),
    not_found: `No ${several} found.`,
    no_terms: `No ${several}`,
    filter_by_item: nested(`Filter by ${single}`),
    items_list_navigation: `Pages of the list of ${several}`,
    items_list: `List of ${several}`,
    most_used: 'Most used',
    back_to_items: `Back to ${several}`,
    item_link: `Link to a ${single}`,
    item_link_description: `A link to a ${single}.`,
    menu_name: many,
    name_admin_bar: one,
    archives: `All ${several}`,
    template_name: `${one} archives`,
  };
}
