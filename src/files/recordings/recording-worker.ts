// Entry file of the thread that reads one recording.
import { parentPort, workerData } from 'node:worker_threads';
import { readRecording } from './read-recording.js';

parentPort!.postMessage(await readRecording(workerData as string));
