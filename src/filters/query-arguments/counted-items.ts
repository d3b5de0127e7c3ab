// Items of another resource that refer to the item, to order by their number.
import { inScope } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, FALSE, type Referring } from '../../model/query.js';
import type { ArgumentReport } from './query-argument.js';

/** Those that count for the caller of an operation; none outside the scope of the caller's credential. */
export type CountedItems = (op: Operation) => Referring;

/** The items that `{count, by, rules}` names; reports problems. */
export function countedItems(
  written: Record<string, unknown>,
  { site, name }: ResourceModel,
  report: ArgumentReport,
): CountedItems | undefined {
  const { count, by, rules = [], ...others } = written;
  for (const key of Object.keys(others)) report(`.${key}`, 'unknown key; there are: count, by, rules');
  const of = typeof count === 'string' ? site.byName.get(count) : undefined;
  const table = of?.table?.name;
  if (!of || table === undefined) {
    report('.count', `there is no stored resource "${String(count)}"`);
    return undefined;
  }
  const field = typeof by === 'string' ? of.fields.get(by) : undefined;
  const inner = field?.column;
  if (inner === undefined || !field?.targets?.some((target) => target.name === name)) {
    report('.by', `must name a field of "${of.name}" that refers to "${name}"; "${String(by)}" is none`);
    return undefined;
  }
  const compiled = [rules].flat().flatMap((rule, at) => {
    const found = typeof rule === 'string' ? of.rules.get(rule) : undefined;
    if (!found) report(`.rules.${at}`, `"${of.name}" has no rule "${String(rule)}"`);
    return found ?? [];
  });
  return ({ actor }) => ({
    table,
    inner,
    where: inScope(actor, of.path, 'list') ? and(of.rowScope, ...compiled.map((rule) => rule(actor))) : FALSE,
  });
}
