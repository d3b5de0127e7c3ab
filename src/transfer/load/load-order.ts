// The order in which the files of a load are written.
import type { ResourceModel } from '../../model/model.js';
import type { Shape } from '../dump/dump-shape.js';
import type { LoadFile } from './load-source.js';

/**
 * Files of items that others refer to first, else in the order given. What an item changes in those that it refers to,
 * such as the counts of its terms, is then written with it; otherwise it would be computed again afterwards.
 */
export function referredFirst(files: readonly LoadFile[], shapes: ReadonlyMap<string, Shape>): LoadFile[] {
  const ordered: LoadFile[] = [];
  const visited = new Set<string>();
  const visit = (resource: string): void => {
    if (visited.has(resource)) return;
    visited.add(resource);
    for (const { name } of referredBy(shapes.get(resource)?.model)) visit(name);
    ordered.push(...files.filter((file) => file.resource === resource));
  };
  for (const { resource } of files) visit(resource);
  return ordered;
}

function referredBy(model: ResourceModel | undefined): ResourceModel[] {
  return [...(model?.fields.values() ?? [])].flatMap(({ targets = [], many }) =>
    many?.target ? [many.target, ...targets] : targets,
  );
}
