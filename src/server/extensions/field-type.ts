// Field types of extensions that store what a built-in type stores.
import type { FieldType } from '../../model/registry.js';
import { withConstraints, constraint } from '../../values/rule.js';
import type { BasedFieldType } from './define.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { FieldModel } from '../../model/field.js';

/** The field type; `base` is the built-in one. */
export function basedFieldType(definition: BasedFieldType, base: FieldType): FieldType {
  const { name, description, value: fixed = {}, keys = {} } = definition;
  const asBase = (field: FieldSchema): FieldSchema => ({ ...field, ...fixed, type: base.name }) as FieldSchema;
  return {
    name,
    description,
    basedOn: base.name,
    keys: { ...base.keys, ...keys },
    ...(base.ownKeywords ? { ownKeywords: true } : {}),
    ...(base.neverNull ? { neverNull: true } : {}),
    value: (field) => base.value(asBase(field)),
    compile(field, owner) {
      const written = { ...field.schema, type: name };
      field.schema = asBase(field.schema);
      base.compile(field, owner);
      refine(field, definition, written);
    },
    ...(base.link ? { link: (field, model) => base.link!(field, model) } : {}),
  };
}

function refine(field: FieldModel, { check, store, show }: BasedFieldType, written: FieldSchema): void {
  if (check)
    field.rule = withConstraints(field.rule, [
      constraint('rest_invalid_param', (value) => (value === null ? undefined : check(value, written))),
    ]);
  const { toStore, toView, column } = field;
  if (store && toStore) {
    field.toStore = (value, draft, op, current) =>
      toStore(value === null ? null : store(value, written), draft, op, current);
    // An invalid value matches no row, and `store` is not called with one.
    field.compared = (value) =>
      value === null || check?.(value, written) !== undefined ? value : store(value, written);
  }
  if (show && toView && column !== undefined)
    field.toView = (row, scope) => (row[column] === null ? null : show(toView(row, scope), written));
}
