// The item that a reference leads to, as far as seeing it goes. Made at boot by the traits guarded and moderated.
import type { Actor } from '../../model/actor.js';
import type { Operation } from '../../model/operation.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, or, TRUE, type Predicate, type Row } from '../../model/query.js';
import { samePassword } from '../protected.trait.js';

/** Column of the trait `protected`. */
const PASSWORD = 'password';

export class Target {
  /** Our column with the id of the item. */
  readonly column: string;
  readonly table: string;
  /** Whether some of the items may have a password. */
  readonly protects: boolean;
  private readonly models: readonly ResourceModel[];

  constructor(model: ResourceModel, reference: string) {
    const field = model.fields.get(reference);
    const table = field?.targets?.[0]?.table;
    if (!field?.column || !table)
      throw new Error(`"${reference}" of ${model.name} is no reference to a stored resource`);
    this.column = field.column;
    this.table = table.name;
    this.models = field.targets!;
    this.protects = this.models.some((each) => each.traits.has('protected'));
  }

  /** Rows of the table that the reference may lead to. */
  get kinds(): Predicate {
    return or(...this.models.map(kindOf));
  }

  /** Rows that a caller may read and whose password, if any, does not concern him. */
  visible(actor: Actor): Predicate {
    return this.allowing(actor, ['read', 'open']);
  }

  /** Rows that a caller may read, passwords aside. */
  readable(actor: Actor): Predicate {
    return this.allowing(actor, ['read']);
  }

  /** Our rows that refer to an item visible to a caller, or to none. */
  below(actor: Actor): Predicate {
    const where = and(this.kinds, this.visible(actor));
    return or(equals(this.column, 0), { op: 'exists', table: this.table, outer: this.column, inner: 'id', where });
  }

  /** The item with this id; with 0/1 answers to `checks`. */
  async load(
    id: number,
    fields: readonly string[],
    op: Operation,
    checks: Record<string, Predicate> = {},
  ): Promise<Row | undefined> {
    if (!(id > 0)) return undefined;
    return op.store.first(this.table, ['id', ...this.columnsOf(fields)], and(equals('id', id), this.kinds), checks);
  }

  /** Whether a password opens an item that the caller could read without it being protected. */
  async opens(id: number, given: unknown, op: Operation): Promise<boolean> {
    if (!this.protects || typeof given !== 'string' || given === '') return false;
    const row = await this.load(id, [PASSWORD], op, { readable: this.readable(op.actor) });
    const stored = String(row?.[PASSWORD] ?? '');
    return Boolean(row?.['readable']) && stored !== '' && samePassword(given, stored);
  }

  /** The resource a loaded row belongs to. */
  modelOf(row: Row): ResourceModel | undefined {
    return this.models.find((each) =>
      Object.entries(each.discriminator).every(([column, value]) => row[column] === value),
    );
  }

  /** Column of a field that the resources have in common. */
  columnOf(field: string): string | undefined {
    return this.models.find((each) => each.fields.get(field)?.column)?.fields.get(field)?.column;
  }

  /** Constant columns that tell the resources apart. */
  get constants(): string[] {
    return [...new Set(this.models.flatMap((each) => Object.keys(each.discriminator)))];
  }

  private columnsOf(fields: readonly string[]): string[] {
    const columns = fields.map((field) => this.columnOf(field)).filter((column) => column !== undefined);
    return [...new Set([...columns, ...this.constants])];
  }

  // A resource without the rule has nothing to hide by it.
  private allowing(actor: Actor, rules: readonly string[]): Predicate {
    return or(
      ...this.models.map((each) => and(kindOf(each), ...rules.map((rule) => each.rules.get(rule)?.(actor) ?? TRUE))),
    );
  }
}

function kindOf(model: ResourceModel): Predicate {
  return and(...Object.entries(model.discriminator).map(([column, value]) => equals(column, value)));
}
