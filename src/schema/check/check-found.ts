// Resources of found items, and the resources that let theirs be found.
import type { FoundSource, ResourceModel } from '../../model/model.js';
import type { Report } from '../../model/registry.js';
import { didYouMean } from '../../text/nearest-name.js';

/** Members of a result that its fields may show. */
const MEMBERS = ['id', 'title', 'url', 'type', 'subtype'];

/** Reports fields that no result has, and items that cannot be found or not be put in order with others. */
export function checkFound(model: ResourceModel, report: Report): void {
  if (model.found) checkFields(model, report);
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

type Path = (string | number)[];

function checkSource(
  { model, subtype, title }: FoundSource,
  { type, sources }: { type: string; sources: readonly FoundSource[] },
  at: Path,
  report: Report,
): void {
  const reason = unfit(model);
  if (reason) return report(at, `its items cannot be found: ${reason}`);
  if (/[\s,]/.test(subtype) || subtype === 'any')
    report(at, `"${subtype}" cannot be asked for as a subtype`, 'give them another "subtype"');
  const [first] = sources;
  const twin = sources.find((other) => other.model !== model && other.subtype === subtype);
  if (twin && first!.model !== model)
    report(at, `"${twin.model.name}" is the subtype "${subtype}" of "${type}" already`, 'give them another "subtype"');
  checkTitle(title, [...at, 'title'], report);
  if (first!.model !== model && orderOf(model) !== orderOf(first!.model))
    report(
      at,
      `the type "${type}" cannot be put in order: ${orderOf(first!.model)} (${first!.model.name}), ${orderOf(model)} (${model.name})`,
      'give them another "type"',
    );
}

function checkTitle(title: FoundSource['title'], at: Path, report: Report): void {
  if (!title) return;
  if (title.readers !== 'everyone' || title.readRules)
    report(at, `"${title.name}" is not shown to everybody who may read the item`, 'name another field');
  if (!['string', 'text', 'rendered', 'slug', 'integer', 'uuid', 'date'].includes(title.type))
    report(at, `a field of type ${title.type} is no title`, 'name a field of type string, text or rendered');
}

/** Why the items of a resource cannot be found. */
function unfit(model: ResourceModel): string | undefined {
  if (!model.table || model.singleton) return 'they are no list in a table';
  if (model.parent) return 'they live below others';
  if (!model.search) return 'there is no "search"';
  if (!model.operations.has('list')) return 'they cannot be listed';
  const needed = [...model.listParams.values()].find(({ schema }) => schema.required === true);
  return needed && `their list needs the parameter "${needed.name}"`;
}

/** How items are ordered, in words that are equal where they can be compared. */
function orderOf({ list, search, table }: ResourceModel): string {
  const column = list.orderings.get(list.defaultOrderby) ?? 'id';
  const kind = table?.columns.get(column)?.kind ?? 'integer';
  const relevance = (search?.mode ?? 'terms') === 'terms' ? 'by relevance, then ' : '';
  return `${relevance}by ${column === 'id' ? 'id' : kind} ${list.defaultOrder}`;
}
