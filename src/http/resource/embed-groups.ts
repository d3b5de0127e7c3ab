// URLs of embeddable links, in groups that can be read together.
import type { ResourceModel } from '../../model/model.js';
import type { ParamModel } from '../../model/list.js';
import type { LinkTarget } from './link-targets.js';

/** URLs that are read together: items by key, or lists by the id in their only parameter. */
export interface Group {
  model: ResourceModel;
  param?: ParamModel;
  hrefs: Map<number, string>;
}

const ID = /^[1-9]\d{0,15}$/;

/** The group of a URL that can be read together with others of its kind. */
export function groupOf({
  route,
  kind,
  segments,
  query,
}: LinkTarget): (Omit<Group, 'hrefs'> & { key: string; id: number }) | undefined {
  const { model } = route;
  if (!model.table || model.parent || model.listOf || model.singleton) return undefined;
  const names = Object.keys(query);
  if (kind === 'retrieve') {
    const key = segments[route.keyParam]!;
    return names.length === 0 && model.integerKey && ID.test(key)
      ? { key: model.name, id: Number(key), model }
      : undefined;
  }
  const [name = ''] = names;
  const param = model.listParams.get(name);
  const value: unknown = query[name];
  if (names.length !== 1 || !param?.groups || typeof value !== 'string' || !ID.test(value)) return undefined;
  return { key: `${model.name}?${name}`, id: Number(value), model, param };
}
