// Entry file of the worker threads of the text pool: runs one text function by name.
import { TASKS } from './tasks.js';

/** One job. */
export interface TextJob {
  /** Name of the function in tasks.ts. */
  name: string;
  texts: string[];
  /** Maximum number of characters of its result. */
  resultCharacters: number;
}

/** Runs a job. @throws RangeError when the result is too large to be transferred */
export default function run({ name, texts, resultCharacters }: TextJob): unknown {
  const result = TASKS.get(name)!(...texts);
  if (typeof result === 'string' && result.length > resultCharacters) throw new RangeError('The result is too large.');
  return result;
}
