// The field that names items in URLs: what it may not hold, because a URL could not name such an item.
import type { FieldModel } from '../../model/field.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import { withConstraints, constraint } from '../../values/rule.js';

/** Parts of a path that clients resolve before they send it. */
const RESOLVED = new Set<unknown>(['.', '..']);

/** The path of the collection ends where an empty text would begin. */
const notEmpty = constraint('rest_too_short', (value) =>
  value === '' ? 'names the item in its URL: it must have at least 1 character.' : undefined,
);
const notResolved = constraint('rest_invalid_pattern', (value) =>
  RESOLVED.has(value) ? 'names the item in its URL: "." and ".." cannot, because clients resolve them.' : undefined,
);

const notNull = constraint('rest_invalid_type', (value) =>
  value === null ? 'names the item in its URL: it must have a value.' : undefined,
);

/** The path of the caller's own account. */
const notAlias = (alias: string) =>
  constraint('rest_invalid_pattern', (value) =>
    value === alias ? `names the item in its URL: "${alias}" cannot, because it stands for the caller.` : undefined,
  );

/** Adds to the rules of a field what URLs need of it, where it names items and may be null or hold any text. */
export function restrictKey({ key, fields, selfAlias, storage = {} }: ResourceSchema, field: FieldModel): void {
  if (field.name !== key || 'static' in storage || 'found' in storage) return;
  if (fields[key]?.nullable === undefined) {
    field.rule = withConstraints(field.rule, [notNull]);
    if (field.createRule) field.createRule = withConstraints(field.createRule, [notNull]);
  }
  if (field.type !== 'string') return;
  const constraints = [notEmpty, notResolved, ...(selfAlias === undefined ? [] : [notAlias(selfAlias)])];
  field.rule = withConstraints(field.rule, constraints);
  if (field.createRule) field.createRule = withConstraints(field.createRule, constraints);
  if (!field.required || field.schema.minLength !== undefined) return;
  field.arg = { ...field.arg, minLength: 1 };
  field.json = { ...field.json, minLength: 1 };
}
