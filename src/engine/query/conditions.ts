// Turns the conditions of a request into a predicate. Each holds only in rows in which the caller may read the field, and
// behind references only for items that the caller may read.
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { inScope } from '../../model/actor.js';
import { ruleTime } from '../../model/runtime/clock.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, FALSE, or, type Predicate } from '../../model/query.js';
import { isConditions, QUERY_LIMITS, SHORTHANDS, type QueryField } from '../../model/query-language.js';
import { predicateFor, readable } from '../rights/predicate-for.js';
import { queryableField, unknownField, wrong } from './query-errors.js';
import { isFixedTime, offsetOf } from '../../model/functions/relative-time.js';

/** The operation that a credential's scope must include for conditions on referenced items. */
const LIST = 'list';
/** The id of callers who have not signed in: no item has it, and no reference leads to it, as 0 leads to nothing. */
const ANONYMOUS_ID = -1;
/** Operators of values sent without one. */
const [EQUAL, ONE_OF] = SHORTHANDS;

/** Where a condition is in a request. */
interface Place {
  model: ResourceModel;
  /** As it was sent: `or[0][author]`; empty for the request as a whole. */
  path: string;
  groups: number;
  references: number;
}

/** A field that no index serves, with the condition that names it. */
interface Unindexed {
  model: ResourceModel;
  field: QueryField;
  path: string;
}

/**
 * The condition of a request.
 * @throws ResourceError 400 for unknown fields and operators, values that do not fit, and what is beyond a limit
 */
export function conditionsOf(op: Operation, sent: Readonly<Record<string, unknown>>): Predicate | Promise<Predicate> {
  const reader = new ConditionReader(op);
  const predicate = reader.all(sent, { model: op.model, path: '', groups: 0, references: 0 });
  if (reader.unindexed.length === 0) return predicate;
  return requireFew(op, reader.unindexed).then(() => predicate);
}

/**
 * The condition of a saved query. It was checked with the schema, so that it needs no index and has no limits;
 * conditions on fields that the caller may not read hold in no row.
 */
export function savedConditions(op: Operation, where: Readonly<Record<string, unknown>>): Predicate {
  return new ConditionReader(op, true).all(where, { model: op.model, path: '', groups: 0, references: 0 });
}

class ConditionReader {
  readonly unindexed: Unindexed[] = [];
  private count = 0;

  constructor(
    private readonly op: Operation,
    private readonly isSaved = false,
  ) {}

  /** All members of an object hold. */
  all(sent: Readonly<Record<string, unknown>>, place: Place): Predicate {
    const parts = Object.entries(sent).map(([name, value]) => {
      const path = place.path === '' ? name : `${place.path}[${name}]`;
      refuseDeep(value, path);
      const isGroup = (name === 'or' || name === 'and') && !place.model.query!.fields.has(name);
      return isGroup ? this.group(name, value, { ...place, path }) : this.member(name, value, { ...place, path });
    });
    return and(...parts);
  }

  private group(word: 'or' | 'and', value: unknown, place: Place): Predicate {
    const { path, groups } = place;
    if (groups >= QUERY_LIMITS.groups && !this.isSaved)
      throw wrong(path, 'rest_out_of_bounds', `lies within more than ${QUERY_LIMITS.groups} groups.`);
    const parts = Array.isArray(value) ? value : isNumbered(value) ? Object.values(value) : undefined;
    if (!parts || parts.length === 0 || !parts.every(isConditions))
      throw wrong(path, 'rest_invalid_type', `is a list of conditions, such as ${path}[0][id][eq]=1.`);
    const conditions = parts.map((part, at) =>
      this.all(part, { ...place, path: `${path}[${at}]`, groups: groups + 1 }),
    );
    return word === 'or' ? or(...conditions) : and(...conditions);
  }

  private member(name: string, value: unknown, place: Place): Predicate {
    const { model, path } = place;
    const field = this.isSaved ? model.query!.fields.get(name) : queryableField(model, name, this.op.actor);
    if (!field) throw unknownField(path, model, this.op.actor);
    const plain = Array.isArray(value) ? ONE_OF : typeof value === 'object' ? undefined : EQUAL;
    if (plain) return this.withGuard(field, this.condition(field, plain, value, place));
    if (typeof value !== 'object' || value === null)
      throw wrong(path, 'rest_invalid_type', `needs an operator, such as ${path}[eq].`);
    const members = Object.entries(value as object);
    const own = members.filter(([word]) => this.isOperator(field, word));
    const behind = members.filter(([word]) => !this.isOperator(field, word));
    if (behind.length > 0 && !field.targets) throw this.unknownOperator(field, behind[0]![0], place);
    const parts = own.map(([word, operand]) =>
      this.condition(field, word, operand, { ...place, path: `${path}[${word}]` }),
    );
    if (behind.length > 0) parts.push(this.behind(field, Object.fromEntries(behind), place));
    return this.withGuard(field, and(...parts));
  }

  private isOperator({ operators, missing }: QueryField, word: string): boolean {
    return operators.has(word) || missing.has(word);
  }

  private condition(field: QueryField, word: string, operand: unknown, { model, path }: Place): Predicate {
    const needed = field.missing.get(word);
    if (needed !== undefined)
      throw wrong(path, 'rest_invalid_param', `needs ${needed} at the field "${field.field.name}" of the schema.`);
    const operator = field.operators.get(word);
    if (!operator) throw this.unknownOperator(field, word, { model, path, groups: 0, references: 0 });
    if (++this.count > QUERY_LIMITS.conditions && !this.isSaved)
      throw wrong(path, 'rest_too_many_items', `is one condition too many: ${QUERY_LIMITS.conditions} are allowed.`);
    refuseDeep(operand, path);
    const checked = operator.rule(this.isSaved ? this.resolvePlaceholders(field, operand) : operand, path);
    if ('issue' in checked) throw invalidParams([{ ...checked.issue, param: path }]);
    if (!field.indexed && operator.prepared !== true) this.unindexed.push({ model, field, path });
    return operator.condition(checked.value, this.op, path);
  }

  /** The value of an operand of a saved condition, which may be a placeholder or a list with placeholders. */
  private resolvePlaceholders(field: QueryField, operand: unknown): unknown {
    if (Array.isArray(operand)) return operand.map((value) => this.resolvePlaceholders(field, value));
    if (operand === '$me') return this.op.actor.id || ANONYMOUS_ID;
    return isFixedTime(operand) ? field.moment!(ruleTime() + offsetOf(operand), this.op) : operand;
  }

  private unknownOperator(field: QueryField, word: string, { path }: Place): ResourceError {
    const names = [...field.operators.keys(), ...field.missing.keys()];
    const reached = field.targets ? `, or a field of ${field.targets.map(({ name }) => name).join(' or ')}` : '';
    const at = path.endsWith(`[${word}]`) ? path : `${path}[${word}]`;
    const isNested = !field.targets && field.field.targets?.some(({ parent }) => parent);
    const nested = isNested
      ? ' It leads to items of a nested resource, whose fields only a parameter can filter by.'
      : '';
    const reason = `is not an operator of this field. Allowed: ${names.join(', ')}${reached}.${nested}`;
    return wrong(at, 'rest_not_in_enum', reason);
  }

  /** Items that the reference leads to: those that the caller may read, and for which the conditions hold. */
  private behind({ field, targets }: QueryField, sent: Record<string, unknown>, place: Place): Predicate {
    const references = place.references + 1;
    if (references > QUERY_LIMITS.references && !this.isSaved)
      throw wrong(place.path, 'rest_out_of_bounds', `lies behind more than ${QUERY_LIMITS.references} references.`);
    const reached: Predicate[] = [];
    let refused: unknown;
    for (const model of targets!.filter(({ query, path }) => query && inScope(this.op.actor, path, LIST))) {
      const [before, unindexed] = [this.count, this.unindexed.length];
      try {
        const where = this.all(sent, { ...place, model, references });
        reached.push(and(model.rowScope, readable(model, this.op.actor), where));
      } catch (error) {
        if (!(error instanceof ResourceError)) throw error;
        // Another resource that it refers to may have the field.
        this.count = before;
        this.unindexed.length = unindexed;
        refused ??= error;
      }
    }
    // Of a saved query, what the scope of the caller leaves out is not readable.
    if (reached.length === 0 && this.isSaved && !refused) return FALSE;
    if (reached.length === 0) throw refused ?? this.noConditions(place);
    const table = targets![0]!.table!.name;
    const item = { op: 'exists', table, inner: 'id', where: or(...reached) } as const;
    if (!field.many) return { ...item, outer: field.column! };
    const where: Predicate = { ...item, outer: field.many.value };
    return { op: 'exists', table: field.many.table, outer: 'id', inner: 'owner_id', where };
  }

  private noConditions({ path }: Place): ResourceError {
    return wrong(path, 'rest_invalid_param', 'refers to items that take no conditions.');
  }

  private withGuard({ guard }: QueryField, condition: Predicate): Predicate {
    return guard ? and(predicateFor(guard, this.op.actor), condition) : condition;
  }
}

/**
 * Rejects conditions without an index where the caller may read many rows. Rows that they may not read do not count:
 * whether a condition is accepted must not reveal their number.
 */
async function requireFew(op: Operation, unindexed: readonly Unindexed[]): Promise<void> {
  const seen = new Set<ResourceModel>();
  for (const { model, field, path } of unindexed) {
    if (seen.has(model)) continue;
    seen.add(model);
    const rows = await op.store.count(model.table!.name, and(model.rowScope, readable(model, op.actor)));
    if (rows <= QUERY_LIMITS.unindexedRows) continue;
    const { name } = field.field;
    const remedy = `add "index": true to the field "${name}" of the schema "${model.name}", or its name to "scan" of "query" in "list"`;
    throw wrong(path, 'rest_invalid_param', `would read every item, because no index serves it: ${remedy}.`);
  }
}

/** The parser leaves what lies within too many brackets in one name, such as `[in][]`. */
function refuseDeep(value: unknown, path: string): void {
  if (isConditions(value) && Object.keys(value).some((name) => name.startsWith('[')))
    throw wrong(path, 'rest_out_of_bounds', 'is nested too deeply.');
}

function isNumbered(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^\d+$/.test(key));
}
