// The order in which the files of a load are written.
import type { Shape } from '../dump/dump-shape.js';
import type { LoadFile } from './load-source.js';

/**
 * Files of terms first, the others in the order given: each item that is written then updates the item counts of its
 * terms, which would otherwise have to be counted afterwards.
 */
export function termsFirst(files: readonly LoadFile[], shapes: ReadonlyMap<string, Shape>): LoadFile[] {
  const isOfTerms = ({ resource }: LoadFile) => shapes.get(resource)?.model?.faces.counter !== undefined;
  return [...files.filter(isOfTerms), ...files.filter((file) => !isOfTerms(file))];
}
