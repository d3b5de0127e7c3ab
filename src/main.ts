// Entry point of the server: configuration, schemas, database, application, listening. With WORKERS > 1 this process
// supervises worker processes that run the server.
import cluster from 'node:cluster';
import { closeSync, openSync, realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import type { FirstAdministrator } from './auth/first-administrator.js';
import { readConfig } from './config/config.js';
import { commandLine } from './errors/command-line.js';
import { StartupError, formatProblem, type Problem } from './errors/problem.js';
import { createLogger, type Log } from './http/request/logger.js';
import type { StartingServer } from './http/transport/starting-server.js';
import type { LiveSite } from './server/live-site.js';
import { Reloader } from './server/processes/reload.js';
import { Supervisor } from './server/processes/supervisor.js';
import { surviveUncaught } from './server/uncaught.js';
import { stateOfFiles, watchFiles } from './server/watch-files.js';
import { isLeader, onShutdown, othersServe, report, serveCalls } from './server/processes/worker-channel.js';
import type { Config } from './config/settings.js';

/** Flags of V8; measured in docs/performance.md. */
const V8_FLAGS = [
  // V8 lets a heap grow to several times its live size before it collects large texts that are no longer used.
  '--heap-growing-percent=35',
  // V8 interprets a function until it has run for a while. A write executes much code once: interpretation takes a
  // sixth of its time on SQLite.
  '--always-sparkplug',
  // With V8's own limit of 460 the same code is compiled again as part of many functions, which takes a fifth of the
  // processor time of the first thousands of writes.
  '--max-inlined-bytecode-size=200',
  // After 8 seconds without requests, garbage collection would also discard the hidden classes of objects, and the
  // optimized code that depends on them: the next requests would take as long as those after a start.
  '--gc-memory-reducer-start-delay-ms=2000000000',
  '--retain-maps-for-n-gc=1000',
];
for (const flag of V8_FLAGS) setFlagsFromString(flag);

/** Options of the command `serve`. */
export interface ServeOptions {
  /** Fills an empty site with sample content. */
  sample?: boolean;
  /** Applies saved schemas and roles while the server runs. */
  watch?: boolean;
}

const SAMPLE = '--sample';
/**
 * Milliseconds to close the database after the last request; less than the time after which a supervisor kills a
 * worker.
 */
const CLOSE_GRACE_MS = 2_000;
/** Milliseconds of a start after which the port is served already, so that health checks see a starting process. */
const LONG_START_MS = 5_000;

/**
 * Starts the server and stops it on SIGTERM or SIGINT; SIGHUP applies schemas and roles as they are. Prints every
 * problem and exits with 1 when it cannot start.
 */
export async function serve({ sample = false, watch = false }: ServeOptions = {}): Promise<void> {
  // Output that cannot be written, because the disk is full or the pipe is closed, must not end a server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const config = readConfig();
    const log = createLogger({ level: config.log.level, format: config.log.format });
    // Only the primary process reloads files; a terminal sends its signals to the workers too.
    if (cluster.isWorker) process.on('SIGHUP', () => undefined);
    const follow = cluster.isWorker ? () => undefined : followFiles(config, watch);
    if (cluster.isWorker || config.workers === 1) return await serveHere(config, log, { sample, follow });
    const program = fileURLToPath(import.meta.url);
    const args = sample ? [SAMPLE] : [];
    const { shutdown, worker: unresponsive } = config.timeouts;
    const files = { stateOfFiles: () => stateOfFiles(config), onServing: follow };
    new Supervisor({ program, args, workers: config.workers, shutdown, unresponsive, ...files }, log).start();
  } catch (error) {
    const problems = error instanceof StartupError ? error.problems : ofSystem(error);
    if (problems === undefined) throw error;
    await refuse(problems);
    process.exit(1);
  }
}

/**
 * The problem for an error of the system, a database or a service: the operator needs its message, but no stack trace.
 */
function ofSystem(error: unknown): readonly Problem[] | undefined {
  const { code } = error as { code?: unknown };
  // Errors of Node itself are programming errors.
  const isOutside = error instanceof Error && typeof code === 'string' && !code.startsWith('ERR_');
  return isOutside ? [{ file: 'server', message: `it cannot start: ${error.message}` }] : undefined;
}

/**
 * Listens to SIGHUP from now on. Returns a function that receives `reload`, which is called at each signal, once for
 * earlier signals, and, with `watch`, when files are saved.
 */
function followFiles(config: Config, watch: boolean): (reload: () => void) => void {
  const onTerminal = hasTerminal();
  let early = false;
  let apply = (): void => {
    early = true;
  };
  // Files that are saved during the start count as changes.
  const seen = watch ? stateOfFiles(config) : '';
  process.on('SIGHUP', () => {
    // A closed terminal also sends SIGHUP: the server ends, as it would without a handler.
    if (onTerminal && !hasTerminal()) process.kill(process.pid, 'SIGTERM');
    else apply();
  });
  return (reload) => {
    apply = reload;
    if (watch) watchFiles(() => stateOfFiles(config), reload, seen);
    if (early) reload();
  };
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

interface Here {
  sample: boolean;
  /** Sets the function that applies saved files. */
  follow: (reload: () => void) => void;
}

async function serveHere(config: Config, log: Log, { sample, follow }: Here): Promise<void> {
  let live: LiveSite | undefined;
  let administrator: FirstAdministrator | undefined;
  // The generated password is known to this start only, so a start that ends early prints it, too.
  const tellCredentials = () => {
    if (!administrator) return;
    for (const line of credentialLines({ administrator })) process.stdout.write(`${line}\n`);
    administrator = undefined;
  };
  const end = (site: LiveSite | undefined, code: number) => void endProcess(site, code, config, log);
  onShutdown(async () => {
    tellCredentials();
    end(live, 0);
  });
  // Imported lazily: the primary process does not need it.
  const { StartingServer } = await import('./http/transport/starting-server.js');
  const { LiveSite: Live } = await import('./server/live-site.js');
  const { startupBanner: welcome, credentialLines } = await import('./server/banner.js');
  const { sampleNews } = await import('./transfer/load/sample-content.js');
  const placeholder = new StartingServer(config.port, config.host);
  const { waiting, late } = watchStart(placeholder, log);
  const onAdministrator = (made: FirstAdministrator) => (administrator = made);
  const serving = async () => {
    const site = await Live.start(config, log, { waiting, first: isLeader(), onAdministrator });
    clearTimeout(late);
    const news = isLeader() ? await sampleNews(site.site.writer, sample) : undefined;
    await placeholder.close();
    await listen(site, config);
    return { started: site, news };
  };
  const { started, news } = await serving().catch((error: unknown) => {
    tellCredentials();
    throw error;
  });
  // The banner contains the password.
  administrator = undefined;
  live = started;
  surviveUncaught(log, () => end(started, 1));
  if (cluster.isWorker) {
    serveCalls(started);
    await report({ ready: welcome(config, started.site, news) });
    return;
  }
  const reloader = new Reloader(() => [started], log);
  follow(() => reloader.request());
  process.stdout.write(welcome(config, started.site, news));
}

/**
 * Lets the placeholder server respond when the start takes long, or when `waiting` is called because the database does
 * not respond. The caller clears the timer `late`.
 */
function watchStart(placeholder: StartingServer, log: Log): { waiting: () => void; late: NodeJS.Timeout } {
  // Beside workers that serve already, it would accept some of their requests and refuse them.
  const tell = othersServe() ? () => undefined : (reason: string) => placeholder.setReason(reason);
  const late = setTimeout(() => {
    log.warn('the start takes long: it changes or fills tables, or waits for another session that has locked them');
    tell('The site is still starting: its database is being prepared.');
  }, LONG_START_MS);
  const waiting = () => {
    late.refresh();
    tell('The database does not respond yet: waiting for it.');
  };
  return { waiting, late };
}

/** Closes the site and ends the process. Gives up connections to a database that does not respond. */
async function endProcess(site: LiveSite | undefined, code: number, { timeouts }: Config, log: Log): Promise<void> {
  const late = () => {
    log.warn('the database does not respond: its connections are given up');
    process.exit(code);
  };
  const timer = setTimeout(late, timeouts.shutdown + CLOSE_GRACE_MS);
  await site?.close().catch((error: unknown) => log.error(error));
  clearTimeout(timer);
  process.exit(code);
}

async function listen(site: LiveSite, { port, host }: Config): Promise<void> {
  try {
    await site.listen(port, host);
  } catch (error) {
    const why = NO_PLACE[(error as NodeJS.ErrnoException).code ?? ''];
    if (why === undefined) throw error;
    throw new StartupError([{ file: 'environment', path: why[0], message: `${host}:${port} ${why[1]}` }]);
  }
}

const NO_PLACE: Record<string, [variable: string, message: string]> = {
  EADDRINUSE: ['PORT', 'is taken by another process'],
  EACCES: ['PORT', 'may not be listened on by this user'],
  EADDRNOTAVAIL: ['HOST', 'is not an address of this machine'],
  ENOTFOUND: ['HOST', 'is not an address of this machine'],
  EAI_AGAIN: ['HOST', 'is a name that cannot be resolved'],
  EAFNOSUPPORT: ['HOST', 'is an address of a kind that this machine does not have'],
  EINVAL: ['HOST', 'is not an address that can be listened on'],
};

async function refuse(problems: readonly Problem[]): Promise<void> {
  if (cluster.isWorker) return report({ refused: problems });
  for (const problem of problems) process.stderr.write(`${formatProblem(problem)}\n`);
}

/** Adds the options of `ServeOptions` to a command. */
export function withServeOptions(command: Command): Command {
  return command
    .option(SAMPLE, 'fill a site that is still empty with sample content first')
    .option('--watch', 'apply saved schemas and roles without a restart (docs/operations.md, "Live schemas")');
}

/** Serves with the options of this program's command line. Ends the process after `--help`, and for unknown options. */
async function run(argv: readonly string[]): Promise<void> {
  if (argv.length === 2) return serve();
  // The arguments of a worker come from the supervisor.
  if (cluster.isWorker) return serve({ sample: argv.includes(SAMPLE) });
  // Imported lazily: a start without options does not need it.
  const { Command } = await import('commander');
  const command = withServeOptions(new Command('node dist/main.js'))
    .description(
      `Starts the server, which environment variables configure (docs/configuration.md).\nOther commands: ${commandLine('--help')}`,
    )
    .showHelpAfterError();
  return serve(command.parse(argv).opts());
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) await run(process.argv);
