// What callers may do with a resource, as far as it is known without an item: for the page and its table of roles. The
// rules are evaluated here, never copied: the API alone decides.
import { couldEver } from '../../engine/rights/coarse-policy.js';
import { predicateFor } from '../../engine/rights/predicate-for.js';
import { ANONYMOUS, inScope, type Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { PolicyStep } from '../../model/permissions.js';
import { and } from '../../model/query.js';
import { OPERATIONS, type OperationKind, type Scalar } from '../../model/schema/schema.js';
import type { Site } from '../../model/site/site.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { listPath } from './describe-site.js';
import { extentOf, type Extent } from './extent-of.js';

/** A field or parameter that may not have every value. */
export interface Exception {
  names: readonly string[];
  extent: Exclude<Extent, 'all'>;
  in?: readonly Scalar[];
  notIn?: readonly Scalar[];
  notSelf?: boolean;
}

/** What one caller may do in one operation. */
export interface OperationRights {
  extent: Extent;
  except?: Exception[];
}

/** By operation. */
export type ResourceRights = Partial<Record<OperationKind, OperationRights>>;

/** Stands for the id of any account. */
const ANY_ACCOUNT = Number.MAX_SAFE_INTEGER;
/** Operations that only touch items which the caller may read. */
const READS: ReadonlySet<OperationKind> = new Set(['list', 'retrieve']);

/** What the caller may do with every resource, and whether they may see what the roles may. */
export function rightsOf(routes: readonly ResourceRoute[], actor: Actor) {
  const resources = routes.map(({ model }) => [listPath(model), rightsIn(model, actor)] as const);
  return { roles: maySeeRoles(routes, actor), resources: Object.fromEntries(resources) };
}

/**
 * What each role may do with one resource; undefined for an unknown one. Callers who cannot assign roles see only what
 * anonymous callers and they themselves may do.
 */
export function rightsByRole(routes: readonly ResourceRoute[], list: string, site: Site, actor: Actor) {
  const model = routes.find((route) => listPath(route.model) === list)?.model;
  if (!model) return undefined;
  const everybody = { name: 'anonymous', rights: rightsIn(model, ANONYMOUS) };
  if (!maySeeRoles(routes, actor))
    return { callers: actor.id === 0 ? [everybody] : [everybody, { name: 'you', rights: rightsIn(model, actor) }] };
  const roles = site.roleNames().map((name) => ({ name, rights: rightsIn(model, ofRole(name, site)) }));
  return { callers: [everybody, ...roles] };
}

/** Callers who may create accounts see the roles that they choose among. */
function maySeeRoles(routes: readonly ResourceRoute[], actor: Actor): boolean {
  return routes.some(
    ({ model }) => model.faces.accounts && model.operations.has('create') && couldEver(model, 'create', actor),
  );
}

function ofRole(name: string, site: Site): Actor {
  return { ...ANONYMOUS, id: ANY_ACCOUNT, roles: [name], capabilities: site.capabilitiesOf([name]) };
}

function rightsIn(model: ResourceModel, actor: Actor): ResourceRights {
  const kinds = OPERATIONS.filter((kind) => model.operations.has(kind));
  return Object.fromEntries(kinds.map((kind) => [kind, rightsTo(kind, model, actor)]));
}

function rightsTo(kind: OperationKind, model: ResourceModel, actor: Actor): OperationRights {
  if (!inScope(actor, model.path, kind)) return { extent: 'none' };
  const steps = model.policy[kind];
  const always = steps.filter((step) => !isConditional(step)).map(({ needs }) => predicateFor(needs, actor));
  const read = READS.has(kind) ? model.rules.get('read') : undefined;
  const extent = extentOf(and(...always, ...(read ? [predicateFor(read, actor)] : [])), actor.id);
  const except =
    extent === 'none'
      ? []
      : [...steps.filter(isConditional).flatMap((step) => exceptionOf(step, actor)), ...lockedIn(kind, model, actor)];
  return except.length > 0 ? { extent, except } : { extent };
}

/** Fields that the caller may never set, or in some items only. */
function lockedIn(kind: OperationKind, model: ResourceModel, actor: Actor): Exception[] {
  if (kind !== 'create' && kind !== 'update') return [];
  const { accounts } = model.faces;
  const keepsRoles = accounts && !actor.capabilities.has(accounts.promote);
  const roles: Exception[] = keepsRoles ? [{ names: [accounts.fields.roles], extent: 'none' }] : [];
  const others = (model.rights?.write ?? []).flatMap(({ name, write }): Exception[] => {
    const extent = extentOf(predicateFor(write!, actor), actor.id);
    return extent === 'all' ? [] : [{ names: [name], extent }];
  });
  return [...roles, ...others];
}

function isConditional({ field, param }: PolicyStep): boolean {
  return field !== undefined || param !== undefined;
}

function exceptionOf(step: PolicyStep, actor: Actor): Exception[] {
  const extent = extentOf(predicateFor(step.needs, actor), actor.id);
  if (extent === 'all') return [];
  const names = step.field ?? [step.param!];
  const { in: within, notIn, notSelf } = step;
  return [
    { names, extent, ...(within ? { in: within } : {}), ...(notIn ? { notIn } : {}), ...(notSelf ? { notSelf } : {}) },
  ];
}
