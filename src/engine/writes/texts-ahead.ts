// Results of the text functions of new items, computed in threads while the transaction before the one that writes the
// items runs. A missing result is computed when it is needed. (docs/architecture.md, "Storage": many new rows)
import type { TextCall, TextCallsRunner, TextFunction, TextRunner } from '../../model/runtime/texts.js';

/** Characters of the texts of one job: it is sent while the next calls are noted. */
const JOB_CHARACTERS = 256 * 1024;
/** Characters below which a text is worked on directly: a message to a thread would take longer. */
const MIN_CHARACTERS = 256;

interface Known extends TextCall {
  result: unknown;
}

/** See above. For the items of one transaction. */
export class TextsAhead {
  /** By function and longest text. */
  readonly #known = new Map<TextFunction, Map<string, Known[]>>();
  readonly #jobs: Promise<void>[] = [];
  #calls: TextCall[] = [];
  #characters = 0;

  constructor(private readonly runCalls: TextCallsRunner) {}

  /** Records the calls of `work`. Their results are empty texts here, so what it computes from them is not used. */
  note(work: (run: TextRunner) => void): void {
    try {
      work((run, ...texts) => {
        if (isShort(texts)) return run(...texts);
        this.#add({ work: run, texts });
        return '' as ReturnType<typeof run>;
      });
    } catch {
      // The write itself reports what is wrong with the item.
    }
  }

  /** Resolves when all results that can be had are there. */
  async ready(): Promise<void> {
    this.#send();
    await Promise.all(this.#jobs);
  }

  /** The result of a call, computed ahead or now. */
  readonly run: TextRunner = (work, ...texts) => {
    if (isShort(texts)) return work(...texts);
    const alike = this.#known.get(work)?.get(longestOf(texts));
    const known = alike?.find((call) => call.texts.every((text, at) => text === texts[at]));
    return known ? (known.result as ReturnType<typeof work>) : work(...texts);
  };

  #add(call: TextCall): void {
    this.#calls.push(call);
    this.#characters += lengthOf(call.texts);
    if (this.#characters >= JOB_CHARACTERS) this.#send();
  }

  #send(): void {
    const calls = this.#calls;
    this.#calls = [];
    this.#characters = 0;
    if (calls.length > 0) this.#jobs.push(this.#results(calls));
  }

  async #results(calls: readonly TextCall[]): Promise<void> {
    const results = await this.runCalls(calls);
    for (const [at, call] of calls.entries())
      if (results[at] !== undefined) this.#keep({ ...call, result: results[at] });
  }

  #keep(known: Known): void {
    const ofWork = this.#known.get(known.work) ?? new Map<string, Known[]>();
    this.#known.set(known.work, ofWork);
    const longest = longestOf(known.texts);
    const alike = ofWork.get(longest);
    if (alike) alike.push(known);
    else ofWork.set(longest, [known]);
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function longestOf(texts: readonly string[]): string {
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}

function isShort(texts: readonly string[]): boolean {
  return lengthOf(texts) < MIN_CHARACTERS;
}
