// Checks that referenced items exist: on the site, or among the items to load.
import { oneOf } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Reader } from '../../model/store.js';
import type { Item } from './load-item.js';
import type { Place } from './load-problems.js';
import type { FieldModel } from '../../model/field.js';

const BATCH = 500;

/** The first item that refers to an id. */
interface FirstReference extends Place {
  field: string;
  /** Whether the item comes from a dump, where dangling references are only a warning. */
  restored: boolean;
}

/** Collects the references of items and finds dangling ones. */
export class References {
  private readonly references = new Map<string, Map<number, FirstReference>>();

  /** Records the references of an item. */
  note(item: Item): void {
    for (const { field } of item.shape.fields.values()) {
      const id = field?.column && field.targets ? item.row[field.column] : undefined;
      if (id) this.add(field!, [id], item);
    }
    for (const [field, values] of item.many) if (field.many!.target) this.add(field, values, item);
  }

  /** Dangling references, given the ids that are about to be loaded. */
  async dangling(
    loaded: ReadonlyMap<string, ReadonlySet<number>>,
    reader: Reader,
  ): Promise<(FirstReference & { id: number })[]> {
    const lost: (FirstReference & { id: number })[] = [];
    for (const [table, references] of this.references) {
      const open = [...references.keys()].filter((id) => !loaded.get(table)?.has(id));
      for (let at = 0; at < open.length; at += BATCH) {
        const some = open.slice(at, at + BATCH);
        const rows = await reader.select({ table, columns: ['id'], where: oneOf('id', some), order: [] });
        const existing = new Set(rows.map((row) => row['id'] as number));
        for (const id of some) if (!existing.has(id)) lost.push({ ...references.get(id)!, id });
      }
    }
    return lost;
  }

  private add(field: FieldModel, ids: readonly Scalar[], { file, line, restored, shape }: Item): void {
    if (field.schema.onMissing === 'keep') return;
    const table = (field.many?.target ?? field.targets?.[0])?.table?.name;
    if (table === undefined) return;
    const known = this.references.get(table) ?? new Map<number, FirstReference>();
    this.references.set(table, known);
    for (const id of ids as number[]) {
      const before = known.get(id);
      if (!before || (before.restored && !restored))
        known.set(id, { file, line, field: `${shape.name}.${field.name}`, restored });
    }
  }
}
