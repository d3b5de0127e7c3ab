// Finds lines of one's own whose items would be above themselves. Each of them may be valid by itself: its parent may be in
// a later line.
import { idsInLoops } from '../../model/functions/loops.js';
import type { Item } from './load-item.js';
import type { Place } from './load-problems.js';

/** The item of a line, and its parent. */
interface Member extends Place {
  parent: number;
  /** The field with the parent. */
  field: string;
}

/** Collects the trees of handwritten items. */
export class Trees {
  private readonly members = new Map<string, Map<number, Member>>();

  /** Records the parent of an item. Items of a dump are restored as they were. */
  note({ shape, id, restored, row, file, line }: Item): void {
    const column = shape.model?.faces.tree?.parent;
    if (column === undefined || restored || id === undefined || !row[column]) return;
    const { name } = [...shape.fields.values()].find((each) => each.column.name === column)!;
    const known = this.members.get(shape.table.name) ?? new Map<number, Member>();
    this.members.set(shape.table.name, known.set(id, { file, line, parent: row[column] as number, field: name }));
  }

  /** The lines of items that are above themselves. */
  loops(): Member[] {
    return [...this.members.values()].flatMap((members) => {
      const above = new Map([...members].map(([id, { parent }]) => [id, parent]));
      return idsInLoops(above).map((id) => members.get(id)!);
    });
  }
}
