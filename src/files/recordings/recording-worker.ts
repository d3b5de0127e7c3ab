// Entry file of the thread that reads one recording.
import { parentPort, workerData } from 'node:worker_threads';
import { readRecording } from './read-recording.js';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, no window
parentPort!.postMessage(await readRecording(workerData as string));
