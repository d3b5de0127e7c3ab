// The server: configuration, schemas, database, application, listening. Started by `npm start`, `node dist/main.js` and `typecase serve`.
import { pathToFileURL } from 'node:url';
import { readConfig, type Config } from './config.js';
import { BootError, formatProblem } from './errors/problem.js';
import { createLogger } from './http/logger.js';
import { drain } from './http/shutdown.js';
import { WaitingRoom } from './http/waiting-room.js';
import { welcome } from './welcome.js';
import { startSite, type RunningSite } from './start-site.js';

/** Starts the server and stops it on SIGTERM or SIGINT; exits with 1 and every problem printed when it cannot start. */
export async function serve(): Promise<void> {
  try {
    const config = readConfig();
    const room = new WaitingRoom(config.port, config.host);
    const log = createLogger({ level: config.log.level, format: config.log.format });
    const site = await startSite(config, log, () =>
      room.say('The database does not answer yet. It is being waited for.'),
    );
    await room.close();
    await site.app.listen(config.port, config.host);
    process.stdout.write(welcome(config, site));
    stopOnSignal(config, site);
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    for (const problem of error.problems) process.stderr.write(`${formatProblem(problem)}\n`);
    process.exit(1);
  }
}

function stopOnSignal(config: Config, site: RunningSite): void {
  const stop = async () => {
    site.stopping = true;
    await drain(site.app.getHttpServer(), { timeoutMs: config.timeouts.shutdown });
    await site.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await serve();
