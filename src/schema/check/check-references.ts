// Names inside a schema that must exist elsewhere: fields, rules, resources.
import { OPERATIONS } from '../../model/schema/schema.js';
import type { Problem } from '../../errors/problem.js';
import { targetsOf, unknownName, type DeclaredNames } from './declared-names.js';
import { rulesOfField, strayRules } from './field-rules.js';
import { problemAt, type Path } from '../load/load.js';
import { items, members, oneOrMany, record, text } from '../load/as-json.js';

/** Orderings that are not fields and need no declaration. */
const ORDERINGS = ['include', 'include_slugs', 'relevance'];

/** Maximum number of rule names in one rule once the rules that it names are expanded. */
const MAX_RULE_PARTS = 1_000;

/** Unknown names in one resource; `resources` has every resource by name. */
export function referenceProblems(known: DeclaredNames, resources: ReadonlyMap<string, DeclaredNames>): Problem[] {
  const check = new ReferenceCheck(known, resources);
  check.parent();
  check.fields();
  check.unique();
  check.checks();
  check.list();
  check.params();
  check.search();
  check.permissions();
  check.links();
  check.seeds();
  return check.problems;
}

class ReferenceCheck {
  readonly problems: Problem[] = [];

  constructor(
    private readonly own: DeclaredNames,
    private readonly resources: ReadonlyMap<string, DeclaredNames>,
  ) {}

  parent(): void {
    const parent = record(this.own.schema['parent']);
    this.resource(parent['resource'], ['parent', 'resource']);
    this.field(parent['field'], ['parent', 'field']);
    this.field(this.own.schema['key'], ['key']);
  }

  fields(): void {
    for (const [name, field] of members(this.own.schema['fields'])) {
      const path = ['fields', name];
      for (const [rest, to] of oneOrMany(record(field)['to'])) this.resource(to, [...path, 'to', ...rest]);
      this.field(record(field)['from'], [...path, 'from'], this.own.columns);
      const guard = record(record(field)['guard']);
      this.rule(guard['needs'], [...path, 'guard', 'needs']);
      for (const [rel, link] of members(guard['link']))
        this.rule(record(link)['needs'], [...path, 'guard', 'link', rel, 'needs']);
      for (const [key, meta] of members(record(field)['keys'])) {
        this.rule(record(meta)['needs'], [...path, 'keys', key, 'needs']);
      }
      this.rights(field, path);
    }
  }

  private rights(field: unknown, path: Path): void {
    for (const { rule, path: at } of rulesOfField(field, path)) this.rule(rule, at);
    const message = 'only members in "properties" of the field or of its "items" have rights';
    for (const at of strayRules(field, path))
      this.problems.push(problemAt(this.own.file, at, message, 'move the member there'));
  }

  unique(): void {
    for (const [index, group] of items(this.own.schema['unique']).entries()) {
      for (const [at, name] of items(group).entries()) this.field(name, ['unique', index, at]);
    }
  }

  checks(): void {
    for (const [index, entry] of items(this.own.schema['checks']).entries()) {
      this.rule(record(entry)['rule'], ['checks', index, 'rule']);
      for (const [at, name] of items(record(entry)['fields']).entries())
        this.field(name, ['checks', index, 'fields', at]);
    }
  }

  list(): void {
    const list = record(this.own.schema['list']);
    const orderings = new Set([...this.own.fields, ...ORDERINGS, ...Object.keys(record(list['orderings']))]);
    for (const [index, name] of items(list['orderby']).entries()) {
      this.name(name, ['list', 'orderby', index], 'ordering', orderings);
    }
    this.name(list['defaultOrderby'], ['list', 'defaultOrderby'], 'ordering', orderings);
    this.field(list['keyedBy'], ['list', 'keyedBy']);
  }

  params(): void {
    for (const group of ['params', 'itemParams', 'deleteParams']) {
      for (const [name, param] of members(this.own.schema[group])) {
        const { resource, field } = record(param);
        this.resource(resource, [group, name, 'resource']);
        // A filter may refer to a member of a field, or to the resource it goes through.
        const other = this.resources.get(text(resource) ?? '');
        if (resource !== undefined && !other?.complete) continue;
        const [first = ''] = (text(field) ?? '').split('.');
        const columns = new Set([...this.own.columns, ...(other?.columns ?? [])]);
        if (!columns.has(first)) this.field(field, [group, name, 'field'], columns);
      }
    }
  }

  search(): void {
    const search = record(this.own.schema['search']);
    const privileged = record(search['privileged']);
    for (const [index, name] of items(search['fields']).entries()) this.field(name, ['search', 'fields', index]);
    for (const [index, name] of items(privileged['fields']).entries()) {
      this.field(name, ['search', 'privileged', 'fields', index]);
    }
    this.rule(privileged['needs'], ['search', 'privileged', 'needs']);
    for (const [name, view] of members(this.own.schema['views'])) {
      this.rule(record(view)['needs'], ['views', name, 'needs']);
      for (const [index, field] of items(record(view)['fields']).entries())
        this.field(field, ['views', name, 'fields', index]);
    }
  }

  permissions(): void {
    const permissions = record(this.own.schema['permissions']);
    for (const [name, rule] of members(permissions['rules'])) this.rule(rule, ['permissions', 'rules', name]);
    for (const kind of OPERATIONS) {
      for (const [index, step] of items(permissions[kind]).entries()) {
        this.rule(record(step)['needs'], ['permissions', kind, index, 'needs']);
      }
    }
    this.ruleCircles(record(permissions['rules']));
  }

  links(): void {
    for (const [relation, written] of members(this.own.schema['links'])) {
      for (const [rest, link] of oneOrMany(written)) {
        const path = ['links', relation, ...rest];
        this.resource(record(link)['to'], [...path, 'to']);
        this.field(record(link)['id'], [...path, 'id']);
        this.linkColumns(record(link), path);
        this.rule(record(link)['needs'], [...path, 'needs']);
      }
    }
  }

  private linkColumns({ query, when, path: from }: Record<string, unknown>, path: Path): void {
    for (const [param, name] of members(query)) this.field(name, [...path, 'query', param], this.own.columns);
    this.field(when, [...path, 'when'], text(when)?.startsWith('#') ? this.own.members : this.own.columns);
    this.field(from, [...path, 'path'], this.own.columns);
  }

  seeds(): void {
    for (const [index, seed] of items(this.own.schema['seeds']).entries()) {
      for (const [name] of members(seed)) this.field(name, ['seeds', index, name], this.own.fields, 'key');
    }
  }

  private rule(rule: unknown, path: Path): void {
    const { all, any, not, is, through, rule: named, orphaned, referencedBy } = record(rule);
    if (referencedBy !== undefined) return this.referrers(record(rule), path);
    for (const [key, list] of [
      ['all', all],
      ['any', any],
    ] as const) {
      for (const [index, part] of items(list).entries()) this.rule(part, [...path, key, index]);
    }
    if (not !== undefined) this.rule(not, [...path, 'not']);
    for (const [name] of members(is)) this.field(name, [...path, 'is', name], this.own.columns, 'key');
    this.field(through, [...path, 'through']);
    this.field(orphaned, [...path, 'orphaned']);
    if (through === undefined) this.ruleName(this.own, named, [...path, 'rule']);
    else if (typeof through === 'string') {
      for (const target of targetsOf(this.own, through))
        this.ruleName(this.resources.get(target), named, [...path, 'rule']);
    }
  }

  // Fields and rules of the items that refer to this resource.
  private referrers(rule: Record<string, unknown>, path: Path): void {
    for (const [rest, written] of oneOrMany(rule['referencedBy'])) {
      const [resource = '', field = ''] = (text(written) ?? '').split('.');
      const at = [...path, 'referencedBy', ...rest];
      this.resource(resource, at);
      const other = this.resources.get(resource);
      if (!other?.complete) continue;
      const noun = `field of "${resource}"`;
      if (!other.fields.has(field))
        this.problems.push(unknownName(this.own, at, { noun, name: field, candidates: other.fields }));
      for (const [name] of members(rule['where'])) {
        if (other.columns.has(name)) continue;
        const unknown = { noun, name, candidates: other.columns, at: 'key' } as const;
        this.problems.push(unknownName(this.own, [...path, 'where', name], unknown));
      }
      this.ruleName(other, rule['rule'], [...path, 'rule']);
    }
  }

  private ruleName(owner: DeclaredNames | undefined, name: unknown, path: Path): void {
    if (!owner?.complete || typeof name !== 'string' || owner.rules.has(name)) return;
    const noun = owner === this.own ? 'rule' : `rule of "${owner.name}"`;
    this.problems.push(unknownName(this.own, path, { noun, name, candidates: owner.rules }));
  }

  // Cycles of rules cannot be evaluated.
  private ruleCircles(rules: Record<string, unknown>): void {
    const reported = new Set<string>();
    const parts = new Map<string, number>();
    const follow = (name: string, trail: string[]): number => {
      const known = parts.get(name);
      if (known !== undefined) return known;
      const start = trail.indexOf(name);
      if (start >= 0) {
        const circle = trail.slice(start);
        if (circle.some((part) => reported.has(part))) return 0;
        for (const part of circle) reported.add(part);
        const message = `rules in a circle: ${[...circle, name].join(' → ')}`;
        this.problems.push(problemAt(this.own.file, ['permissions', 'rules', name], message, undefined, 'key'));
        return 0;
      }
      const sum = ownRules(rules[name]).reduce((before, next) => before + follow(next, [...trail, name]), 1);
      if (sum > MAX_RULE_PARTS) {
        const message = `it refers to more than ${MAX_RULE_PARTS} rules, itself or through them, each counted as often as it occurs`;
        this.problems.push(problemAt(this.own.file, ['permissions', 'rules', name], message, undefined, 'key'));
      }
      parts.set(name, sum > MAX_RULE_PARTS ? 1 : sum);
      return parts.get(name)!;
    };
    for (const name of Object.keys(rules)) follow(name, []);
  }

  private resource(name: unknown, path: Path): void {
    if (typeof name !== 'string' || this.resources.has(name)) return;
    this.problems.push(unknownName(this.own, path, { noun: 'resource', name, candidates: this.resources.keys() }));
  }

  private field(name: unknown, path: Path, candidates = this.own.fields, at: 'key' | 'value' = 'value'): void {
    this.name(name, path, 'field', candidates, at);
  }

  private name(name: unknown, path: Path, noun: string, candidates: ReadonlySet<string>, at?: 'key' | 'value'): void {
    if (!this.own.complete || typeof name !== 'string' || candidates.has(name)) return;
    this.problems.push(unknownName(this.own, path, { noun, name, candidates, at }));
  }
}

function ownRules(rule: unknown): string[] {
  const { all, any, not, through, referencedBy, rule: named } = record(rule);
  const nested = [...items(all), ...items(any), not].flatMap((part) => (part === undefined ? [] : ownRules(part)));
  return typeof named === 'string' && through === undefined && referencedBy === undefined ? [...nested, named] : nested;
}
