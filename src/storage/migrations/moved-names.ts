// Names of tables and columns whose contents have been moved: they keep the original data until dropping them is
// allowed.
const MOVED = /__moved(?:_\d+)?$/;

/** The new name for a table or column after its contents have been moved; not one of `taken`. */
export function movedName(name: string, taken: { has(name: string): boolean }): string {
  const plain = `${name}__moved`;
  let free = plain;
  for (let n = 2; taken.has(free); n += 1) free = `${plain}_${n}`;
  return free;
}

/** Whether a name is that of a table or column whose contents have been moved. */
export function isMoved(name: string): boolean {
  return MOVED.test(name);
}

/** The name before the contents were moved. */
export function formerName(name: string): string {
  return name.replace(MOVED, '');
}
