// The predicate of a rule for a caller, cached. Rules depend on the caller's id, roles and capabilities alone, so all
// anonymous callers share it, and all requests of one account.
import { LRUCache } from 'lru-cache';
import { ruleTimeReads } from '../../model/runtime/clock.js';
import type { Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { RuleModel } from '../../model/permissions.js';
import { and, TRUE, type Predicate } from '../../model/query.js';
import { foldConstants } from './fold-constants.js';

/** What all requests of one caller share, and the key of caches that depend on rules. One object for equal callers. */
export interface CallerRules {
  readonly predicates: WeakMap<RuleModel, Predicate>;
  /** The rules that statements which load an item evaluate, by model and kinds of operation. */
  readonly rowChecks: WeakMap<ResourceModel, Map<string, RowChecks>>;
}

/** Rules about one row, as a statement that loads it evaluates them. */
export interface RowChecks {
  /** Those that the row decides, each once, by the name of a column of the result. */
  readonly predicates: Readonly<Record<string, Predicate>>;
  /** The column with the result of each rule. */
  readonly columns: readonly (readonly [rule: string, column: string])[];
  /** Rules with the same result for every row. */
  readonly settled: Readonly<Record<string, boolean>>;
}

/** Signed-in callers of one set of capabilities. The predicates of one take some hundred kilobytes at most. */
const MAX_CALLERS = 100;

/** Callers with one set of capabilities; consecutive requests are mostly of the last one. */
interface Callers {
  readonly known: LRUCache<string, CallerRules>;
  last: { id: number; roles: readonly string[]; rules: CallerRules } | undefined;
}

/** By set of capabilities: importers, which have no id either, have a different set than anonymous callers. */
const bySet = new WeakMap<ReadonlySet<string>, Callers>();

/** The shared part of a caller. */
export function rulesOf({ id, roles, capabilities }: Actor): CallerRules {
  let callers = bySet.get(capabilities);
  if (!callers) bySet.set(capabilities, (callers = { known: new LRUCache({ max: MAX_CALLERS }), last: undefined }));
  const { known, last } = callers;
  if (last?.id === id && last.roles === roles) return last.rules;
  const key = `${id} ${JSON.stringify(roles)}`;
  let rules = known.get(key);
  if (!rules) known.set(key, (rules = { predicates: new WeakMap(), rowChecks: new WeakMap() }));
  callers.last = { id, roles, rules };
  return rules;
}

/** The rows that a rule permits a caller. */
export function predicateFor(rule: RuleModel, actor: Actor): Predicate {
  const { predicates } = rulesOf(actor);
  let predicate = predicates.get(rule);
  if (predicate) return predicate;
  const reads = ruleTimeReads();
  predicate = rule(actor);
  // Depends on the time: not cached.
  if (reads !== ruleTimeReads()) return predicate;
  predicate = foldConstants(predicate);
  predicates.set(rule, predicate);
  return predicate;
}

/** Items of a resource that a caller may read, with the additional conditions of its traits. */
export function readable(model: ResourceModel, actor: Actor): Predicate {
  const read = model.rules.get('read');
  const traitConditions = Object.values(model.faces.asked?.(actor) ?? {});
  return and(read ? predicateFor(read, actor) : TRUE, ...traitConditions);
}
