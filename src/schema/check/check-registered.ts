// Members of the rows of a static resource that nothing shows, compares or requires.
import type { ResourceModel } from '../../model/model.js';
import { didYouMean } from '../../text/nearest-name.js';
import { members, oneOrMany, record, text } from '../load/as-json.js';
import { partsOfRule, writtenRules } from './written-rules.js';
import type { Report } from '../../model/option-check.js';

/** Members that every static resource reads. */
const ALWAYS = ['hidden', 'resource'];

/** Reports them where a resource lists itself in another, and where a static resource declares its own rows. */
export function checkRegistered(model: ResourceModel, report: Report): void {
  for (const other of model.site.byName.values()) {
    const row = other.static && model.listsItselfIn[other.name];
    if (row) checkRow(other, row, ['listsItselfIn', other.name], report);
  }
  if (!model.static) return;
  checkShown(model, report);
  checkKeys(model, report);
  const { rows } = record(model.schema.storage);
  for (const [index, row] of oneOrMany(rows)) checkRow(model, record(row), ['storage', 'rows', ...index], report);
}

/** Members that a function of a field shows must be in some row, unless there are none yet. */
function checkShown({ fields, static: own }: ResourceModel, report: Report): void {
  const there = new Set(own!.rows.flatMap((row) => Object.keys(row)));
  if (there.size === 0) return;
  for (const { name, schema } of fields.values()) {
    const column = schema.type === 'computed' ? text(record(schema.options)['column']) : undefined;
    if (column === undefined || there.has(column)) continue;
    const hint = didYouMean(column, there) ?? `there are: ${[...there].join(', ')}`;
    report(['fields', name, 'options', 'column'], `no row has a member "${column}"`, hint);
  }
}

/** The members that name rows: in their URLs, and in a keyed list, which everybody sees who may read the rows. */
function checkKeys(model: ResourceModel, report: Report): void {
  const { key, list, schema, fields } = model;
  const own = oneOrMany(record(schema.storage)['rows']).map(([, row]) => record(row));
  const keyed = fields.get(list.keyedBy ?? '');
  if (keyed && (keyed.readers !== 'everyone' || keyed.readRules))
    report(['list', 'keyedBy'], `the field "${keyed.name}" is not shown to everybody who may read the rows`);
  for (const field of new Set([key, keyed])) {
    if (!field) continue;
    const column = field.column ?? field.name;
    const taken = new Set<string>();
    for (const row of model.static!.rows) {
      const value = row[column];
      const named = value === undefined || value === null || value === '' ? undefined : String(value);
      const at = ['storage', 'rows', own.indexOf(row)];
      if (named === undefined) report(at, `the row has no "${column}", which names it`, `add "${column}"`);
      else if (taken.has(named)) report([...at, column], `another row is named "${named}" already`);
      else taken.add(named);
    }
  }
}

function checkRow(owner: ResourceModel, row: Record<string, unknown>, path: (string | number)[], report: Report): void {
  const read = membersRead(owner);
  for (const name of Object.keys(row)) {
    if (read.has(name)) continue;
    const hint = didYouMean(name, read) ?? `it reads: ${[...read].join(', ')}`;
    report([...path, name], `"${owner.name}" reads no member "${name}"`, hint);
  }
}

function membersRead(owner: ResourceModel): Set<string> {
  const inRules = writtenRules(owner.schema)
    .flatMap(partsOfRule)
    .flatMap(({ rule }) =>
      [...members(record(rule)['is']).map(([name]) => name), text(record(rule)['capabilityIn']) ?? []].flat(),
    );
  const inParams = Object.values(owner.schema.params ?? {}).flatMap(({ field }) => field ?? []);
  const inLinks = members(owner.schema.links).flatMap(([, links]) =>
    oneOrMany(links).flatMap(([, link]) => [text(record(link)['path']) ?? [], text(record(link)['when']) ?? []].flat()),
  );
  const shown = [...owner.fields.values()].flatMap((field) => [field.name, ...field.reads]);
  return new Set([...ALWAYS, ...shown, ...inRules, ...inParams, ...inLinks]);
}
