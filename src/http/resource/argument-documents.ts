// The arguments of an endpoint, as OPTIONS, the index and OpenAPI describe them.
import type { ResourceModel } from '../../model/model.js';
import type { ParamModel } from '../../model/list.js';
import type { OperationKind } from '../../model/schema/schema.js';
import { isDemanded, writableFields } from '../validation/dto.factory.js';
import type { ResourceRoute, RouteKind } from '../routes/resource-route.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldModel } from '../../model/field.js';
import type { SiteSettings } from '../../model/site/site-settings.js';
import { limits } from '../limits.js';

/** An argument of an endpoint. */
export type Argument = ValueSchema & { required: boolean };

/** Parameters or body fields of an operation; without `settings`, with the defaults at startup. */
export function argumentsOf(
  model: ResourceModel,
  operation: OperationKind,
  settings?: Readonly<SiteSettings>,
): Record<string, Argument> {
  switch (operation) {
    case 'list':
      return fromParams(model.listParams);
    case 'retrieve':
      return fromParams(model.itemParams);
    case 'delete':
      return fromParams(model.deleteParams);
    case 'create':
      return fromFields(model, (field) => ({
        ...current(field, field.arg, settings),
        required: isDemanded(field, model),
      }));
    case 'update':
      return fromFields(model, ({ arg: { default: _default, ...arg } }) => ({ ...arg, required: false }));
  }
}

/** A value as described, with the current default from the settings. */
export function current<T extends ValueSchema>(
  field: FieldModel,
  value: T,
  settings: Readonly<SiteSettings> | undefined,
): T {
  const { defaultSetting } = field;
  if (!settings || defaultSetting === undefined || value.default === undefined) return value;
  return { ...value, default: settings[defaultSetting] };
}

/** The arguments of an operation with the bounds that hold where the schema sets none, which OPTIONS does not contain. */
export function boundedArguments(model: ResourceModel, operation: OperationKind): Record<string, Argument> {
  const args = argumentsOf(model, operation);
  const params = { list: model.listParams, retrieve: model.itemParams, delete: model.deleteParams }[
    operation as 'list'
  ];
  return params ? withBounds(args, params) : args;
}

/** Lengths of search texts and of lists. */
export function withBounds(
  args: Record<string, Argument>,
  params: ReadonlyMap<string, ParamModel>,
): Record<string, Argument> {
  const bounded = Object.entries(args).map(([name, argument]) => {
    const { longest } = params.get(name)!;
    const isList = [argument.type].flat().includes('array') && argument.maxItems === undefined;
    const bounds = {
      ...(longest === undefined ? {} : { maxLength: longest }),
      ...(isList ? { maxItems: limits.parameterItems } : {}),
    };
    return [name, { ...argument, ...bounds }] as const;
  });
  return Object.fromEntries(bounded);
}

/** Parameters as arguments. */
export function fromParams(params: ReadonlyMap<string, ParamModel>): Record<string, Argument> {
  return Object.fromEntries(
    [...params].map(([name, { arg, schema }]) => [name, { ...arg, required: schema.required === true }]),
  );
}

function fromFields(model: ResourceModel, argument: (field: FieldModel) => Argument): Record<string, Argument> {
  // What only code sets is no argument of a client.
  const fields = writableFields(model).filter(({ schema }) => schema.write !== false);
  return Object.fromEntries(fields.map((field) => [field.name, argument(field)]));
}

/** Path segments as arguments of every endpoint of the route. */
export function pathArguments(route: ResourceRoute, kind: RouteKind): Record<string, Argument> {
  const { model } = route;
  const found: Record<string, Argument> = {};
  if (model.parent) {
    const description = `Id of the ${model.parent.model.labels.singular.toLowerCase()}.`;
    found[model.parent.param] = { description, type: 'integer', required: false };
  }
  if (kind === 'item') {
    const description = model.key.arg.description ?? `What names the ${model.labels.singular.toLowerCase()}.`;
    found[route.keyParam] = { description, type: model.integerKey ? 'integer' : 'string', required: false };
  }
  return found;
}

/** Lists of items to create below a new one. OPTIONS of their own path says what the caller may send of each. */
export function ownedArguments({ owned }: ResourceModel): Record<string, Argument> {
  return Object.fromEntries(
    [...(owned ?? [])].map(([name, { labels, route }]) => {
      const path = route.replaceAll(/:(\w+)/g, '{$1}');
      const description = `${labels.plural} to create below it, each as POST ${path} takes it.`;
      return [name, { description, type: 'array', items: { type: 'object' }, required: false }];
    }),
  );
}
