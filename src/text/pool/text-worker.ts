// Entry file of the worker threads of the text pool: runs text functions by name.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TASKS } from './tasks.js';

/** One call. */
interface TextJob {
  /** Name of the function in tasks.ts. */
  name: string;
  texts: string[];
}

interface Limits {
  /** Maximum number of characters of one result. */
  resultCharacters: number;
}

/** Characters of texts after which the garbage of a job is collected at once: an idle thread would keep it. */
const LARGE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Runs a job. @throws RangeError when the result is too large to be transferred */
export default function run({ name, texts, resultCharacters }: TextJob & Limits): unknown {
  if (texts.reduce((sum, text) => sum + text.length, 0) > LARGE) setImmediate(collectGarbage);
  const result = TASKS.get(name)!(...texts);
  if (typeof result === 'string' && result.length > resultCharacters) throw new RangeError('The result is too large.');
  return result;
}

/** Runs several jobs; undefined stands for those that are absent or fail. */
export function runMany({ jobs, ...limits }: { jobs: (TextJob | undefined)[] } & Limits): unknown[] {
  return jobs.map((job) => {
    try {
      return job && run({ ...job, ...limits });
    } catch {
      return undefined;
    }
  });
}
