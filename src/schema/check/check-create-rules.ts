// Comparisons in the rules for creation, which do not see the values of the new item, so that none would ever hold.
import type { ResourceSchema } from '../../model/schema/schema.js';
import { items, members, record, text } from '../load/as-json.js';
import { partsOfRule, type PlacedRule } from './written-rules.js';
import type { Report } from '../../model/option-check.js';

/** Reports every comparison in the rules of a creation, including the rules that these name. */
export function checkCreateRules({ permissions, fields }: ResourceSchema, report: Report): void {
  const rules = record(permissions?.rules);
  const visited = new Set<string>();
  const visit = (placed: PlacedRule): void => {
    for (const { rule, path } of partsOfRule(placed)) {
      const { is, rule: name, through, referencedBy } = record(rule);
      const named = through === undefined && referencedBy === undefined ? text(name) : undefined;
      if (named !== undefined && !visited.has(named)) {
        visited.add(named);
        visit({ rule: rules[named], path: ['permissions', 'rules', named] });
      }
      for (const [field, wanted] of members(is)) {
        if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) continue;
        report(
          [...path, 'is', field],
          'this is checked when an item is created, and is never true then: rules cannot see the values of a new item',
          'say what the values must be in "checks", and who may create in the rule "create"',
        );
      }
    }
  };
  visited.add('create');
  visit({ rule: rules['create'], path: ['permissions', 'rules', 'create'] });
  for (const [index, step] of items(permissions?.create).entries())
    visit({ rule: record(step)['needs'], path: ['permissions', 'create', index, 'needs'] });
  for (const [name, { guard }] of Object.entries(fields)) {
    if (guard?.error === undefined || guard.on === 'update') continue;
    visit({ rule: guard.needs, path: ['fields', name, 'guard', 'needs'] });
  }
}
