// Resources of found items, and the resources that let theirs be found.
import { ANONYMOUS, type Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { FoundSource } from '../../model/list.js';
import { didYouMean } from '../../text/nearest-name.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

/** Members of a result that its fields may show. */
const MEMBERS = ['id', 'title', 'url', 'type', 'subtype'];

/** Reports fields that no result has, and items that cannot be found or cannot be ordered with others. */
export function checkFound(model: ResourceModel, report: Report): void {
  if (model.found) {
    checkFields(model, report);
    checkRule(model, report);
  }
  for (const target of model.site.byName.values()) {
    const { found } = target;
    if (!found || !model.schema.foundIn?.[found.name]) continue;
    for (const [type, { sources }] of found.types) {
      const own = sources.find((source) => source.model === model);
      if (own) checkSource(own, { type, sources }, ['foundIn', found.name], report);
    }
  }
}

function checkFields({ fields }: ResourceModel, report: Report): void {
  for (const { name, reads } of fields.values()) {
    const strange = reads.find((column) => !MEMBERS.includes(column));
    if (strange === undefined) continue;
    const hint = didYouMean(strange, MEMBERS) ?? `it has: ${MEMBERS.join(', ')}`;
    report(['fields', name], `a result has no member "${strange}"`, hint);
  }
}

/** Results are rows of other resources: a rule of this resource cannot test their values. */
function checkRule({ rules }: ResourceModel, report: Report): void {
  const rule = rules.get('read')!;
  if (callers().every((caller) => ['true', 'false'].includes(rule(caller).op))) return;
  const hint = 'require a capability; the rules of the resources that are found apply in any case';
  report(['permissions', 'rules', 'read'], 'a result has no columns that a rule could compare', hint);
}

/** An anonymous caller, and accounts with no capability and with every one. */
function callers(): Actor[] {
  const all = new (class extends Set<string> {
    override has = () => true;
  })();
  return [ANONYMOUS, ...[new Set<string>(), all].map((capabilities) => ({ ...ANONYMOUS, id: 1, capabilities }))];
}

const TITLES = ['string', 'text', 'rendered', 'slug', 'integer', 'uuid', 'date'];

type Path = string[];

function checkSource(
  { model, subtype, title, url }: FoundSource,
  { type, sources }: { type: string; sources: readonly FoundSource[] },
  at: Path,
  report: Report,
): void {
  const reason = unfit(model);
  if (reason) return report(at, `its items cannot be found: ${reason}`);
  if (/[\s,]/.test(subtype) || subtype === 'any')
    report(at, `"${subtype}" cannot be requested as a subtype`, 'give them another "subtype"');
  const [first] = sources;
  const twin = sources.find((other) => other.model !== model && other.subtype === subtype);
  if (twin && first!.model !== model)
    report(at, `"${twin.model.name}" is the subtype "${subtype}" of "${type}" already`, 'give them another "subtype"');
  checkNamed(model, at, report);
  checkShown({ model, subtype, title, url }, at, report);
  if (first!.model !== model && orderOf(model) !== orderOf(first!.model))
    report(
      at,
      `the type "${type}" cannot be put in order: ${orderOf(first!.model)} (${first!.model.name}), ${orderOf(model)} (${model.name})`,
      'give them another "type"',
    );
}

function checkNamed({ schema, fields }: ResourceModel, [key, target]: Path, report: Report): void {
  const entry = schema.foundIn![target!]!;
  for (const name of ['title', 'url'] as const) {
    const meant = entry[name];
    if (meant !== undefined && !fields.has(meant))
      report([key!, target!, name], `unknown field "${meant}"`, didYouMean(meant, [...fields.keys()]));
  }
}

function checkShown({ model, title, url }: FoundSource, at: Path, report: Report): void {
  const entry = model.schema.foundIn![at[1]!]!;
  for (const [name, field] of Object.entries({ title, url })) {
    if (!field || (name === 'url' && entry.url === undefined)) continue;
    const place = name in entry ? [...at, name] : at;
    if (field.readers !== 'everyone' || field.readRules)
      report(
        place,
        `the ${name} "${field.name}" is not shown to everybody who may read the item`,
        `name another "${name}"`,
      );
    if (name === 'title' ? !TITLES.includes(field.type) : !isText(field))
      report(place, `a field of type ${field.type} cannot be a ${name}`, `name one that shows a text`);
  }
}

function isText({ json }: FieldModel): boolean {
  return [json.type].flat().includes('string');
}

/** Why the items of a resource cannot be found. */
function unfit(model: ResourceModel): string | undefined {
  if (!model.table || model.singleton) return 'they are not a list in a table';
  if (model.parent) return 'they live below others';
  if (!model.search) return 'there is no "search"';
  if (!model.operations.has('list')) return 'they cannot be listed';
  const needed = [...model.listParams.values()].find(({ schema }) => schema.required === true);
  return needed && `their list needs the parameter "${needed.name}"`;
}

/** How items are ordered, as texts that are equal where the orders are comparable. */
function orderOf({ list, search, table }: ResourceModel): string {
  const column = list.orderings.get(list.defaultOrderby) ?? 'id';
  const kind = table?.columns.get(column)?.kind ?? 'integer';
  const relevance = (search?.mode ?? 'terms') === 'terms' ? 'by relevance, then ' : '';
  return `${relevance}by ${column === 'id' ? 'id' : kind} ${list.defaultOrder}`;
}
