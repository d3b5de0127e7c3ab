// Names of tables and columns whose contents have moved: they keep what they had until somebody allows their drop.
const MOVED = /__moved(?:_\d+)?$/;

/** The name of what had this name, once its contents have moved: one that nothing has yet. */
export function movedName(name: string, taken: { has(name: string): boolean }): string {
  const plain = `${name}__moved`;
  let free = plain;
  for (let n = 2; taken.has(free); n += 1) free = `${plain}_${n}`;
  return free;
}

/** Whether the contents of what has this name have moved. */
export function isMoved(name: string): boolean {
  return MOVED.test(name);
}

/** The name before the contents moved. */
export function formerName(name: string): string {
  return name.replace(MOVED, '');
}
