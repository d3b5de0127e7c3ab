// Runs the functions of extensions: the origin of an error is recorded, a slow call is logged, and an error while the
// schema files are compiled becomes a problem with file and line.
import { blame, nameOrigin } from '../../errors/blame.js';
import { StartupError } from '../../errors/problem.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { ExtensionFile } from './place.js';

/** Milliseconds after which a call inside a request is logged. */
const SLOW_MS = 200;

/** Called for slow calls. */
export type OnSlow = (what: string, ms: number) => void;

type Run = (...args: any[]) => any;

/** Wraps a function that is called in requests. `what`: `the hook "saved" of extensions/stock.ts`. */
export function guarded<F extends Run>(run: F, what: string, onSlow: OnSlow): F {
  const call = function (this: unknown, ...args: unknown[]): unknown {
    const begin = performance.now();
    const end = () => {
      const ms = performance.now() - begin;
      if (ms > SLOW_MS) onSlow(what, ms);
    };
    try {
      const result: unknown = run.apply(this, args);
      if (!(result instanceof Promise)) {
        end();
        return result;
      }
      return result.then(
        (value: unknown) => {
          end();
          return value;
        },
        (error: unknown) => {
          throw withOrigin(error, what);
        },
      );
    } catch (error) {
      throw withOrigin(error, what);
    }
  };
  nameOrigin(call, what);
  return call as F;
}

/**
 * The same for a function that must be synchronous: a returned promise is an error, because it would be presented as
 * `{}`, or be taken for the refusal of a value.
 */
export function guardedSync<F extends Run>(run: F, what: string, onSlow: OnSlow): F {
  const call = function (this: unknown, ...args: unknown[]): unknown {
    const result: unknown = run.apply(this, args);
    if (!(result instanceof Promise)) return result;
    result.catch(() => undefined);
    throw new TypeError('it returned a promise; it must not be async');
  };
  return guarded(call as F, what, onSlow);
}

/** Runs work whose errors only reach the log; adds the origin of the work to them. */
export async function blaming(work: () => void | Promise<void>, what: string): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw blame(error, what);
  }
}

function withOrigin(error: unknown, what: string): unknown {
  return error instanceof ResourceError ? error : blame(error, what);
}

/** Wraps the functions of an object that are called while schema files are compiled. `noun`: `the trait "numbered"`. */
export function guardedParts<T extends object>(parts: T, file: ExtensionFile, noun: string): T {
  const entries = Object.entries(parts).map(([key, value]) => {
    if (typeof value !== 'function') return [key, value] as const;
    const run = value as Run;
    const call = function (this: unknown, ...args: unknown[]): unknown {
      try {
        return run.apply(parts, args);
      } catch (error) {
        if (error instanceof StartupError || error instanceof ResourceError) throw error;
        throw new StartupError([file.problemOf(error, `${noun} threw an error in "${key}"`)]);
      }
    };
    return [key, call] as const;
  });
  return Object.fromEntries(entries) as T;
}
