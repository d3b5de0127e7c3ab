// Visibility of the target of a reference: items that refer to it are shown only where it is.
import type { Actor } from '../../model/actor.js';
import type { Operation } from '../../model/operation.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, or, TRUE, type Predicate, type Row } from '../../model/query.js';
import { opensItem } from './item-password.js';

/** Rules of a target that hold where it is visible. */
const VISIBLE = ['read', 'open'];

/** Conditions under which the target of one reference is visible, and opened by its password. */
export class Target {
  /** Column with the id of the target. */
  readonly column: string;
  readonly table: string;
  /** Column with the passwords of targets; undefined when none may have one. */
  private readonly password: string | undefined;
  private readonly models: readonly ResourceModel[];

  constructor(model: ResourceModel, reference: string) {
    const field = model.fields.get(reference);
    const table = field?.targets?.[0]?.table;
    if (!field?.column || !table)
      throw new Error(`"${reference}" of ${model.name} is not a reference to a stored resource`);
    this.column = field.column;
    this.table = table.name;
    this.models = field.targets!;
    this.password = this.models.find((each) => each.faces.password)?.faces.password!.column;
  }

  /** Rows of the table that the reference may lead to. */
  get kinds(): Predicate {
    return or(...this.models.map((target) => target.rowScope));
  }

  /** Rows that a caller may read and whose password, if any, the caller does not need. */
  visible(actor: Actor): Predicate {
    return this.allowing(actor, VISIBLE);
  }

  /** Rows that a caller may read, apart from passwords. */
  readable(actor: Actor): Predicate {
    return this.allowing(actor, ['read']);
  }

  /** Rows of this resource that refer to a target visible to the caller, or to none. */
  below(actor: Actor): Predicate {
    return or(equals(this.column, 0), this.leads(this.visible(actor)));
  }

  /** Rows of this resource that refer to a target of a condition. */
  leads(targets: Predicate): Predicate {
    return { op: 'exists', table: this.table, outer: this.column, inner: 'id', where: and(this.kinds, targets) };
  }

  /** Whether a condition on rows of this resource holds only in rows whose target the caller sees. */
  decides(where: Predicate, actor: Actor): boolean {
    if (where.op === 'or') return where.of.every((part) => this.decides(part, actor));
    const parts = new Set((where.op === 'and' ? where.of : [where]).map((part) => JSON.stringify(part)));
    const asked = VISIBLE.filter((rule) => this.models.some((each) => each.rules.has(rule)));
    return where.op === 'false' || asked.every((rule) => parts.has(JSON.stringify(this.through(rule, actor))));
  }

  /** The target with this id; with 0/1 results of `checks`. */
  async load(
    id: number,
    fields: readonly string[],
    op: Operation,
    checks: Record<string, Predicate> = {},
  ): Promise<Row | undefined> {
    if (!(id > 0)) return undefined;
    return op.store.first(this.table, ['id', ...this.columnsOf(fields)], and(equals('id', id), this.kinds), checks);
  }

  /** Whether a password opens a target that the caller may otherwise read. */
  async opens(id: number, given: unknown, op: Operation): Promise<boolean> {
    if (this.password === undefined || typeof given !== 'string' || given === '') return false;
    const row = await this.load(id, [this.password], op, { readable: this.readable(op.actor) });
    const stored = String(row?.[this.password] ?? '');
    if (!row?.['readable'] || stored === '') return false;
    return opensItem(op, { table: this.table, id }, given, stored);
  }

  /** The resource that a loaded row belongs to. */
  modelOf(row: Row): ResourceModel | undefined {
    return this.models.find((each) =>
      Object.entries(each.discriminator).every(([column, value]) => row[column] === value),
    );
  }

  /** Column of a field that the resources have in common. */
  columnOf(field: string): string | undefined {
    return this.models.find((each) => each.fields.get(field)?.column)?.fields.get(field)?.column;
  }

  /** Discriminator columns of the resources. */
  get discriminators(): string[] {
    return [...new Set(this.models.flatMap((each) => Object.keys(each.discriminator)))];
  }

  private columnsOf(fields: readonly string[]): string[] {
    const columns = fields.map((field) => this.columnOf(field)).filter((column) => column !== undefined);
    return [...new Set([...columns, ...this.discriminators])];
  }

  /** The condition that a rule `through` the reference makes. */
  private through(rule: string, actor: Actor): Predicate {
    return { op: 'exists', table: this.table, outer: this.column, inner: 'id', where: this.allowing(actor, [rule]) };
  }

  // A resource without the rule is not restricted by it.
  private allowing(actor: Actor, rules: readonly string[]): Predicate {
    return or(
      ...this.models.map((each) => and(each.rowScope, ...rules.map((rule) => each.rules.get(rule)?.(actor) ?? TRUE))),
    );
  }
}
