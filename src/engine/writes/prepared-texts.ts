// Processes large texts off the event loop and outside the transaction. Inside a transaction, a slow text function is
// not run: its missing result aborts the transaction, the pool computes what is missing, and the transaction runs again
// with the results. The database never waits for text processing.
import { ResourceError } from '../../errors/resource-error.js';
import type { TextCall, TextPoolRunner, TextRunner } from '../../model/runtime/texts.js';
import { TextLimitError } from '../../text/pool/text-pool.js';
import { MemoryMissing, type WriteMemory } from './write-memory.js';

/** Maximum length of texts that are processed directly, in characters. */
const MAX_DIRECT_CHARACTERS = 16_384;
/** Maximum number of rounds: a write that needs more competes with constant changes of the item. */
const MAX_ROUNDS = 8;

/** Aborts a transaction that needs the results of text functions. */
export class TextsMissing extends Error {
  constructor(readonly calls: TextCall[]) {
    super('Large texts have to be worked on before the transaction.');
    this.name = 'TextsMissing';
  }
}

/** The results of text functions for one write. */
export class PreparedTexts {
  readonly #results: (TextCall & { result: unknown })[] = [];

  constructor(private readonly pool: TextPoolRunner) {}

  /** Computes the result for small texts, returns the prepared one for large texts. @throws TextsMissing without one */
  readonly run: TextRunner = (work, ...texts) => {
    if (texts.every((text) => text.length <= MAX_DIRECT_CHARACTERS)) return work(...texts);
    const found = this.#results.find(
      (call) => call.work === work && call.texts.every((text, at) => text === texts[at]),
    );
    if (!found) throw new TextsMissing([{ work, texts }]);
    return found.result as ReturnType<typeof work>;
  };

  /**
   * Runs `attempt` until every text result and the memory it needs is available.
   * @throws ResourceError when the pool's limits are exceeded
   */
  async complete<T>(attempt: () => Promise<T>, memory?: WriteMemory): Promise<T> {
    for (let round = 1; ; round++) {
      try {
        return await attempt();
      } catch (error) {
        if (round === MAX_ROUNDS) throw error;
        if (error instanceof TextsMissing) await this.#prepare(error.calls);
        else if (memory && error instanceof MemoryMissing) await memory.reserve(error.bytes);
        else throw error;
      }
    }
  }

  async #prepare(calls: TextCall[]): Promise<void> {
    const results = await Promise.all(calls.map(({ work, texts }) => this.pool(work, ...texts)));
    this.#results.push(...calls.map((call, at) => ({ ...call, result: results[at] })));
  }
}

/** Runs independent steps; their missing results are requested together. @throws TextsMissing */
export function eachText<T>(steps: Iterable<T>, run: (step: T) => void): void {
  const missing: TextCall[] = [];
  for (const step of steps) {
    try {
      run(step);
    } catch (error) {
      if (!(error instanceof TextsMissing)) throw error;
      missing.push(...error.calls);
    }
  }
  if (missing.length > 0) throw new TextsMissing(missing);
}

/** Runs text functions in a pool; exceeding its limits throws 413, a full queue 503. */
export function limitedPool(pool: TextPoolRunner): TextPoolRunner {
  return async (work, ...texts) => {
    try {
      return await pool(work, ...texts);
    } catch (error) {
      if (!(error instanceof TextLimitError)) throw error;
      if (error.reason === 'costly') throw new ResourceError('rest_text_too_costly');
      throw new ResourceError('rest_unavailable', { headers: { 'Retry-After': '5' } });
    }
  };
}
