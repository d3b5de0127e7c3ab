// The predicate of a rule for a caller, cached. Rules depend on the caller's id, roles and capabilities alone, so all
// anonymous callers share it, and all requests of one account.
import { LRUCache } from 'lru-cache';
import { ruleTimeReads } from '../../model/clock.js';
import type { Actor } from '../../model/actor.js';
import type { ResourceModel, RuleModel } from '../../model/model.js';
import type { Predicate } from '../../model/query.js';

/** What is known of all requests of one caller: the key of what depends on rules. One object for equal callers. */
export interface CallerRules {
  readonly predicates: WeakMap<RuleModel, Predicate>;
  /** What the statements that load an item ask about it, by model and kinds of operation. */
  readonly rowChecks: WeakMap<ResourceModel, Map<string, RowChecks>>;
}

/** Rules about one row, as a statement that loads it asks them. */
export interface RowChecks {
  /** Those that the row decides, each once, by the name of a column of the result. */
  readonly asked: Readonly<Record<string, Predicate>>;
  /** The column with the result of each rule. */
  readonly columns: readonly (readonly [rule: string, column: string])[];
  /** Rules with the same result for every row. */
  readonly settled: Readonly<Record<string, boolean>>;
}

/** Signed-in callers of one set of capabilities. The predicates of one take some hundred kilobytes at most. */
const MAX_CALLERS = 100;

/** By set of capabilities: importers, which have no id either, have a different set than anonymous callers. */
const bySet = new WeakMap<ReadonlySet<string>, LRUCache<string, CallerRules>>();
const byActor = new WeakMap<Actor, CallerRules>();

/** The shared part of a caller. */
export function rulesOf(actor: Actor): CallerRules {
  let rules = byActor.get(actor);
  if (rules) return rules;
  let callers = bySet.get(actor.capabilities);
  if (!callers) bySet.set(actor.capabilities, (callers = new LRUCache({ max: MAX_CALLERS })));
  const key = `${actor.id} ${JSON.stringify(actor.roles)}`;
  rules = callers.get(key);
  if (!rules) callers.set(key, (rules = { predicates: new WeakMap(), rowChecks: new WeakMap() }));
  byActor.set(actor, rules);
  return rules;
}

/** The rows that a rule permits a caller. */
export function predicateFor(rule: RuleModel, actor: Actor): Predicate {
  const { predicates } = rulesOf(actor);
  let predicate = predicates.get(rule);
  if (predicate) return predicate;
  const reads = ruleTimeReads();
  predicate = rule(actor);
  // What depends on the time is another predicate later.
  if (reads === ruleTimeReads()) predicates.set(rule, predicate);
  return predicate;
}
