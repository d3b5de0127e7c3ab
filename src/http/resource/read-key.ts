// The key of compiled reads: the parameters of a request that its resource knows, without the number of the page.
import { CURSOR, EXPAND, isConditions, isQueryParameter } from '../../model/query-language.js';
import { PAGE } from '../../engine/list-plan.js';
import type { ResourceModel } from '../../model/model.js';
import type { ParamModel } from '../../model/list.js';
import type { Parameters } from '../request/parse-query.js';
import { knownNames } from './strict-handling.js';

/** The parameters of a read. */
export interface ReadKey {
  text: string;
  /** The number of the page, where a list has pages. */
  page: number | undefined;
  /** The cursor of the page, where one was sent. */
  cursor: string | undefined;
}

/** Parameters that change how a result is presented: such reads are handled in the general way. */
const OTHERS = new Set(['_embed', '_envelope', '_pretty', '_method']);

/** The key of a read; undefined when its parameters are unusual. */
export function readKey(model: ResourceModel, kind: 'list' | 'retrieve', query: Parameters): ReadKey | undefined {
  const known = knownNames(model, kind);
  const pages = kind === 'list' ? model.listParams.get(PAGE) : undefined;
  let text = '';
  let page = pages?.schema.default as number | undefined;
  let cursor: string | undefined;
  for (const name in query) {
    const value = query[name];
    if (!known.has(name)) {
      if (model.schema.strict) return undefined;
      // Conditions, `cursor` and `expand` can be compiled; the other words of the language cannot.
      if (isWord(model, kind, name)) {
        if (name === CURSOR && typeof value === 'string') {
          // Like the number of a page it is not part of what is compiled.
          cursor = value;
          text += `${CURSOR}&`;
        } else if (name === EXPAND && typeof value === 'string') text += part(name, value);
        else if (typeof value !== 'object') return undefined;
        else text += part(name, JSON.stringify(value));
      } else if (kind === 'list' && isConditions(value)) text += part(name, JSON.stringify(value));
      continue;
    }
    if (kind === 'list' && typeof value === 'object' && isQueryParameter(model, name, value)) {
      text += part(name, JSON.stringify(value));
      continue;
    }
    if (typeof value !== 'string' || OTHERS.has(name) || model.openings.includes(name)) return undefined;
    if (pages && name === PAGE) {
      page = pageOf(pages, value);
      if (page === undefined) return undefined;
    } else text += part(name, value);
  }
  return { text, page, cursor };
}

/** One parameter: lengths tell where it ends, because names and values may contain any character. */
function part(name: string, value: string): string {
  return `${name.length}:${name}=${value.length}:${value}&`;
}

/** Whether a name that the resource does not know is a word of the query language. Not cached: such names are rare. */
function isWord(model: ResourceModel, kind: 'list' | 'retrieve', name: string): boolean {
  return kind === 'list' ? isQueryParameter(model, name, '') : name === EXPAND && model.query !== undefined;
}

function pageOf(param: ParamModel, value: string): number | undefined {
  const checked = param.rule(value, param.name);
  return 'issue' in checked || typeof checked.value !== 'number' ? undefined : checked.value;
}
