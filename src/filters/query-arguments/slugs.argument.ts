// Items by the slugs of the items they refer to: `category_name`, `tag`, `tag_slug__and`, `author_name`.
import type { ResourceModel } from '../../model/model.js';
import { slugify } from '../../text/slug.js';
import { choiceOf, fieldNamed } from './argument-fields.js';
import { MAX_VALUES, textOf, valuesOf } from './argument-values.js';
import { membershipOf } from './membership.js';
import type { ArgumentKind, ArgumentReport, ArgumentRunner, ArgumentSchema } from './query-argument.js';
import { families, idsOfSlugs, referencedBy } from './referenced.js';

const MATCHES = ['query', 'one', 'any', 'all'] as const;

export const slugsArgument: ArgumentKind = {
  name: 'slugs',
  keys: ['field', 'match', 'tree', 'slug'],
  description:
    'Slugs of what `field` refers to. `match` query (default): `a,b` any, `a+b` all; one: a single slug; any or all of a list. With `tree`, the parent field of the referenced resource, descendants count in and `parent/child` means the child.',
  compile: compileSlugs,
};

/** Compiles an argument that takes slugs; undefined when the schema is wrong. */
export function compileSlugs(
  model: ResourceModel,
  schema: ArgumentSchema,
  report: ArgumentReport,
): ArgumentRunner | undefined {
  const field = fieldNamed(model, schema['field'], 'field', report);
  const referenced = field && referencedBy(field, schema, report);
  if (!referenced) return undefined;
  const match = choiceOf(schema, 'match', MATCHES, report);
  const membership = membershipOf(model, field);
  return async (value, context) => {
    const { texts, all } = split(value, match);
    const slugs = [...new Set(texts.map((text) => slugify(referenced.parent ? lastSegment(text) : text)))];
    const known = await idsOfSlugs(referenced, slugs, context.op);
    const ids = slugs.flatMap((slug) => known.get(slug) ?? []);
    const possible = !all || ids.length === slugs.length;
    const groups = possible ? await families(referenced, ids, context.op) : [];
    membership[all ? 'all' : 'any'](groups, context);
  };
}

function split(value: unknown, match: (typeof MATCHES)[number]): { texts: string[]; all: boolean } {
  if (match === 'any' || match === 'all') return { texts: textsOf(valuesOf(value)), all: match === 'all' };
  if (typeof value === 'object') return { texts: match === 'one' ? [] : textsOf(valuesOf(value)), all: false };
  const text = textOf(value) ?? '';
  if (match === 'one') return { texts: [text], all: false };
  const any = text.includes(',');
  // A plus sign in a query string is decoded as a space.
  return {
    texts: textsOf(
      text
        .trim()
        .split(any ? ',' : /[+\s]+/)
        .slice(0, MAX_VALUES),
    ),
    all: !any,
  };
}

function textsOf(values: readonly unknown[]): string[] {
  return values.map((value) => textOf(value) ?? '');
}

function lastSegment(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}
