// Several operations in one transaction: all of them are committed, or none.
import { ResourceError } from '../../errors/resource-error.js';
import type { Operation, OutputBudget } from '../../model/operation.js';
import type { Store, Transaction } from '../../model/store.js';
import type { TextPoolRunner } from '../../model/runtime/texts.js';
import { compensate } from '../writes/compensate.js';
import { duplicateError, isDuplicate } from '../writes/duplicate.js';
import { failedWrite } from '../writes/failed-write.js';
import { PreparedTexts } from '../writes/prepared-texts.js';
import { ResourceService } from '../resource.service.js';
import { WriteMemory } from '../writes/write-memory.js';

/** Carries an error that ends the transaction past the handlers of the single operation. */
class Aborted extends Error {
  constructor(override readonly cause: unknown) {
    super('The transaction of several operations has ended.');
  }
}

/** The operations of one transaction. */
export interface TransactionScope {
  readonly tx: Transaction;
  readonly service: ResourceService;
  /** Runs one of them. Its error, if it is a `ResourceError`, is that of the operation. */
  run<T>(op: Operation, work: () => Promise<T>): Promise<T>;
}

/** What operations in one transaction share. */
export interface AtomicOptions {
  store: Store;
  /** Runs functions on large texts, before the transaction. */
  runText?: TextPoolRunner | undefined;
  budget: OutputBudget;
  /** What is thrown for the operation whose write the database rejects; default: `refusal`, the error of its resource. */
  onRejected?(refusal: ResourceError): unknown;
}

/**
 * Runs `work` in one transaction, and again from its start when the database or a large text requires it. Whatever it
 * throws rolls the transaction back and undoes what its operations did outside the database.
 */
export async function atomically<T>(options: AtomicOptions, work: (scope: TransactionScope) => Promise<T>): Promise<T> {
  const texts = new PreparedTexts(options.runText ?? (async (run, ...args) => run(...args)));
  const memory = new WriteMemory(options.budget);
  let duplicates = 0;
  let failed: Operation | undefined;
  const attempt = () =>
    options.store.transaction(async (tx) => {
      failed = undefined;
      const done: Operation[] = [];
      const service = new ResourceService(storeOfTransaction(tx, options.store), texts);
      const run = async <R>(op: Operation, one: () => Promise<R>): Promise<R> => {
        op.store = tx;
        if (duplicates > 0) op.state.repeats = true;
        try {
          const result = await one();
          done.push(op);
          return result;
        } catch (error) {
          if (!(error instanceof Aborted)) throw error;
          failed = op;
          // After the first duplicate the work runs again: then the checks of the operation may report it.
          if (!isDuplicate(error.cause) || duplicates === 0) throw error;
          throw (await duplicateError(error.cause, op, options.store.reader)) ?? error;
        }
      };
      try {
        return await work({ tx, service, run });
      } catch (error) {
        for (const op of done) await compensate(op);
        throw error instanceof Aborted ? error.cause : error;
      }
    });
  const attemptTwice = () =>
    attempt().catch((error) => (isDuplicate(error) && duplicates++ === 0 ? attempt() : Promise.reject(error)));
  try {
    return await texts.complete(attemptTwice, memory);
  } catch (error) {
    // Only now: the store retries the transaction after most errors, or reports what is wrong with the database.
    const refusal = failed && failedWrite(error, failed);
    throw refusal ? (options.onRejected?.(refusal) ?? refusal) : error;
  }
}

/** The store as one operation sees it inside a transaction that has begun. */
function storeOfTransaction(tx: Transaction, store: Store): Store {
  return {
    reader: store.reader,
    readFor: (_caller, work) => work(tx),
    noteWrite: () => undefined,
    snapshot: (work) => work(tx),
    close: async () => undefined,
    async transaction(work) {
      try {
        return await work(tx);
      } catch (error) {
        throw error instanceof ResourceError ? error : new Aborted(error);
      }
    },
  };
}
