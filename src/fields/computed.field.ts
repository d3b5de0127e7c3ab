// Values computed from other columns by a registered function; never stored, never accepted.
import type { FieldType } from '../model/registry.js';
import { draft04 } from '../values/json-schema.js';
import { computedFunctions } from './computed/registry.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldModel } from '../model/field.js';

export const computedField: FieldType = {
  name: 'computed',
  description: 'A value made by the registered function named in `function`, with its `options`.',
  keys: {
    function: { type: 'string', required: true },
    options: { type: 'object', additionalProperties: true },
    returns: { type: 'object', additionalProperties: true },
  },
  ownKeywords: true,
  value: (field) => {
    const returns = field.returns ?? computedFunctions.get(field.function ?? '')?.returns ?? {};
    return {
      ...returns,
      ...(field.description ? { description: field.description } : {}),
      ...(field.enum ? { enum: field.enum } : {}),
    };
  },
  compile(field) {
    field.readOnly = true;
    field.columns = [];
    field.reads = [];
  },
  link(field, model) {
    const definition = computedFunctions.get(field.schema.function ?? '');
    if (!definition) return;
    const options = field.schema.options ?? {};
    field.reads = definition.reads(options, model);
    const related = definition.related?.(options, model);
    if (related) field.related = related;
    if (definition.relations) field.relations = definition.relations(options);
    if (definition.permalink) field.permalink = true;
    if (definition.grants?.(options)) field.grants = true;
    const aggregates = definition.aggregates?.(options, model) ?? [];
    if (aggregates.length > 0) field.aggregates = aggregates;
    if (definition.returnsFor && !field.schema.returns) publish(field, definition.returnsFor(options, model));
    field.toView = definition.compile(options, model);
  },
};

/** Completes what is published of a value whose type depends on other fields. */
function publish({ json, arg }: FieldModel, value: ValueSchema): void {
  Object.assign(json, draft04(value));
  Object.assign(arg, draft04(value));
}
