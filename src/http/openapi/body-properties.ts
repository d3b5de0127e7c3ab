// What @nestjs/swagger shows of the DTO classes: their properties, as ApiProperty describes them.
import type * as Swagger from '@nestjs/swagger';
import type { ResourceModel } from '../../model/model.js';
import type { BodyClass } from '../validation/dto.factory.js';
import { sentSchema } from './sent-schemas.js';
import type { SiteSettings } from '../../model/site/site-settings.js';
import { argumentsOf, type Argument } from '../resource/argument-documents.js';

/** Gives the properties of a DTO class the schemas that the document shows. */
export function describeBody(
  swagger: typeof Swagger,
  body: BodyClass,
  args: Readonly<Record<string, Argument>>,
  fields: ResourceModel['fields'],
  kind: 'create' | 'update',
): void {
  for (const [name, argument] of Object.entries(args)) {
    const schema = sentSchema(fields.get(name), argument, kind);
    swagger.ApiProperty(propertyOptions(schema, argument.required))(body.prototype as object, name);
  }
}

/** Updates the defaults of the properties that follow settings of the site. */
export function describeDefaults(
  swagger: typeof Swagger,
  body: BodyClass,
  model: ResourceModel,
  settings: Readonly<SiteSettings>,
): void {
  const args = Object.entries(argumentsOf(model, 'create', settings));
  const following = args.filter(([name]) => model.fields.get(name)!.defaultSetting !== undefined);
  describeBody(swagger, body, Object.fromEntries(following), model.fields, 'create');
}

// Swagger takes a list of types for an array, and writes the type null from `nullable`. Next to anyOf and oneOf it
// drops the type, so a schema with alternatives is wrapped.
function propertyOptions({ type, ...schema }: Record<string, unknown>, required: boolean): Swagger.ApiPropertyOptions {
  const types = [type].flat();
  const [first, ...more] = types.filter((name) => name !== 'null');
  const plain = first !== undefined && more.length === 0 && !schema['anyOf'] && !schema['oneOf'];
  const options = plain
    ? { ...schema, type: first, ...(types.includes('null') ? { nullable: true } : {}) }
    : { type: 'object', allOf: [{ type, ...schema }] };
  // `required` of a property is the list of its own members.
  return { ...options, selfRequired: required } as Swagger.ApiPropertyOptions;
}
