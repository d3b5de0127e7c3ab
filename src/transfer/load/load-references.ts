// Checks that referenced items exist: on the site, or among the items to load.
import { targetsOfColumn } from '../../model/functions/targets-of-column.js';
import type { ResourceModel } from '../../model/model.js';
import { and, oneOf, or } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Reader } from '../../model/store.js';
import type { Shape } from '../dump/dump-shape.js';
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

/** The resources that a field refers to, which are in one table, and the ids. */
interface Referenced {
  targets: readonly ResourceModel[];
  ids: Map<number, FirstReference>;
}

/** Ids that are about to be loaded, by table, with the shapes of their lines. */
export type LoadedIds = ReadonlyMap<string, ReadonlyMap<number, Shape>>;

/** Collects the references of items and finds dangling ones. */
export class References {
  /** By the names of the resources that are referred to. */
  private readonly references = new Map<string, Referenced>();
  private readonly ofField = new Map<FieldModel, Referenced | undefined>();

  /** Records the references of an item. */
  note(item: Item): void {
    for (const { field } of item.shape.fields.values()) {
      const id = field?.column && field.targets ? item.row[field.column] : undefined;
      if (id) this.add(field!, [id], item);
    }
    for (const [field, values] of item.many) if (field.many!.target) this.add(field, values, item);
  }

  /** Dangling references, with the names of the resources that the id should be of. */
  async dangling(loaded: LoadedIds, reader: Reader): Promise<(FirstReference & { id: number; of: string })[]> {
    const lost: (FirstReference & { id: number; of: string })[] = [];
    for (const { targets, ids } of this.references.values()) {
      const table = targets[0]!.table!.name;
      const coming = loaded.get(table);
      const open = [...ids.keys()].filter((id) => !isAmong(targets, coming?.get(id)));
      const kinds = or(...targets.map(({ rowScope }) => rowScope));
      const of = [...new Set(targets.map(({ name }) => name))].join(' or ');
      for (let at = 0; at < open.length; at += BATCH) {
        const some = open.slice(at, at + BATCH);
        const where = and(oneOf('id', some), kinds);
        const rows = await reader.select({ table, columns: ['id'], where, order: [] });
        const existing = new Set(rows.map((row) => row['id'] as number));
        for (const id of some) if (!existing.has(id)) lost.push({ ...ids.get(id)!, id, of });
      }
    }
    return lost;
  }

  private add(field: FieldModel, ids: readonly Scalar[], { file, line, restored, shape }: Item): void {
    if (!this.ofField.has(field)) this.ofField.set(field, this.referencedBy(field, shape.model!));
    const known = this.ofField.get(field)?.ids;
    if (!known) return;
    for (const id of ids as number[]) {
      const before = known.get(id);
      if (!before || (before.restored && !restored))
        known.set(id, { file, line, field: `${shape.name}.${field.name}`, restored });
    }
  }

  /** What a field refers to; undefined where its ids are not checked. */
  private referencedBy(field: FieldModel, model: ResourceModel): Referenced | undefined {
    const all = field.many ? [field.many.target!] : targetsOfColumn(model, field.column!);
    const targets = all.filter(({ table }) => table);
    if (field.schema.onMissing === 'keep' || targets.length === 0) return undefined;
    const names = targets.map(({ name }) => name).join();
    const known = this.references.get(names) ?? { targets, ids: new Map<number, FirstReference>() };
    this.references.set(names, known);
    return known;
  }
}

/** Whether a line is an item of one of these resources. */
function isAmong(targets: readonly ResourceModel[], shape: Shape | undefined): boolean {
  if (!shape) return false;
  const { constants } = shape;
  return targets.some(({ discriminator }) =>
    Object.entries(discriminator).every(([column, value]) => !(column in constants) || constants[column] === value),
  );
}
