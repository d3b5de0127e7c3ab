// The order in which the traits of a resource are applied and their hooks run.

/**
 * The names with every trait after those in `after` of its definition; otherwise the order stays. `circle` has the
 * names of traits that wait for each other, if there are any.
 */
export function sortTraits(
  names: readonly string[],
  definitions: ReadonlyMap<string, { after?: readonly string[] }>,
): { sorted: string[]; circle: string[] } {
  const sorted: string[] = [];
  let left = [...names];
  while (left.length > 0) {
    const waits = (name: string) =>
      definitions.get(name)?.after?.some((other) => other !== name && left.includes(other)) ?? false;
    const next = left.find((name) => !waits(name));
    if (next === undefined) return { sorted: [...sorted, ...left], circle: left };
    sorted.push(next);
    left = left.filter((name) => name !== next);
  }
  return { sorted, circle: [] };
}
