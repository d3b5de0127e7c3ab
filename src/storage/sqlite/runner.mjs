// @ts-check
// A SQLite connection in a worker thread or a child process. Plain JavaScript, because Node starts it directly: from
// dist/, and from src/ under tests. The types below are those of remote.ts, which starts it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { plain, StatementRunner } from './statement-runner.mjs';

/**
 * @typedef {import('./remote.js').Opening} Opening
 * @typedef {import('./remote.js').Reply} Reply
 */

setFlagsFromString('--expose-gc');
const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));

/** @type {Opening} */
const opening = parentPort ? workerData : JSON.parse(process.argv[2] ?? '');

/** @type {(reply: Reply) => void} */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
const send = parentPort ? (reply) => parentPort?.postMessage(reply) : (reply) => void process.send?.(reply);

if (!parentPort) {
  // It ends with its parent process, not with the signals of a terminal, which reach both.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
}

try {
  const runner = new StatementRunner(opening, send, () => setImmediate(collectGarbage));
  send({ ms: 0, open: false });
  (parentPort ?? process).on('message', (request) => {
    runner.serve(request);
    if (!runner.driver) end();
  });
} catch (error) {
  send({ ms: 0, open: false, error: plain(error) });
}

/** Without a port the thread ends by itself. Terminating it while the driver works would end the whole process. */
function end() {
  if (parentPort) parentPort.close();
  else process.disconnect?.();
}
