// The requested slug of an item, before it is made unique.
import type { ResourceModel } from '../../model/model.js';
import type { Operation, Draft } from '../../model/operation.js';
import { type Row, valueAfter } from '../../model/query.js';
import { slugify } from '../../text/slug.js';
import type { SlugOptions } from './free-slug.js';

/** The slug for values that no trait has changed. */
export function expectedSlug(
  model: ResourceModel,
  { from, maxLength }: SlugOptions,
  values: Readonly<Record<string, unknown>>,
  op: Operation,
): string {
  const stored = (name: string): string => {
    const field = model.fields.get(name);
    if (!field?.toStore || values[name] === undefined) return '';
    const draft: Draft = { values: {}, row: {}, many: {}, meta: {} };
    try {
      field.toStore(values[name], draft, op);
    } catch {
      // The creation reports what is wrong with the value.
      return '';
    }
    return String(draft.row[field.column ?? name] ?? '');
  };
  return stored('slug') || slugify(stored(from), maxLength);
}

/** An item without a slug has none in the trash either, and is restored unchanged. */
export function isBlank(model: ResourceModel, options: SlugOptions, status: unknown): boolean {
  const { trash } = model.faces;
  if (trash && status === trash.status) return true;
  return options.blank?.includes(String(status)) ?? false;
}

/** The requested or generated slug before it is made unique; undefined when the stored one stays. */
export function wantedSlug(
  model: ResourceModel,
  options: SlugOptions,
  row: Row,
  op: Operation,
  current?: Row,
): string | undefined {
  const status = row['status'] ?? current?.['status'];
  const given = row['slug'] as string | undefined;
  // Writers who may not publish leave the slug undecided.
  if (!op.trusted && model.faces.publication?.isUndecided(status, op.actor)) return '';
  const stored = current?.['slug'] as string | undefined;
  if (given && given === stored) return parentMoved(options, row, current) ? given : undefined;
  if (given) return given;
  if (current && given === undefined && stored) return parentMoved(options, row, current) ? stored : undefined;
  if (isBlank(model, options, status)) return '';
  const column = model.fields.get(options.from)?.column ?? options.from;
  return slugify(String(valueAfter(row, current, column) ?? ''), options.maxLength);
}

/** Whether a new parent changes the siblings among which a slug is unique. */
export function parentMoved(options: SlugOptions, row: Row, current?: Row): boolean {
  const columns = (options.scope ?? [])
    .flatMap((part) => Object.values(part).flat())
    .filter((value) => String(value).startsWith('$'));
  return columns.some((value) => {
    const column = String(value).slice(1);
    return row[column] !== undefined && row[column] !== current?.[column];
  });
}
