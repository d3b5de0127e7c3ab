// Compiles the rules `read` and `write` of fields and of their members, and finds the fields that show values of others.
import type { ResourceModel } from '../../model/model.js';
import type { RightModel, RightsModel, RuleModel } from '../../model/permissions.js';
import { and, TRUE } from '../../model/query.js';
import { fieldsOfColumn } from '../../model/functions/readers.js';
import type { Draftable } from './compile-resource.js';
import { compileRuleSchema, compileWriters } from './compile-rule.js';
import { ruleText } from './rule-text.js';
import type { MemberSchema, ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

type Path = (string | number)[];

/** What has rights: a field or a member. */
type Ruled = Pick<MemberSchema, 'read' | 'write' | 'items' | 'properties'>;

/** Compiles the rights that the fields of a resource declare. */
export function compileRights(model: Draftable<ResourceModel>, report: Report): void {
  const compile = new RightCompiler(model, report);
  const fields = new Map<string, RightModel>();
  for (const field of model.fields.values()) {
    const right = compile.of(field.schema as Ruled, [field.name], ['fields', field.name]);
    if (!right) continue;
    checkField(field, model, report);
    fields.set(field.name, right);
    describe(field, right);
  }
  setRights(model, fields);
}

/**
 * Gives computed values the rules of what they are computed from, and copies those of the originals. The rights that the
 * fields declare themselves must be compiled for every resource.
 */
export function inheritRights(model: Draftable<ResourceModel>): void {
  const fields = new Map(model.rights?.fields);
  const inherit = (field: FieldModel, rules: readonly RuleModel[]) => {
    if (rules.length === 0) return;
    const own = fields.get(field.name);
    const read: RuleModel = (actor) => and(...[own?.read ?? (() => TRUE), ...rules].map((rule) => rule(actor)));
    fields.set(field.name, { ...own, path: [field.name], name: field.name, read });
  };
  for (const field of model.faces.copies ? model.fields.values() : []) {
    const rules = originalRules(field, model).map((rule) => ofParent(rule, model));
    inherit(field, rules);
  }
  setRights(model, fields);
  for (const field of model.fields.values()) {
    if (field.schema.read === undefined) inherit(field, rulesOfSources(field, model));
  }
  setRights(model, fields);
}

/** Rules of the fields of the parent that a field of its copies is made from. */
function originalRules(field: FieldModel, { parent }: ResourceModel): RuleModel[] {
  if (!parent || field === parent.field || field.column === undefined) return [];
  const originals = [...parent.model.fields.values()].filter(({ column }) => column === field.column);
  return originals.flatMap((original) => original.readRules ?? []);
}

/** Rules of the other fields whose values a field is computed from. */
function rulesOfSources(field: FieldModel, model: ResourceModel): RuleModel[] {
  const { from } = field.schema;
  if (field.type !== 'computed' && from === undefined) return [];
  const columns = [...field.reads, ...(from === undefined ? [] : [from])];
  const related = (field.relations ?? []).flatMap((name) => model.fields.get(name) ?? []);
  const sources = [...columns.flatMap((column) => fieldsOfColumn(column, model)), ...related];
  return [...new Set(sources.filter((source) => source !== field).flatMap((source) => source.readRules ?? []))];
}

/** A rule of the parent, evaluated for the item below it. */
function ofParent(rule: RuleModel, { parent }: ResourceModel): RuleModel {
  const table = parent!.model.table!.name;
  const outer = parent!.field.column!;
  return (actor) => {
    const where = rule(actor);
    if (where.op === 'true' || where.op === 'false') return where;
    return { op: 'exists', table, outer, inner: 'id', where };
  };
}

function setRights(model: Draftable<ResourceModel>, fields: ReadonlyMap<string, RightModel>): void {
  if (fields.size === 0) return;
  const all = [...fields.values()].flatMap(withMembers);
  const rights: RightsModel = {
    fields,
    read: all.filter((right) => right.read),
    write: all.filter((right) => right.write),
  };
  model.rights = rights;
  for (const [name, right] of fields) {
    const rules = withMembers(right).flatMap(({ read }) => read ?? []);
    if (rules.length > 0) model.fields.get(name)!.readRules = rules;
  }
}

function withMembers(right: RightModel): RightModel[] {
  return [right, ...[...(right.members?.values() ?? [])].flatMap(withMembers)];
}

class RightCompiler {
  constructor(
    private readonly model: ResourceModel,
    private readonly report: Report,
  ) {}

  /** Rights of a field or member, undefined without any. `place` is where it stands in the file. */
  of(written: Ruled, path: string[], place: Path): RightModel | undefined {
    const members = this.members(written, path, place);
    if (written.read === undefined && written.write === undefined && members.size === 0) return undefined;
    const rule = (kind: 'read' | 'write') => {
      const compile = kind === 'write' ? compileWriters : compileRuleSchema;
      const found = written[kind];
      return found === undefined ? {} : { [kind]: compile(found, this.model, [...place, kind], this.report) };
    };
    const right = { path, name: path.join('.'), ...rule('read'), ...rule('write') };
    return members.size > 0 ? { ...right, members } : right;
  }

  private members(written: Ruled, path: string[], place: Path): Map<string, RightModel> {
    const listed = written.items as Ruled | undefined;
    const found = listed ? this.members(listed, path, [...place, 'items']) : new Map<string, RightModel>();
    for (const [name, member] of Object.entries(written.properties ?? {})) {
      const at = [...place, 'properties', name];
      const right = this.of(member, [...path, name], at);
      if (!right) continue;
      found.set(name, right);
      if (isRequired(name, member, written) && (right.read || right.write))
        this.report(
          at,
          'a member with its own rights cannot be required: callers who may not send it could not send the object',
          'leave out "required"',
        );
    }
    return found;
  }
}

function isRequired(name: string, member: ValueSchema, { required }: ValueSchema): boolean {
  return member.required === true || (Array.isArray(required) && required.includes(name));
}

function checkField(field: FieldModel, model: ResourceModel, report: Report): void {
  const { read, write } = field.schema;
  const at = (key: string) => ['fields', field.name, key];
  const noEffect = (key: string, reason: string) => report(at(key), `has no effect: ${reason}`, `leave out "${key}"`);
  if (read !== undefined) {
    if (field.hidden) noEffect('read', 'nobody can read a hidden field');
    else if (field.type === 'password') noEffect('read', 'nobody can read a password');
    else if (field === model.key || field.type === 'id' || field === model.parent?.field)
      report(
        at('read'),
        'the field is part of the URL of an item: every reader of the item knows it',
        'leave out "read"',
      );
  }
  if (write === undefined) return;
  if (field.hidden) noEffect('write', 'clients cannot send a hidden field');
  else if (field.readOnly) noEffect('write', 'the field is read only');
}

/** Adds the rules to the descriptions of the field and its members. */
function describe(field: FieldModel, right: RightModel): void {
  for (const schema of [field.json, field.arg]) annotate(schema, field.schema as Ruled, right);
}

function annotate(schema: ValueSchema, written: Ruled, right: RightModel): void {
  const rules = (['read', 'write'] as const).flatMap((kind) =>
    written[kind] === undefined ? [] : `${kind === 'read' ? 'Shown' : 'Accepted'} with: ${ruleText(written[kind])}.`,
  );
  if (rules.length > 0) schema.description = [schema.description, ...rules].filter(Boolean).join(' ');
  for (const [name, member] of right.members ?? []) {
    const [shown, source] = memberOf(schema, written, name);
    if (shown && source) annotate(shown, source, member);
  }
}

function memberOf(schema: ValueSchema, written: Ruled, name: string): [ValueSchema | undefined, Ruled | undefined] {
  const own = written.properties?.[name];
  if (own) return [schema.properties?.[name], own];
  return written.items && schema.items ? memberOf(schema.items, written.items as Ruled, name) : [undefined, undefined];
}
