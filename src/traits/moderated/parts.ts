// Names, columns and tables of a moderated resource, looked up once at start.
import type { ResourceModel } from '../../model/model.js';
import { Target } from '../guarded/target.js';
import type { FieldModel } from '../../model/field.js';

/** Options of the trait. Names are names of fields. */
export interface ModeratedOptions {
  /** Reference to the item commented on. */
  on: string;
  /** Read-only field with the type of comment; its default is the type that clients may write. */
  kind: string;
  /** Fields of the comment that are copied from fields of the author's account. */
  account: Record<string, string>;
  /** Field of the target with the value it has while it accepts comments. */
  accepts?: Record<string, string>;
  /** Field of the target with the account that owns it. */
  owner?: string;
  /** Targets that stop accepting comments after a time, if the site is configured so. */
  expiring?: string[];
  /** Capability of moderators, who are not moderated themselves. */
  moderators?: string;
  parent?: string;
  author?: string;
  content?: string;
  name?: string;
  email?: string;
  url?: string;
  address?: string;
  agent?: string;
}

/** Default names of the parts. */
export const NAMES = {
  parent: 'parent',
  author: 'author',
  content: 'content',
  name: 'author_name',
  email: 'author_email',
  url: 'author_url',
  address: 'author_ip',
  agent: 'author_user_agent',
};

type Part = keyof typeof NAMES | 'on' | 'kind' | 'status';

/** Data shared by the files of this folder. */
export interface Parts {
  readonly model: ResourceModel;
  readonly table: string;
  /** Field of each part. */
  readonly field: Readonly<Record<Part, string>>;
  /** Column of each part. */
  readonly column: Readonly<Record<Part, string>>;
  readonly target: Target;
  /** Field of the target with its owner. */
  readonly owner: string;
  readonly authors: ResourceModel;
  /** Field of accounts with their capabilities. */
  readonly granted: FieldModel | undefined;
  /** Field and column of the comment, and the column of the account it is copied from. */
  readonly copied: readonly { field: string; column: string; from: string }[];
  /** Type that clients may write. */
  readonly kind: string;
  readonly moderators: string;
  readonly accepts: Readonly<Record<string, string>>;
  readonly expiring: readonly string[];
}

export const DEFAULT_MODERATORS = 'moderate_comments';

/** The parts of a linked model. */
export function partsOf(model: ResourceModel, options: ModeratedOptions): Parts {
  const field = { ...NAMES, status: 'status', ...pick(options) } as Record<Part, string>;
  const columnOf = (name: string) => model.fields.get(name)?.column ?? name;
  const column = Object.fromEntries(Object.entries(field).map(([part, name]) => [part, columnOf(name)])) as Record<
    Part,
    string
  >;
  const authors = model.fields.get(field.author)!.targets![0]!;
  return {
    model,
    table: model.table!.name,
    field,
    column,
    target: new Target(model, options.on),
    owner: options.owner ?? NAMES.author,
    authors,
    granted: [...authors.fields.values()].find(({ grants }) => grants),
    copied: Object.entries(options.account).map(([name, from]) => ({
      field: name,
      column: columnOf(name),
      from: authors.fields.get(from)?.column ?? from,
    })),
    kind: String(model.fields.get(field.kind)?.schema.default ?? ''),
    moderators: options.moderators ?? DEFAULT_MODERATORS,
    accepts: options.accepts ?? {},
    expiring: options.expiring ?? [],
  };
}

function pick(options: ModeratedOptions): Partial<Record<Part, string>> {
  const named: Partial<Record<Part, string>> = {};
  for (const part of [...Object.keys(NAMES), 'on', 'kind'] as (keyof typeof NAMES | 'on' | 'kind')[]) {
    if (options[part] !== undefined) named[part] = options[part];
  }
  return named;
}
