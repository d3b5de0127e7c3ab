// Reads each recording in a thread of its own: when a file makes the parser run for ever, or use too much memory, the
// thread is terminated.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Semaphore } from 'async-mutex';
import { readRecording, type Recording } from './read-recording.js';

const FILE = fileURLToPath(new URL('./recording-worker.js', import.meta.url));
const MAX_MS = 5_000;
const MEMORY_MIB = 128;
/** Concurrent threads, and recordings that are read or wait at once; further ones are not read. */
const THREADS = 1;
const WAITING = 8;

const turns = new Semaphore(THREADS);
let waiting = 0;

/** Whether files of a media type are recordings. */
export function isRecording(mime: string): boolean {
  return /^(audio|video)\//.test(mime);
}

/**
 * The metadata of the file at a path; undefined when it is damaged, when reading it takes more than five seconds, or
 * when too many are being read. Never rejects.
 */
export async function recordingAt(path: string): Promise<Recording | undefined> {
  if (waiting >= WAITING) return undefined;
  waiting += 1;
  try {
    // In tests the compiled file of the thread is missing, and the recording is read directly.
    return await turns.runExclusive(() => (existsSync(FILE) ? inThread(path) : readRecording(path)));
  } catch {
    return undefined;
  } finally {
    waiting -= 1;
  }
}

/** Reads in a thread, which is terminated after its reply or after `maxMs`. */
export async function inThread(path: string, file = FILE, maxMs = MAX_MS): Promise<Recording> {
  const worker = new Worker(file, {
    workerData: path,
    // The thread needs no configuration, and gets no environment variables.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB, maxYoungGenerationSizeMb: 16 },
    stdout: true,
    stderr: true,
  });
  let late: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Recording>((resolve, reject) => {
      late = setTimeout(() => reject(new Error('the recording takes too long to read')), maxMs);
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended')));
    });
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}
