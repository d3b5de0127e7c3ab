// Visibility inherited from a referenced item: the comments of a private, protected or deleted post.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, oneOf, or, TRUE, type Row } from '../../model/query.js';
import type { ParamSchema } from '../../model/schema/schema.js';
import { Target } from './target.js';
import type { Trait } from '../../model/trait.js';

interface Options {
  /**
   * Reference to the item that decides. A list parameter of the same name lists the items that belong to some of them.
   */
  through: string;
  /** Rule of the rows that everyone who sees the item may see; default: every row. */
  shown?: string;
  /** Capability to list rows that belong to no item. */
  orphans?: string;
}

/** Names of the conditions on a row: its target exists, and the caller may see the target. */
const THERE = 'target:there';
const VISIBLE = 'target:visible';

const PASSWORD: ParamSchema = {
  type: 'string',
  description: 'Password of the item it belongs to, if that is protected.',
};

export const guardedTrait: Trait<Options> = {
  name: 'guarded',
  description:
    'Items are as visible as the item that `through` refers to, and its password opens them too. The schema writes the rules.',
  options: {
    through: { type: 'string', description: 'Reference to the item that decides.', required: true },
    shown: { type: 'string', description: 'Rule: rows for which it holds are shown to everybody who sees that item.' },
    orphans: {
      type: 'string',
      format: 'capability',
      description: 'Capability to list rows that belong to no item (id 0).',
    },
  },
  extend(schema) {
    for (const params of ['params', 'itemParams', 'deleteParams'] as const) {
      schema[params] = { password: PASSWORD, ...schema[params] };
    }
  },
  check(check, { through, shown, orphans }) {
    check.field(['through'], through, ['reference']);
    if (shown !== undefined) check.rule(['shown'], shown);
    if (orphans !== undefined && !check.schema.params?.[through])
      check.fail(['orphans'], `asks for a list parameter "${through}", which "params" does not have`);
  },
  opens: ['password'],
  asks: ['open'],
  params: ({ through }) => ['password', through],
  reads: (model, { through }) => [model.fields.get(through)!.column!],
  faces(model, options) {
    const target = new Target(model, options.through);
    // Rows without a target are left to the rules.
    const none = equals(target.column, 0);
    return { asked: (actor) => ({ [THERE]: or(none, target.leads(TRUE)), [VISIBLE]: target.below(actor) }) };
  },
  codes: (_model, { orphans }) => ({
    list: ['rest_cannot_read_post', ...(orphans === undefined ? [] : ['rest_cannot_read'])],
    retrieve: ['rest_cannot_read_post', { code: 'rest_post_invalid_id', status: 404 }],
  }),
  sideBySide: true,
  hooks(model, options) {
    const target = new Target(model, options.through);
    return {
      async authorize(op, current) {
        if (op.kind === 'list') await authorizeList(target, options, op);
        if (op.kind === 'retrieve' && current) await authorizeItem(target, options, op, current);
      },
      scope(plan, op) {
        const { opened } = op.state;
        const read = model.rules.get('read')!(op.actor);
        if (opened !== undefined) {
          const shown = ruleOf(model, options.shown, op);
          plan.readDecided = true;
          plan.where.push(or(read, and(equals(target.column, opened), shown)));
        } else if (!target.decides(read, op.actor)) {
          // Lists hide children of hidden parents, as single reads do, even from their authors and from moderators.
          plan.where.push(target.below(op.actor));
        }
      },
    };
  },
};

function ruleOf(model: ResourceModel, name: string | undefined, op: Operation) {
  return name === undefined ? TRUE : (model.rules.get(name)?.(op.actor) ?? TRUE);
}

/** Rejects lists of items that the caller may not see; ids that do not exist are neither secret nor an error. */
async function authorizeList(target: Target, { through, orphans }: Options, op: Operation): Promise<void> {
  const ids = [op.params[through] ?? []].flat() as number[];
  if (orphans !== undefined && ids.includes(0) && !op.actor.capabilities.has(orphans))
    throw new ResourceError('rest_cannot_read');
  if (ids.every((id) => id <= 0)) return;
  const where = and(oneOf('id', ids), target.kinds, not(target.visible(op.actor)));
  if (where.op === 'false' || !(await op.store.first(target.table, ['id'], where))) return;
  const [only, ...more] = ids;
  if (more.length > 0 || !(await target.opens(only!, op.params['password'], op)))
    throw new ResourceError('rest_cannot_read_post');
  op.state.opened = only!;
  op.state.confidential = true;
}

/**
 * One row: its parent must exist and be visible or opened by its password. Rows without a parent are left to the rules.
 */
async function authorizeItem(target: Target, { shown }: Options, op: Operation, current: Row): Promise<void> {
  const id = current[target.column] as number;
  if (!id) return;
  const known = op.ruleResults[THERE] !== undefined;
  const item = known ? undefined : await target.load(id, [], op, { visible: target.visible(op.actor) });
  if (!(known ? op.ruleResults[THERE] : item)) throw new ResourceError('rest_post_invalid_id', { status: 404 });
  if (known ? op.ruleResults[VISIBLE] : item!['visible']) return;
  if ((shown === undefined || op.ruleResults[shown]) && (await target.opens(id, op.params['password'], op))) {
    passRead(op);
    op.state.confidential = true;
  } else if (op.ruleResults['read']) throw new ResourceError('rest_cannot_read_post');
}

/** Marks the steps that require the permission to read as passed. */
function passRead(op: Operation): void {
  op.ruleResults['read'] = true;
  op.model.policy.retrieve.forEach((step, index) => {
    if (step.error === op.model.errors.read) op.ruleResults[`retrieve:${index}`] = true;
  });
}
