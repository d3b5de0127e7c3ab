// Runs the program of a project for the pages of the documentation: commands and one server at a time, in this process.
// Most of the time of a short command goes into loading the program. Started with the URL of dist/ and a socket to
// listen on; reader.sh sends the requests.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [dist, socket] = process.argv.slice(2);
const { load } = await import(`${dist}load-bundle.mjs`);
const { run } = await load('cli');

/** How a process of its own would have ended. */
class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'unhandledRejection', 'uncaughtException'];
/** Listeners that a server adds; they go with it. */
const listeners = () => SIGNALS.flatMap((name) => process.listeners(name).map((listener) => ({ name, listener })));

const { exit } = process;
// Exits with its parent process.
process.stdin.once('end', () => exit.call(process, 0)).resume();

let exited = () => undefined;
process.exit = (code = process.exitCode ?? 0) => {
  exited(Number(code));
  throw new Exit(Number(code));
};
// `process.exit` in a promise that is not awaited.
process.on('unhandledRejection', (reason) => {
  if (!(reason instanceof Exit)) throw reason;
});
const own = listeners().map(({ listener }) => listener);

/** Runs `work` with the environment and the folder of a request; output is written to its files. */
async function runWith({ env, cwd, out, err }, work) {
  const before = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode };
  const streams = [process.stdout, process.stderr];
  const writes = streams.map(({ write }) => write);
  try {
    process.env = env;
    process.chdir(cwd);
    process.exitCode = 0;
    [out, err].forEach((file, at) => {
      streams[at].write = (text, ...rest) => {
        writeFileSync(file, text, { flag: 'a' });
        rest.find((each) => typeof each === 'function')?.();
        return true;
      };
    });
    return await work();
  } catch (error) {
    if (error instanceof Exit) return error.code;
    writeFileSync(err, `${error.stack}\n`, { flag: 'a' });
    return 1;
  } finally {
    streams.forEach((stream, at) => (stream.write = writes[at]));
    process.chdir(before.cwd);
    Object.assign(process, { env: before.env, exitCode: before.exitCode });
  }
}

const command = (args) => async () => {
  await run([process.execPath, 'typecase', ...args]);
  return Number(process.exitCode);
};

/** Ends the server as SIGTERM does; returns its exit code. */
async function stop() {
  const ended = new Promise((resolve) => (exited = resolve));
  process.emit('SIGTERM', 'SIGTERM');
  const code = await ended;
  for (const { name, listener } of listeners()) if (!own.includes(listener)) process.removeListener(name, listener);
  return code;
}

const HANDLERS = {
  run: (request) => runWith(request, command(request.args)),
  serve: (request) => runWith(request, command(['serve', ...request.args])),
  stop,
};

/** A request is a folder with what it is made of, as reader.sh leaves it. */
function read(folder) {
  const list = (name) => readFileSync(`${folder}/${name}`, 'utf8').split('\0').slice(0, -1);
  const variables = list('env').map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]);
  const env = Object.fromEntries(variables);
  return { env, cwd: env.PWD, args: list('args'), out: `${folder}/out`, err: `${folder}/err` };
}

createServer(async (request, response) => {
  const { pathname: what, searchParams } = new URL(request.url, 'http://host');
  const code = await HANDLERS[what.slice(1)](what === '/stop' ? undefined : read(searchParams.get('folder')));
  response.end(String(code));
}).listen(socket);
