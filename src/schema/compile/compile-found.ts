// Groups of resources whose items are found together, compiled from the declarations of their schemas.
import type { ResourceModel } from '../../model/model.js';
import type { FoundSource, FoundType } from '../../model/list.js';
import type { ParamSchema } from '../../model/schema/schema.js';
import type { FoundInSchema, FoundSchema } from '../../model/schema/storage-schema.js';
import type { Draftable } from './compile-resource.js';

/** Stands for every subtype of a type. */
const ANY_SUBTYPE = 'any';

/** Collects the groups of a resource of found items: those that it names, then those that other resources name. */
export function linkFound(model: Draftable<ResourceModel>): void {
  if (!model.found) return;
  const { name, links } = model.found;
  const { types: written = [] } = model.schema.storage as FoundSchema;
  const types = new Map<string, FoundType>();
  for (const { name: type, subtypeAsType = false } of written) types.set(type, { subtypeAsType, sources: [] });
  for (const other of model.site.byName.values()) {
    const entry = other.schema.foundIn?.[name];
    if (!entry) continue;
    const type = entry.type ?? other.name;
    const { subtypeAsType = false, sources = [] } = types.get(type) ?? {};
    types.set(type, { subtypeAsType, sources: [...sources, sourceOf(other, entry)] });
  }
  model.found = { name, types, links };
  const isShort = [...types.values()].some(({ subtypeAsType }) => subtypeAsType);
  for (const field of model.fields.values()) if (isShort && field.reads.includes('subtype')) field.sometimes = true;
}

function sourceOf(model: ResourceModel, { subtype, title, url }: FoundInSchema): FoundSource {
  const shown = model.fields.get(title ?? model.schema.search?.fields[0] ?? '');
  const shownUrl = url === undefined ? model.permalink : model.fields.get(url);
  const own = String(Object.values(model.discriminator)[0] ?? model.name);
  return { model, subtype: subtype ?? own, ...(shown ? { title: shown } : {}), ...(shownUrl ? { url: shownUrl } : {}) };
}

/** The parameters of a resource of found items besides those of every list. */
export function foundParams({ found }: ResourceModel): Record<string, ParamSchema> {
  if (!found) return {};
  const types = [...found.types.keys()];
  const subtypes = [...found.types.values()].flatMap(({ sources }) => sources.map(({ subtype }) => subtype));
  return {
    type: {
      type: 'string',
      description: 'What is searched.',
      ...(types[0] === undefined ? {} : { enum: types, default: types[0] }),
    },
    subtype: {
      type: 'array',
      description: 'Only results of these subtypes of the type.',
      items: { type: 'string', enum: [...new Set([...subtypes, ANY_SUBTYPE])] },
      default: ANY_SUBTYPE,
    },
  };
}
