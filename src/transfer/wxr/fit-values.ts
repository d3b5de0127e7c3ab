// Fits mapped values to a resource: drops unknown fields and validates each value with its field's rule.
import { invalidParams } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { Row } from '../../model/query.js';
import type { Change } from './import-unit.js';
import type { FieldModel } from '../../model/field.js';

/**
 * A change that `model` accepts. An invalid value stops the import of the object, unless the field is `optional`: then
 * it is dropped with a note. Columns that the resource lacks are dropped.
 */
export function fitted(
  model: ResourceModel,
  values: Record<string, unknown>,
  columns: Row,
  optional: readonly string[] = [],
): Change {
  const change: Change = { values: {}, columns: {}, meta: [], notes: [] };
  const issues = [];
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name);
    if (!field || value === undefined) continue;
    const checked = field.rule(value, name);
    if (!('issue' in checked)) change.values[name] = checked.value;
    else if (value === '' && field.column) change.columns[field.column] = emptyOf(field);
    else if (optional.includes(name)) change.notes.push(`${model.name}: ${name} (${checked.issue.message})`);
    else issues.push(checked.issue);
  }
  if (issues.length > 0) throw invalidParams(issues);
  const own = new Set(model.allColumns);
  for (const [name, value] of Object.entries(columns))
    if (value !== undefined && own.has(name)) change.columns[name] = value;
  return change;
}

function emptyOf(field: FieldModel): unknown {
  return field.columns.find(({ name }) => name === field.column)?.default ?? '';
}

/** The slug that a resource stores for a text. */
export function storedSlug(model: ResourceModel, text: string): string {
  const field = model.fields.get('slug');
  const draft = { values: {}, row: {} as Row, many: {}, meta: {} };
  field?.toStore?.(text, draft, undefined as never);
  return String(draft.row[field?.column ?? 'slug'] ?? text);
}
