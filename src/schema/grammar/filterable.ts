// `filterable` of a field: list parameters that filter by it.
import { filters } from '../../filters/registry.js';
import type { ParamSchema, ResourceSchema } from '../../model/schema/schema.js';
import type { FieldSchema, FilterableSchema } from '../../model/schema/field-schema.js';
import type { Report } from '../../model/option-check.js';

interface GeneratedParam {
  name: string;
  param: ParamSchema;
}

/** Adds the parameters of all `filterable` fields; after those written in the file. */
export function addFilterParams(schema: ResourceSchema, report: Report): void {
  const generated = Object.entries(schema.fields).flatMap(([field, { filterable }]) =>
    filterable === undefined
      ? []
      : paramsOf(field, schema.fields[field]!, filterable).map((each) => ({ ...each, field })),
  );
  if (generated.length === 0) return;
  const params = { ...schema.params };
  for (const { name, param, field } of generated) {
    if (Object.hasOwn(params, name))
      report(
        ['fields', field, 'filterable'],
        `there is a parameter "${name}" already`,
        'give it another name with "param", or leave the other one out',
      );
    params[name] = param;
  }
  schema.params = params;
}

/** Where a schema file says what a problem at `path` is about: parameters may come from a `filterable` field. */
export function writtenPath(schema: ResourceSchema, path: (string | number)[]): (string | number)[] {
  const [group, name] = path;
  if (group !== 'params' || Object.hasOwn(schema.params ?? {}, name!)) return path;
  const source = Object.entries(schema.fields).find(
    ([field, { filterable }]) =>
      filterable !== undefined && paramsOf(field, schema.fields[field]!, filterable).some((each) => each.name === name),
  );
  return source ? ['fields', source[0], 'filterable'] : path;
}

function paramsOf(field: string, schema: FieldSchema, filterable: FilterableSchema): GeneratedParam[] {
  return Object.entries(wordsOf(filterable)).map(([filter, written]) => {
    const { param, ...keys } = typeof written === 'object' ? written : described(written);
    const name = param ?? field + (filters.get(filter)?.ending ?? `_${filter}`);
    return {
      name,
      param: { filter, ...(name !== field && { field }), ...filters.get(filter)?.keysFor?.(schema), ...keys },
    };
  });
}

function wordsOf(filterable: FilterableSchema): Record<string, FilterWord> {
  if (filterable === true) return { equals: true };
  if (typeof filterable === 'string') return { [filterable]: true };
  return Array.isArray(filterable) ? Object.fromEntries(filterable.map((word) => [word, true])) : filterable;
}

type FilterWord = Exclude<FilterableSchema, true | string | string[]>[string];

function described(written: string | true): { param?: string; description?: string } {
  return written === true ? {} : { description: written };
}
