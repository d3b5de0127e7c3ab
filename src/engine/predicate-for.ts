// What a rule means for a caller. Rules look at nothing but his id and capabilities, so all callers without an account share one answer.
import type { Actor } from '../model/actor.js';
import type { RuleModel } from '../model/model.js';
import type { Predicate } from '../model/query.js';

/** By the set of capabilities: importers, who have no id either, have one of their own. */
const anonymous = new WeakMap<ReadonlySet<string>, WeakMap<RuleModel, Predicate>>();

/** The rows that a rule gives a caller. */
export function predicateFor(rule: RuleModel, actor: Actor): Predicate {
  if (actor.id > 0) return rule(actor);
  let known = anonymous.get(actor.capabilities);
  if (!known) anonymous.set(actor.capabilities, (known = new WeakMap()));
  let predicate = known.get(rule);
  if (!predicate) known.set(rule, (predicate = rule(actor)));
  return predicate;
}
