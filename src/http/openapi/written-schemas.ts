// The response of a write: the item as far as its writer may read it, which may be its key alone.
import { predicateFor } from '../../engine/rights/predicate-for.js';
import { ANONYMOUS } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { Context } from '../../model/schema/schema.js';
import { itemSchemaName } from './item-schemas.js';
import { openApiSchema } from './json-schema-31.js';
import { object, refTo, type Schema } from './schema-parts.js';

/** Schemas of an item after a write, shown in a context as far as its writer may read it. */
export function writtenSchemas(model: ResourceModel, context: Context = 'edit'): Schema[] {
  const contexts: Context[] = context === 'edit' ? ['edit', 'view'] : [context];
  const names = contexts.map((each) => itemSchemaName(model, each));
  return [...names, ...(isHidden(model) ? [keySchemaName(model)] : [])].map(refTo);
}

/** Whether some items are hidden from anonymous callers. Callers who may change but not read one get its key alone. */
export function isHidden({ policy }: ResourceModel): boolean {
  return policy.retrieve.some((step) => step.param === undefined && predicateFor(step.needs, ANONYMOUS).op !== 'true');
}

/** Name of the schema of the key alone. */
export function keySchemaName(model: ResourceModel): string {
  return `${model.typeName}Key`;
}

/** The key alone. */
export function keySchema({ key, fields }: ResourceModel): Schema {
  const shown = [...new Set(['id', key.name])].filter((name) => fields.has(name));
  const properties = shown.map((name) => [name, openApiSchema(fields.get(name)!.json)]);
  const schema = object(Object.fromEntries(properties) as Record<string, Schema>);
  return { ...schema, additionalProperties: false, description: 'What callers get who may not read it.' };
}
