// Names of a resource for people.
import type { ResourceSchema } from '../../model/schema/schema.js';

/** The labels of a resource; by default its name and path as words. */
export function labelsOf({ labels, name, path }: ResourceSchema): { singular: string; plural: string } {
  return labels ?? { singular: words(name), plural: words(path) };
}

function words(name: string): string {
  const spaced = name.replaceAll(/[-_]/g, ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
