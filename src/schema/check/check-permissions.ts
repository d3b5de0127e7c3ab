// Warnings about permissions: operations that are closed by default, and settings that not all callers meet as they are
// written.
import type { Problem } from '../../errors/problem.js';
import { ANONYMOUS } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { RuleModel } from '../../model/permissions.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import type { RuleSchema } from '../../model/schema/permission-schema.js';
import { problemAt, type Path, type SchemaFile } from '../load/load.js';
import { reaches, record } from '../load/as-json.js';
import { writtenPath } from '../grammar/filterable.js';
import { MANAGERS } from '../grammar/permission-presets.js';
import { blindKeywords } from './field-rules.js';
import { isUnconditional, sameRule } from '../grammar/safe-steps.js';

const OPEN_HINT =
  'write "permissions": "public-read" to let everybody read, "closed" to leave it so, or rules of your own';

/** Warnings about the permissions of one file. `schema` is as extended by its traits, `model` the compiled one. */
export function permissionNotices(
  file: SchemaFile,
  schema: ResourceSchema,
  model: ResourceModel | undefined,
  held: ReadonlySet<string>,
): Problem[] {
  const notice = (path: Path, message: string, hint: string) => {
    const written = writtenPath(file.schema as ResourceSchema, path);
    return problemAt(file, reaches(file.schema, written) ? written : [], message, hint);
  };
  return [
    ...closedNotices(file, schema, held, notice),
    ...singleItems(schema, notice),
    ...unseenMembers(schema, notice),
    ...(model ? [...unreadable(model, held, notice), ...unwritable(model, held, notice)] : []),
  ];
}

type Notice = (path: Path, message: string, hint: string) => Problem;

function closedNotices(
  { schema: written }: SchemaFile,
  schema: ResourceSchema,
  held: ReadonlySet<string>,
  notice: Notice,
) {
  const permissions = record(written)['permissions'];
  if (typeof permissions === 'string' || schema.permissions?.rules?.['read'] !== undefined) return [];
  const suffix = held.has(MANAGERS) ? '' : ', which no role has,';
  if (permissions === undefined && schema.permissions === undefined) {
    const message = `no permissions: only holders of "${MANAGERS}"${suffix} read and write this resource`;
    return [notice([], message, OPEN_HINT)];
  }
  const message = `no rule "read": only holders of "${MANAGERS}"${suffix} read this resource`;
  return [notice(['permissions'], message, 'add "read": true to "rules" to let everybody read, or another rule')];
}

/** Lists are always narrowed by the rule `read`; steps of single items may omit it. */
function singleItems({ permissions = {} }: ResourceSchema, notice: Notice): Problem[] {
  const { rules = {}, retrieve = [] } = permissions;
  const read: RuleSchema = rules['read'] ?? MANAGERS;
  const unconditional = retrieve.filter(isUnconditional);
  if (unconditional.length === 0 || sameRule(read, true, rules)) return [];
  if (unconditional.some(({ needs }) => !isAboutCaller(needs) || sameRule(needs, read, rules))) return [];
  const message = 'no step checks the rule "read": items that lists hide can be read one by one';
  return [notice(['permissions', 'retrieve'], message, 'add {"needs": {"rule": "read"}, "error": "rest_forbidden"}')];
}

function isAboutCaller(rule: RuleSchema): boolean {
  if (typeof rule !== 'object') return rule !== false;
  if ('all' in rule) return rule.all.every(isAboutCaller);
  if ('any' in rule) return rule.any.every(isAboutCaller);
  if ('not' in rule) return isAboutCaller(rule.not);
  return 'can' in rule || 'signedIn' in rule;
}

/** Filters, orderings and searches over fields that are not readable by everyone. */
function unreadable(model: ResourceModel, held: ReadonlySet<string>, notice: Notice): Problem[] {
  const hint = 'show the field in a context, or say in a step of "permissions.list" who may use it';
  const isHidden = (name: string) => {
    const { readers, readRules = [] } = model.fields.get(name) ?? {};
    return readers === 'nobody' || readRules.some((rule) => deniesEveryone(rule, held));
  };
  const filters = [...model.listParams.values()]
    .filter(({ name, guard, schema }) => guard && isHidden(schema.field ?? name))
    .map(({ name }) => notice(['params', name], 'looks at a field that nobody may read: it is refused', hint));
  const { orderby = [], orderings = {} } = model.schema.list ?? {};
  const orders = orderby.flatMap((name, index) => {
    if (!model.list.orderingGuards.has(name)) return [];
    const place = ['list', 'orderby', index];
    if (name === model.list.defaultOrderby)
      return [notice(place, 'orders by a field that not everybody may read: others get the order of ids', hint)];
    return isHidden(orderings[name] ?? name)
      ? [notice(place, 'orders by a field that nobody may read: it is refused', hint)]
      : [];
  });
  const searched = model.search?.sources ? (model.schema.search?.fields ?? []) : [];
  const isDecided = (model.schema.permissions?.list ?? []).some(({ param }) => param === 'search');
  const searches = searched.flatMap((name, index) =>
    isHidden(name) && !isDecided
      ? [notice(['search', 'fields', index], 'is a field that nobody may read: it is not searched', hint)]
      : [],
  );
  return [...filters, ...orders, ...searches];
}

/** Keywords of fields that count or compare members that some callers neither see nor send. */
function unseenMembers({ fields }: ResourceSchema, notice: Notice): Problem[] {
  const message =
    'looks at members with "read" or "write": callers who see fewer of them may be refused what they have read';
  const places = Object.entries(fields).flatMap(([name, field]) => blindKeywords(field, ['fields', name]));
  return places.map((at) => notice(at, message, 'leave it out, or keep those members in another field'));
}

/** Required fields that no role may set: no item could be created. */
function unwritable(model: ResourceModel, held: ReadonlySet<string>, notice: Notice): Problem[] {
  return [...(model.rights?.fields.values() ?? [])].flatMap(({ name, write }) => {
    if (!write || !model.fields.get(name)!.required || !model.operations.has('create')) return [];
    if (!deniesEveryone(write, held)) return [];
    const message = 'is required, and no role may set it: nobody can create items';
    return [notice(['fields', name, 'write'], message, 'leave out "required", or give a role the right')];
  });
}

/** Whether a rule holds in no row, for anonymous callers as for accounts with all capabilities or with none. */
function deniesEveryone(rule: RuleModel, held: ReadonlySet<string>): boolean {
  const accounts = [held, new Set<string>()].map((capabilities) => ({ ...ANONYMOUS, id: 1, capabilities }));
  return [...accounts, ANONYMOUS].every((caller) => rule(caller).op === 'false');
}
