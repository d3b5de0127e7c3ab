// The JSON Schema of the items of a route, with links that show what a caller may do.
import type { ResourceModel } from '../../model/model.js';
import type { Site } from '../../model/site/site.js';
import { itemTemplate, type ResourceRoute } from '../routes/resource-route.js';
import type { FieldModel } from '../../model/field.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import { current } from './argument-documents.js';

/** The schema of an item of a route, with the current defaults from the settings. */
export function schemaOf(route: ResourceRoute, { base, settings }: Site): Record<string, unknown> {
  const { model } = route;
  const fields = [...model.fields.values()].filter(
    (field) => !field.hidden && (model.view?.fields?.has(field.name) ?? true),
  );
  // An item in any context satisfies the schema: only what is always shown is required.
  const required = fields.filter((field) => field.required && isAlwaysShown(field, model)).map((field) => field.name);
  const links = hyperLinks(route, base);
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: model.name,
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, current(field, asShown(field), settings)])),
    ...(required.length > 0 ? { required } : {}),
    ...(links.length > 0 ? { links } : {}),
  };
}

function isAlwaysShown({ contexts, readRules, sometimes }: FieldModel, model: ResourceModel): boolean {
  return model.contexts.every((context) => contexts.has(context)) && !readRules && !sometimes;
}

// Links that show the permissions of the caller on an item; links to other resources are in the items themselves.
function hyperLinks(route: ResourceRoute, base: string): object[] {
  return route.model.links
    .filter((link) => link.schema.self)
    .map(({ rel, schema: { title, targetSchema } }) => ({
      rel: rel.replace(/^wp:/, 'https://api.w.org/'),
      ...(title === undefined ? {} : { title }),
      href: base + (route.model.singleton ? route.model.route : itemTemplate(route)),
      ...(targetSchema === undefined ? {} : { targetSchema }),
    }));
}

/** What items show of a field: a reference whose item has been deleted leads nowhere, although that cannot be sent. */
export function asShown({ targets, many, schema, json }: FieldModel): ValueSchema {
  if (!(targets ?? many) || (schema.onDelete ?? 'setNull') !== 'setNull') return json;
  const { minimum: _minimum, exclusiveMinimum: _exclusive, minItems: _least, ...shown } = json;
  return shown;
}
