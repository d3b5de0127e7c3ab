// Pairs of dates in site time and UTC, last modification, and dates that follow each save until publication.
import { storedDateTime } from '../fields/datetime.field.js';
import { parseDateTime, toUtc, toWall, utcNow } from '../values/date-time.js';
import type { Operation, Draft } from '../model/operation.js';
import type { Row } from '../model/query.js';
import { CONTEXTS } from '../model/schema/schema.js';
import type { FieldSchema } from '../model/schema/field-schema.js';
import type { Trait } from '../model/trait.js';

interface Options {
  /** Also maintain `modified` and `modified_gmt`. */
  modified?: boolean;
  /** Statuses in which a date that was never set is updated by each save. */
  floating?: string[];
}

const DATES = ['date', 'date_gmt'];
const CHANGES = ['modified', 'modified_gmt'];

const pair = (description: string, gmt: boolean, extra: Partial<FieldSchema> = {}): FieldSchema => ({
  type: 'datetime',
  clock: gmt ? 'utc' : 'site',
  description: `${description}, ${gmt ? 'as UTC' : "in the site's timezone"}.`,
  contexts: gmt || extra.readOnly ? ['view', 'edit'] : CONTEXTS,
  ...extra,
});

export const datedTrait: Trait<Options> = {
  name: 'dated',
  description: 'Adds date and date_gmt, with `modified` also modified and modified_gmt; keeps each pair in step.',
  options: {
    modified: { type: 'boolean', description: 'Keep the time of the last change too.' },
    floating: {
      type: 'array',
      items: { type: 'string' },
      description: 'Statuses in which a date that was never given moves to the time of each save.',
    },
  },
  extend(schema, { modified = true, floating }) {
    const nullable = floating ? { nullable: true } : { nullable: false, alwaysFilled: true };
    const fields: Record<string, FieldSchema> = {
      date: pair('Publication date', false, nullable),
      date_gmt: pair('Publication date', true, nullable),
      ...(modified
        ? {
            modified: pair('Last change', false, { readOnly: true }),
            modified_gmt: pair('Last change', true, { readOnly: true }),
          }
        : {}),
    };
    for (const [name, field] of Object.entries(fields)) schema.fields[name] = { ...field, ...schema.fields[name] };
    if (floating) schema.fields['date_floating'] = { type: 'boolean', hidden: true };
  },
  check(check, { modified = true, floating }) {
    for (const name of modified ? [...DATES, ...CHANGES] : DATES) {
      const clock = name.endsWith('_gmt') ? 'utc' : 'site';
      const field = check.own(name, ['datetime']);
      if (field && field.clock !== clock) check.fail([], `the field "${name}" must have the clock "${clock}"`);
    }
    if (floating && check.own('status', ['string'], 'dates float by the status of an item'))
      check.words(['floating'], floating, 'status');
  },
  faces: (_model, { modified = true, floating }) => ({
    dates: {
      columns: modified ? [...DATES, ...CHANGES] : DATES,
      paired: (row, zone) => paired(row, modified ? [...DATES, ...CHANGES] : DATES, zone),
      ...(floating ? { floating: 'date_floating' } : {}),
      touched: (op) => (modified ? changedNow(utcNow(op), op) : {}),
    },
  }),
  adopt: (_model, { modified = true, floating }) => ({
    // The date of creation of existing items is unknown: those without a date get the current time.
    row(row, { settings: { timezone: zone }, now }) {
      const gmt = String(row['date_gmt'] || (row['date'] ? toUtc(String(row['date']), undefined, zone) : now));
      const changed = String(row['modified_gmt'] || gmt);
      return {
        date: row['date'] || toWall(gmt, zone),
        date_gmt: gmt,
        ...(modified ? { modified: row['modified'] || toWall(changed, zone), modified_gmt: changed } : {}),
        ...(floating ? { date_floating: 0 } : {}),
      };
    },
  }),
  sideBySide: true,
  hooks: (_model, { modified = true, floating }) => ({
    input(draft, op, current) {
      const zone = op.site.settings.timezone;
      const now = utcNow(op);
      const given = givenDate(draft, op, current);
      const status = draft.row['status'] ?? current?.['status'];
      const floats = floating?.includes(status) ?? false;
      if (typeof given === 'object') Object.assign(draft.row, given, floating ? { date_floating: 0 } : {});
      else if (!current || given === 'reset' || current['date_floating']) {
        Object.assign(
          draft.row,
          { date: toWall(now, zone), date_gmt: now },
          floating ? { date_floating: floats ? 1 : 0 } : {},
        );
      } else {
        delete draft.row['date'];
        delete draft.row['date_gmt'];
      }
      if (!modified) return;
      const last = current ? afterChange(now, current) : (draft.row['date_gmt'] as string);
      Object.assign(draft.row, changedNow(last, op));
    },
  }),
};

/** The pair of dates of the last change; `utc` as stored. */
function changedNow(utc: string, { site }: Operation): Row {
  return { modified: toWall(utc, site.settings.timezone), modified_gmt: utc };
}

/**
 * When an item changes that was changed before: never earlier than that, though the clock was set back. What was made
 * with a date of the future has not been changed then.
 */
function afterChange(now: string, current: Row): string {
  const last = String(current['modified_gmt'] ?? '');
  return last > now && last !== current['date_gmt'] ? last : now;
}

/** The pair of dates sent by the client, `reset` for null, undefined when nothing was sent or nothing would change. */
function givenDate(
  draft: Draft,
  op: Operation,
  current?: Row,
): { date: string; date_gmt: string } | 'reset' | undefined {
  const zone = op.site.settings.timezone;
  const { date, date_gmt: gmt } = draft.values as Record<string, string | null | undefined>;
  if (date) return givenLocal(date, zone, current);
  if (gmt) {
    const utc = storedDateTime(gmt, 'utc', zone);
    return current && utc === current['date_gmt'] ? undefined : { date: toWall(utc, zone), date_gmt: utc };
  }
  return date === null || gmt === null ? 'reset' : undefined;
}

// An offset distinguishes the two moments of a repeated hour; without one the stored text is the stored moment.
function givenLocal(text: string, zone: string, current?: Row): { date: string; date_gmt: string } | undefined {
  const parsed = parseDateTime(text);
  if (typeof parsed === 'string') return undefined;
  const { wall, offsetMinutes } = parsed;
  const utc = toUtc(wall, offsetMinutes, zone);
  const isStored = offsetMinutes === undefined ? wall === current?.['date'] : utc === current?.['date_gmt'];
  // A skipped local time is shown as the moment that it is converted to.
  return current && isStored ? undefined : { date: toWall(utc, zone), date_gmt: utc };
}

/** What is missing of pairs of which one date is known. */
function paired(row: Row, columns: readonly string[], zone: string): Row {
  const found: Row = {};
  for (const local of columns.filter((column) => !column.endsWith('_gmt'))) {
    const gmt = `${local}_gmt`;
    const [wall, utc] = [row[local], row[gmt]];
    if (wall && utc === undefined) found[gmt] = toUtc(String(wall), undefined, zone);
    if (utc && wall === undefined) found[local] = toWall(String(utc), zone);
  }
  return found;
}
