// The guard of a field: steps of creating and updating about the field, and links that say who may send it.
import type { LinkSchema, ResourceSchema } from '../../model/schema/schema.js';
import type { PolicyStepSchema } from '../../model/schema/permission-schema.js';
import { isUnconditional, type PlacedStep } from './safe-steps.js';
import type { FieldSchema, GuardedKind, GuardSchema } from '../../model/schema/field-schema.js';

/** Operations that a guard is about unless `on` says otherwise. */
const GUARDED_KINDS: readonly GuardedKind[] = ['create', 'update'];

interface Guard {
  name: string;
  field: FieldSchema;
  guard: GuardSchema;
}

function guardsOf({ fields }: ResourceSchema): Guard[] {
  return Object.entries(fields).flatMap(([name, field]) => (field.guard ? [{ name, field, guard: field.guard }] : []));
}

/**
 * The steps of an operation with those of guards: in a creation, those with `beforeCreate` come first, the others after
 * the step that applies to every request.
 */
export function withGuards(kind: string, steps: readonly PlacedStep[], schema: ResourceSchema): PlacedStep[] {
  const guards = guardsOf(schema).filter(
    ({ guard }) =>
      guard.error !== undefined && GUARDED_KINDS.includes(kind as GuardedKind) && (guard.on ?? kind) === kind,
  );
  if (guards.length === 0) return [...steps];
  const isEarly = ({ guard }: Guard) => kind === 'create' && guard.beforeCreate === true;
  const place = (each: Guard) => ({ step: stepOf(each, kind), path: ['fields', each.name, 'guard'] });
  const unconditional = steps.findLastIndex(({ step }) => isUnconditional(step)) + 1;
  return [
    ...guards.filter(isEarly).map(place),
    ...steps.slice(0, unconditional),
    ...guards.filter((each) => !isEarly(each)).map(place),
    ...steps.slice(unconditional),
  ];
}

function stepOf({ name, guard }: Guard, kind: string): PolicyStepSchema {
  const { needs, error, unless, in: values } = guard;
  return {
    field: name,
    ...(values && { in: values }),
    ...(unless === '$me' ? { notSelf: true } : unless && { notIn: unless }),
    ...(kind === 'update' && { changed: true }),
    needs,
    error: error!,
  };
}

/** The links of guards, by relation, with their paths in the file. */
export function guardLinks(schema: ResourceSchema): { rel: string; link: LinkSchema; path: string[] }[] {
  return guardsOf(schema).flatMap(({ name, field, guard }) =>
    Object.entries(guard.link ?? {}).map(([rel, written]) => {
      const { title, needs = guard.needs } = typeof written === 'string' ? { title: written } : written;
      const targetSchema = { type: 'object', properties: { [name]: valueOf(field, guard) } };
      return {
        rel,
        link: { self: true, context: 'edit', needs, title, targetSchema },
        path: ['fields', name, 'guard', 'link', rel],
      };
    }),
  );
}

/** What the link lets a caller send, as JSON Schema. */
function valueOf({ type }: FieldSchema, guard: GuardSchema): Record<string, unknown> {
  if (type === 'rendered') return { raw: { type: 'string' } };
  if (type === 'references') return { type: 'array', items: { type: 'integer' } };
  if (type === 'strings') return { type: 'array', items: { type: 'string' } };
  const plain = PLAIN[type] ?? 'string';
  return { type: plain, ...(plain === 'string' && guard.in && { enum: guard.in }) };
}

const PLAIN: Readonly<Record<string, string>> = {
  array: 'array',
  boolean: 'boolean',
  id: 'integer',
  integer: 'integer',
  metadata: 'object',
  number: 'number',
  object: 'object',
  reference: 'integer',
};
