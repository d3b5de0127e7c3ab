// Permissions per status: rules, and the steps of lists and writes that evaluate them.
import type { PolicyStepSchema, RuleSchema } from '../../model/schema/permission-schema.js';
import type { Trait } from '../../model/trait.js';

/** Options of the trait `published`. */
export interface PublishedOptions {
  /** Suffix of the capabilities: `posts` gives edit_posts, edit_others_posts … */
  capabilities: string;
  /** Capability to create; default edit_<capabilities>. */
  create?: string;
  /** Field with the owner. */
  author?: string;
  /** Reference whose visibility applies to rows with status `inherit`. */
  inherit?: string;
  /** Items may be scheduled (default true). */
  schedule?: boolean;
  /** Default status of lists. */
  listed?: string;
}

/** Statuses that the date decides between. */
export const PUBLIC = ['publish', 'future'];

/** The permissions as written, completed by those of the trait. */
export function withDefaults(
  written: NonNullable<Parameters<NonNullable<Trait['extend']>>[0]['permissions']>,
  options: PublishedOptions,
  listed: string,
) {
  const kind = options.capabilities;
  const publish: PolicyStepSchema = {
    field: 'status',
    in: ['publish', 'future', 'private'],
    changed: true,
    needs: `publish_${kind}`,
    error: 'rest_cannot_publish',
    keepAllow: true,
  };
  const context: PolicyStepSchema = {
    param: 'context',
    in: ['edit'],
    needs: `edit_${kind}`,
    error: 'rest_forbidden_context',
  };
  return {
    retrieve: [
      { param: 'context', in: ['edit'], needs: { rule: 'edit' }, error: 'rest_forbidden_context' },
      { needs: { rule: 'read' }, error: 'rest_forbidden' },
    ],
    create: [{ needs: options.create ?? `edit_${kind}`, error: 'rest_cannot_create' }, publish],
    update: [{ needs: { rule: 'edit' }, error: 'rest_cannot_edit' }, publish],
    delete: [{ needs: { rule: 'delete' }, error: 'rest_cannot_delete' }],
    ...written,
    list: [...(written.list ?? [context]), ...statusSteps(kind, listed)],
    rules: { ...statusRules(options), ...written.rules },
  };
}

/** Who may list items of a status other than `listed`. */
function statusSteps(kind: string, listed: string): PolicyStepSchema[] {
  const refused = { error: 'rest_forbidden_status', asParameterError: true } as const;
  return [
    { param: 'status', notIn: [listed, 'private'], needs: `edit_${kind}`, ...refused },
    { param: 'status', in: ['private'], needs: { any: [`edit_${kind}`, `read_private_${kind}`] }, ...refused },
  ];
}

/** The permission rules per status as data; `explain` prints them. */
function statusRules({ capabilities: kind, author = 'author', inherit }: PublishedOptions): Record<string, RuleSchema> {
  const mine: RuleSchema = { is: { [author]: '$me' } };
  const followed: RuleSchema[] = inherit
    ? [{ all: [{ is: { status: 'inherit' } }, { any: [{ orphaned: inherit }, { through: inherit, rule: 'read' }] }] }]
    : [];
  return {
    read: {
      any: [
        { is: { status: 'publish' } },
        ...followed,
        { all: [mine, 'read'] },
        { all: [{ is: { status: 'private' } }, `read_private_${kind}`] },
        { rule: 'edit' },
      ],
    },
    edit: changeRule('edit', kind, mine),
    delete: changeRule('delete', kind, mine),
  };
}

/** Who may change an item: its author and others need different capabilities, and further ones once it was public. */
function changeRule(verb: string, kind: string, mine: RuleSchema): RuleSchema {
  const wasPublic: RuleSchema = {
    any: [{ is: { status: PUBLIC } }, { all: [{ is: { status: 'trash' } }, { is: { trashed_status: PUBLIC } }] }],
  };
  const ofMine: RuleSchema = {
    any: [{ all: [wasPublic, `${verb}_published_${kind}`] }, { all: [{ not: wasPublic }, `${verb}_${kind}`] }],
  };
  return {
    any: [
      { all: [mine, ofMine] },
      {
        all: [
          { not: mine },
          `${verb}_others_${kind}`,
          { any: [{ not: wasPublic }, `${verb}_published_${kind}`] },
          { any: [{ not: { is: { status: 'private' } } }, `${verb}_private_${kind}`] },
        ],
      },
    ],
  };
}
