// Creations with what the new item owns: `{"title": "…", "lines": [{…}]}` makes an item and the items below it, in one
// transaction and each with its own checks.
import { createHash } from 'node:crypto';
import { atomically, type TransactionScope } from '../../engine/batch/atomic.js';
import { renewAggregates } from '../../engine/renew-aggregates.js';
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { readerFor } from '../../model/functions/reader-for.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation, OutputBudget, Result, View } from '../../model/operation.js';
import type { Site } from '../../model/site/site.js';
import type { Store } from '../../model/store.js';
import type { BoundController } from './bind-controllers.js';
import { checkBody } from '../validation/dto.factory.js';
import type { CheckedBody, OperationFactory } from './operation.factory.js';
import type { RequestInput } from '../routes/request-input.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { withPlace, withPlaceAsync } from './nested-errors.js';
import { rejectUnknown } from './strict-handling.js';

/** Maximum number of items below a new one in all, and of levels. */
const MOST_OWNED = 100;
const MOST_LEVELS = 2;

/** A body with the bodies of the items below. */
export interface Owner {
  bound: BoundController;
  body: CheckedBody;
  /** Its path in the body: `lines[0]`; empty for the item itself. */
  place: string;
  owned: { name: string; items: Owner[] }[];
}

/** What all bodies of a request share. */
interface Shared {
  /** How many more items below there may be. */
  left: number;
  headers: RequestInput['headers'];
}

/** What such creations are made with. */
export interface NestedParts {
  bound: readonly BoundController[];
  operations: OperationFactory;
  store: Store;
  site: Site;
}

/** Whether a body has items that the new one owns, or something else in their place. */
export function ownsItems({ owned }: ResourceModel, raw: Readonly<Record<string, unknown>>): boolean {
  if (!owned) return false;
  for (const name of owned.keys()) if (isSent(raw[name])) return true;
  return false;
}

/** As with other lists, null counts as not sent, and the empty text of a form as a list without items. */
function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Creates items with what they own. One per application. */
export class NestedCreation {
  constructor(private readonly parts: NestedParts) {}

  /**
   * Checks the bodies of an item and of those below it.
   * @throws ResourceError of the first one that is invalid
   */
  check(route: ResourceRoute, { headers }: RequestInput, body: CheckedBody): Owner {
    return this.owner(this.boundOf(route.model), body, '', { left: MOST_OWNED, headers });
  }

  /**
   * Creates an item and the items below it.
   * @throws ResourceError of the first of them that is refused; nothing is written then
   */
  async create(owner: Owner, input: RequestInput, budget: OutputBudget): Promise<{ op: Operation; result: Result }> {
    const { store, site } = this.parts;
    const done = await atomically({ store, runText: site.textsOf?.(input.actor), budget }, (scope) =>
      this.inside(scope, owner, input, budget),
    );
    await store.noteWrite(input.actor);
    // The transaction has ended.
    done.op.store = readerFor(store.reader, input.requester);
    return done;
  }

  /** The same inside a transaction that has begun. */
  inside(
    { service, run }: Pick<TransactionScope, 'service' | 'run'>,
    owner: Owner,
    input: RequestInput,
    budget: OutputBudget | undefined,
  ): Promise<{ op: Operation; result: Result }> {
    return this.write(owner, input, async (op) => {
      op.budget = budget;
      return run(op, () => service.create(op));
    });
  }

  private boundOf(model: ResourceModel): BoundController {
    return this.parts.bound.find((each) => each.route.model === model)!;
  }

  private owner(bound: BoundController, body: CheckedBody, place: string, request: Shared, level = 0): Owner {
    const { owned } = bound.route.model;
    const lists = [...(owned ?? [])].filter(([name]) => isSent(body.raw[name]));
    if (lists.length > 0 && level >= MOST_LEVELS)
      throw invalidParams([
        {
          param: place,
          code: 'rest_out_of_bounds',
          message: `${place} has items more than ${MOST_LEVELS} levels deep.`,
        },
      ]);
    return {
      bound,
      body,
      place,
      owned: lists.map(([name, model]) => {
        const below = this.boundOf(model);
        const list = place === '' ? name : `${place}[${name}]`;
        const items = listOf(body.raw[name], list).map((raw, at) => {
          const own = `${list}[${at}]`;
          if (--request.left < 0) throw tooMany(own);
          if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw noObject(own);
          const sent = raw as Record<string, unknown>;
          const values = withPlace(own, () => {
            rejectUnknown(model, 'create', sent, request.headers);
            return checkBody(below.bodies.create, sent);
          });
          return this.owner(below, { values, raw: sent }, own, request, level + 1);
        });
        return { name, items };
      }),
    };
  }

  private async write(
    { bound: { route }, body, place, owned }: Owner,
    input: RequestInput,
    create: (op: Operation) => Promise<Result>,
  ): Promise<{ op: Operation; result: Result }> {
    // The transaction may run more than once, and what is prepared for it changes the values.
    const op = this.parts.operations.write(route, 'create', input, { ...body, values: { ...body.values } });
    const result = await withPlaceAsync(place, () => create(op));
    const view = result.body as View;
    for (const { name, items } of owned) {
      const views: unknown[] = [];
      for (const item of items) {
        const own = below(input, item, op.id as number);
        views.push((await this.write(item, own, create)).result.body);
      }
      if (!op.fields || op.fields.has(name)) view[name] = views;
    }
    if (owned.length > 0) await renewAggregates(op, view);
    return { op, result };
  }
}

/** The request for an item below a new one, with an idempotency key of its own: a retry replays every part. */
function below({ headers, actor, requester }: RequestInput, { bound, place }: Owner, parent: number): RequestInput {
  const key = headers['idempotency-key'];
  const own =
    key === undefined ? {} : { 'idempotency-key': createHash('sha256').update(`${key} ${place}`).digest('hex') };
  return {
    segments: { [bound.route.parentParam!]: String(parent) },
    query: Object.create(null),
    body: undefined,
    headers: { ...headers, ...own },
    actor,
    requester,
  };
}

function tooMany(param: string): ResourceError {
  const message = `${param} is one too many: ${MOST_OWNED} items below a new one can be sent with it.`;
  return invalidParams([{ param, code: 'rest_too_many_items', message }]);
}

function listOf(value: unknown, param: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw invalidParams([{ param, code: 'rest_invalid_type', message: `${param} must be a list of objects.` }]);
}

function noObject(param: string): ResourceError {
  return invalidParams([{ param, code: 'rest_invalid_type', message: `${param} must be an object.` }]);
}
