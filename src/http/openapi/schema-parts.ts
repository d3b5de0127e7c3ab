// Shorthands for schemas that are written by hand.

/** A schema in the dialect of OpenAPI 3.1. */
export type Schema = Record<string, unknown>;

/** A text. */
export const text = (description?: string): Schema => ({ type: 'string', ...(description ? { description } : {}) });

/** An object; by default all of its members are required. */
export const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});

/** Reference to a named schema. */
export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** One of several schemas. */
export function either(schemas: Schema[]): Schema {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}
