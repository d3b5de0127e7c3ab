import { targetsOf, unknownName } from './known.js';
import { problemAt } from './load.js';
import { items, members, oneOrMany, record, text } from './loose.js';
/** Orderings that are no fields and need no declaration. */
const ORDERINGS = ['include', 'include_slugs', 'relevance'];
const STEPS = ['list', 'retrieve', 'create', 'update', 'delete'];
/** Unknown names in one resource; `resources` holds every resource by name. */
export function referenceProblems(known, resources) {
    const check = new ReferenceCheck(known, resources);
    check.parent();
    check.fields();
    check.list();
    check.params();
    check.search();
    check.permissions();
    check.links();
    check.seeds();
    return check.problems;
}
class ReferenceCheck {
    own;
    resources;
    problems = [];
    constructor(own, resources) {
        this.own = own;
        this.resources = resources;
    }
    parent() {
        const parent = record(this.own.schema['parent']);
        this.resource(parent['resource'], ['parent', 'resource']);
        this.field(parent['field'], ['parent', 'field']);
        this.field(this.own.schema['key'], ['key']);
    }
    fields() {
        for (const [name, field] of members(this.own.schema['fields'])) {
            const path = ['fields', name];
            for (const [rest, to] of oneOrMany(record(field)['to']))
                this.resource(to, [...path, 'to', ...rest]);
            this.field(record(field)['from'], [...path, 'from'], this.own.columns);
            for (const [key, meta] of members(record(field)['keys'])) {
                this.rule(record(meta)['needs'], [...path, 'keys', key, 'needs']);
            }
        }
    }
    list() {
        const list = record(this.own.schema['list']);
        const orderings = new Set([...this.own.fields, ...ORDERINGS, ...Object.keys(record(list['orderings']))]);
        for (const [index, name] of items(list['orderby']).entries()) {
            this.name(name, ['list', 'orderby', index], 'ordering', orderings);
        }
        this.name(list['defaultOrderby'], ['list', 'defaultOrderby'], 'ordering', orderings);
        this.field(list['keyedBy'], ['list', 'keyedBy']);
    }
    params() {
        for (const group of ['params', 'itemParams', 'deleteParams']) {
            for (const [name, param] of members(this.own.schema[group])) {
                const { resource, field } = record(param);
                this.resource(resource, [group, name, 'resource']);
                // A filter may look at a member of a field, or at the resource it goes through.
                const other = this.resources.get(text(resource) ?? '');
                if (resource !== undefined && !other?.complete)
                    continue;
                const [first = ''] = (text(field) ?? '').split('.');
                const columns = new Set([...this.own.columns, ...(other?.columns ?? [])]);
                if (!columns.has(first))
                    this.field(field, [group, name, 'field'], columns);
            }
        }
    }
    search() {
        const search = record(this.own.schema['search']);
        const privileged = record(search['privileged']);
        for (const [index, name] of items(search['fields']).entries())
            this.field(name, ['search', 'fields', index]);
        for (const [index, name] of items(privileged['fields']).entries()) {
            this.field(name, ['search', 'privileged', 'fields', index]);
        }
        this.rule(privileged['needs'], ['search', 'privileged', 'needs']);
    }
    permissions() {
        const permissions = record(this.own.schema['permissions']);
        for (const [name, rule] of members(permissions['rules']))
            this.rule(rule, ['permissions', 'rules', name]);
        for (const kind of STEPS) {
            for (const [index, step] of items(permissions[kind]).entries()) {
                this.rule(record(step)['needs'], ['permissions', kind, index, 'needs']);
            }
        }
        this.ruleCircles(record(permissions['rules']));
    }
    links() {
        for (const [relation, written] of members(this.own.schema['links'])) {
            for (const [rest, link] of oneOrMany(written)) {
                const path = ['links', relation, ...rest];
                this.resource(record(link)['to'], [...path, 'to']);
                this.field(record(link)['id'], [...path, 'id']);
                this.rule(record(link)['needs'], [...path, 'needs']);
            }
        }
    }
    seeds() {
        for (const [index, seed] of items(this.own.schema['seeds']).entries()) {
            for (const [name] of members(seed))
                this.field(name, ['seeds', index, name], this.own.fields, 'key');
        }
    }
    rule(rule, path) {
        const { all, any, not, is, through, rule: named, dangling, referencedBy } = record(rule);
        if (referencedBy !== undefined)
            return this.referrers(record(rule), path);
        for (const [key, list] of [
            ['all', all],
            ['any', any],
        ]) {
            for (const [index, part] of items(list).entries())
                this.rule(part, [...path, key, index]);
        }
        if (not !== undefined)
            this.rule(not, [...path, 'not']);
        for (const [name] of members(is))
            this.field(name, [...path, 'is', name], this.own.columns, 'key');
        this.field(through, [...path, 'through']);
        this.field(dangling, [...path, 'dangling']);
        if (through === undefined)
            this.ruleName(this.own, named, [...path, 'rule']);
        else if (typeof through === 'string') {
            for (const target of targetsOf(this.own, through))
                this.ruleName(this.resources.get(target), named, [...path, 'rule']);
        }
    }
    // Fields and rules of the items that refer to ours.
    referrers(rule, path) {
        for (const [rest, written] of oneOrMany(rule['referencedBy'])) {
            const [resource = '', field = ''] = (text(written) ?? '').split('.');
            const at = [...path, 'referencedBy', ...rest];
            this.resource(resource, at);
            const other = this.resources.get(resource);
            if (!other?.complete)
                continue;
            const noun = `field of "${resource}"`;
            if (!other.fields.has(field))
                this.problems.push(unknownName(this.own, at, noun, field, other.fields));
            for (const [name] of members(rule['where'])) {
                if (other.columns.has(name))
                    continue;
                this.problems.push(unknownName(this.own, [...path, 'where', name], noun, name, other.columns, 'key'));
            }
            this.ruleName(other, rule['rule'], [...path, 'rule']);
        }
    }
    ruleName(owner, name, path) {
        if (!owner?.complete || typeof name !== 'string' || owner.rules.has(name))
            return;
        const noun = owner === this.own ? 'rule' : `rule of "${owner.name}"`;
        this.problems.push(unknownName(this.own, path, noun, name, owner.rules));
    }
    // Rules that name each other would never come to an answer.
    ruleCircles(rules) {
        const reported = new Set();
        const follow = (name, trail) => {
            const start = trail.indexOf(name);
            if (start >= 0) {
                const circle = trail.slice(start);
                if (circle.some((part) => reported.has(part)))
                    return;
                for (const part of circle)
                    reported.add(part);
                const message = `rules in a circle: ${[...circle, name].join(' → ')}`;
                this.problems.push(problemAt(this.own.file, ['permissions', 'rules', name], message, undefined, 'key'));
                return;
            }
            for (const next of ownRules(rules[name]))
                follow(next, [...trail, name]);
        };
        for (const name of Object.keys(rules))
            follow(name, []);
    }
    resource(name, path) {
        if (typeof name !== 'string' || this.resources.has(name))
            return;
        this.problems.push(unknownName(this.own, path, 'resource', name, this.resources.keys()));
    }
    field(name, path, candidates = this.own.fields, at = 'value') {
        this.name(name, path, 'field', candidates, at);
    }
    name(name, path, noun, candidates, at) {
        if (!this.own.complete || typeof name !== 'string' || candidates.has(name))
            return;
        this.problems.push(unknownName(this.own, path, noun, name, candidates, at));
    }
}
function ownRules(rule) {
    const { all, any, not, through, referencedBy, rule: named } = record(rule);
    const nested = [...items(all), ...items(any), not].flatMap((part) => (part === undefined ? [] : ownRules(part)));
    return typeof named === 'string' && through === undefined && referencedBy === undefined ? [...nested, named] : nested;
}
