// Entry file of the worker threads of the text pool: runs one text function by name.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TASKS } from './tasks.js';

/** One job. */
export interface TextJob {
  /** Name of the function in tasks.ts. */
  name: string;
  texts: string[];
  /** Maximum number of characters of its result. */
  resultCharacters: number;
}

/** Characters of texts after which the garbage of a job is collected at once: an idle thread would keep it. */
const LARGE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Runs a job. @throws RangeError when the result is too large to be transferred */
export default function run({ name, texts, resultCharacters }: TextJob): unknown {
  if (texts.reduce((sum, text) => sum + text.length, 0) > LARGE) setImmediate(collectGarbage);
  const result = TASKS.get(name)!(...texts);
  if (typeof result === 'string' && result.length > resultCharacters) throw new RangeError('The result is too large.');
  return result;
}
