// The predicate of a rule for a caller, cached. Rules depend on the caller's id and capabilities alone, so all
// anonymous callers share it.
import type { Actor } from '../model/actor.js';
import type { RuleModel } from '../model/model.js';
import type { Predicate } from '../model/query.js';

/** By set of capabilities: importers, which have no id either, have a different set. */
const anonymous = new WeakMap<ReadonlySet<string>, WeakMap<RuleModel, Predicate>>();

/** The rows that a rule permits a caller. */
export function predicateFor(rule: RuleModel, actor: Actor): Predicate {
  if (actor.id > 0) return rule(actor);
  let known = anonymous.get(actor.capabilities);
  if (!known) anonymous.set(actor.capabilities, (known = new WeakMap()));
  let predicate = known.get(rule);
  if (!predicate) known.set(rule, (predicate = rule(actor)));
  return predicate;
}
