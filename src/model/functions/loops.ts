// Items of a tree that are above themselves.

/** Ids that are their own ancestors, in order; `above`: the parent of each id, 0 for none. */
export function idsInLoops(above: ReadonlyMap<number, number>): number[] {
  const found: number[] = [];
  /** The id with which the walk that came to an id began. */
  const walks = new Map<number, number>();
  for (const start of above.keys()) {
    let at = start;
    for (; above.has(at) && !walks.has(at); at = above.get(at)!) walks.set(at, start);
    if (walks.get(at) !== start) continue;
    const first = at;
    do {
      found.push(at);
      at = above.get(at)!;
    } while (at !== first);
  }
  return found.sort((a, b) => a - b);
}
