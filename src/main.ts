// Entry point of the server: configuration, schemas, database, application, listening. With WORKERS > 1 this process
// supervises worker processes that run the server.
import cluster from 'node:cluster';
import { realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { readConfig, type Config } from './config/config.js';
import { BootError, formatProblem, type Problem } from './errors/problem.js';
import { createLogger, type Log } from './http/request/logger.js';
import type { RunningSite } from './server/start-site.js';
import { Supervisor } from './server/supervisor.js';
import { surviveUncaught } from './server/uncaught.js';
import { isLeader, report, onShutdown } from './server/worker-channel.js';

// V8 lets a heap grow to several times its live size before it collects large texts that are no longer used.
setFlagsFromString('--heap-growing-percent=35');

/** Starts the server and stops it on SIGTERM or SIGINT; prints every problem and exits with 1 when it cannot start. */
export async function serve(): Promise<void> {
  try {
    const config = readConfig();
    const log = createLogger({ level: config.log.level, format: config.log.format });
    if (cluster.isWorker || config.workers === 1) return await serveHere(config, log);
    const program = fileURLToPath(import.meta.url);
    new Supervisor({ program, workers: config.workers, shutdown: config.timeouts.shutdown }, log).start();
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    await refuse(error.problems);
    process.exit(1);
  }
}

async function serveHere(config: Config, log: Log): Promise<void> {
  let site: RunningSite | undefined;
  onShutdown(async () => {
    if (site) await end(site, config);
    process.exit(0);
  });
  // Imported lazily: the primary process does not need it.
  const { StartingServer } = await import('./http/transport/starting-server.js');
  const { startSite } = await import('./server/start-site.js');
  const { startupBanner: welcome } = await import('./server/banner.js');
  const room = new StartingServer(config.port, config.host);
  const waiting = () => room.setReason('The database does not answer yet. It is being waited for.');
  const started = await startSite(config, log, { waiting, first: isLeader() });
  await room.close();
  await listen(started, config);
  site = started;
  surviveUncaught(log, () => void end(started, config).finally(() => process.exit(1)));
  if (cluster.isWorker) await report({ ready: welcome(config, site) });
  else process.stdout.write(welcome(config, site));
}

async function end(site: RunningSite, config: Config): Promise<void> {
  const { drain } = await import('./http/transport/drain.js');
  site.stopping = true;
  await drain(site.app.getHttpServer(), { timeoutMs: config.timeouts.shutdown });
  await site.close();
}

async function listen(site: RunningSite, { port, host }: Config): Promise<void> {
  try {
    await site.app.listen(port, host);
  } catch (error) {
    const why = NO_PLACE[(error as NodeJS.ErrnoException).code ?? ''];
    if (why === undefined) throw error;
    throw new BootError([{ file: 'environment', path: why[0], message: `${host}:${port} ${why[1]}` }]);
  }
}

const NO_PLACE: Record<string, [variable: string, message: string]> = {
  EADDRINUSE: ['PORT', 'is taken by another process'],
  EACCES: ['PORT', 'may not be listened on by this user'],
  EADDRNOTAVAIL: ['HOST', 'is no address of this machine'],
  ENOTFOUND: ['HOST', 'is no address of this machine'],
};

async function refuse(problems: readonly Problem[]): Promise<void> {
  if (cluster.isWorker) return report({ refused: problems });
  for (const problem of problems) process.stderr.write(`${formatProblem(problem)}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) await serve();
