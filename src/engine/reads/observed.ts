// An operation that records whether its planning accesses anything but model, parameters, settings, and the id, roles
// and capabilities of the caller: if not, the result may be cached for all requests that are equal in these.
import { ruleTimeReads } from '../../model/runtime/clock.js';
import type { Actor } from '../../model/actor.js';
import { newOperation } from '../../model/new-operation.js';
import type { Operation } from '../../model/operation.js';
import type { Site } from '../../model/site/site.js';

/** A copy of an operation, and whether it has looked at nothing else so far. */
export interface Observed {
  op: Operation;
  isClean(): boolean;
}

/** Observes a copy of an operation. */
export function observe(of: Operation): Observed {
  const times = ruleTimeReads();
  let looked = false;
  const look = (): void => void (looked = true);
  const { id, roles, capabilities } = of.actor;
  const actor = watch({ id, roles, capabilities } as Actor, ['address', 'agent', 'via', 'applicationPassword'], look);
  const op = newOperation({
    ...of,
    actor,
    site: watch(Object.create(of.site) as Site, ['now', 'signFile', 'itemPasswords'], look, of.site),
    store: recordAccess(look),
    headers: recordAccess(look),
    params: { ...of.params },
    state: {},
    related: new Map(),
  });
  return {
    op,
    isClean: () => !looked && times === ruleTimeReads() && Object.keys(op.state).length === 0 && op.related.size === 0,
  };
}

function watch<T extends object>(target: T, names: readonly string[], look: () => void, from: object = target): T {
  for (const name of names) {
    const value: unknown = Reflect.get(from, name);
    const get = () => {
      look();
      return value;
    };
    Object.defineProperty(target, name, { get, enumerable: true });
  }
  return target;
}

// Results of the database and of headers are never cached: access to them is recorded and returns undefined.
function recordAccess(look: () => void): never {
  const get = (_target: object, name: string | symbol) => {
    if (name !== 'then') look();
    return undefined;
  };
  return new Proxy({}, { get }) as never;
}
