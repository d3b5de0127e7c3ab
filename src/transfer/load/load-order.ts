// The order in which the files of a load are written.
import type { Shape } from '../dump/dump-shape.js';
import type { LoadFile } from './load-source.js';

/**
 * Files of terms first, else in the order given: the number of items of a term is then kept with each item that is
 * written; otherwise the items of each term would have to be counted afterwards.
 */
export function termsFirst(files: readonly LoadFile[], shapes: ReadonlyMap<string, Shape>): LoadFile[] {
  const isOfTerms = ({ resource }: LoadFile) => shapes.get(resource)?.model?.faces.counter !== undefined;
  return [...files.filter(isOfTerms), ...files.filter((file) => !isOfTerms(file))];
}
