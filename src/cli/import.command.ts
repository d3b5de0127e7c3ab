// `import <file.xml>`: imports the content of a WordPress export.
import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config/config.js';
import { incomingFolder } from '../config/folders.js';
import { createCommandLogger } from '../http/request/logger.js';
import { ImportProblem } from '../transfer/import-problem.js';
import { formatSummary } from '../transfer/import-summary.js';
import { checkReadable } from '../transfer/text-source.js';
import { ProgressBar } from '../transfer/progress-bar.js';
import { importWxr } from '../transfer/wxr/wxr-import.js';
import { type AllowedHost, parseAllowedHost } from '../outgoing/public-address.js';
import { announceAdministrator } from './announce.js';
import { openSite } from '../server/open-site.js';

interface Options {
  dryRun?: boolean;
  files?: boolean;
  allowHost: AllowedHost[];
  allowPrivate?: boolean;
}

/** Adds the command. */
export function importCommand(program: Command): void {
  program
    .command('import <file>')
    .description('import a WordPress export (WXR)')
    .option('--dry-run', 'say what would be done, write nothing')
    .option('--files', 'fetch the files of attachments too, from the hosts of --allow-host')
    .option(
      '--allow-host <name[:port]>',
      'fetch files from this host (repeatable); a name must resolve to public IP addresses',
      hostList,
      [],
    )
    .option('--allow-private', 'the hosts of --allow-host may have IP addresses that are not public')
    .action(async (file: string, options: Options) => {
      const config = readConfig();
      await checkReadable(file).catch(rethrowFor(file));
      const site = await openSite(config, createCommandLogger(config.log), { bulk: true });
      announceAdministrator(site);
      const bar = new ProgressBar(process.stderr, 'import', 'bytes');
      try {
        const importing = importWxr(file, site.writer, {
          ...options,
          allowHosts: options.allowHost,
          incoming: incomingFolder(config),
          onProgress: (done, total) => bar.update(done, total),
        });
        const summary = await importing.catch(rethrowFor(file)).finally(() => bar.end());
        process.stdout.write(`${formatSummary(summary)}\n`);
      } finally {
        await site.close();
      }
    });
}

/** Rethrows an error; adds the name of the file, and the line where there is one, to an ImportProblem. */
function rethrowFor(file: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ImportProblem)) throw error;
    const { line, reason } = error;
    throw new Error(`${file}${line > 0 ? `:${line}` : ''}: ${reason}`, { cause: error });
  };
}

function hostList(text: string, before: AllowedHost[]): AllowedHost[] {
  const host = parseAllowedHost(text);
  if (!host)
    throw new InvalidArgumentError('Give a host name or an IP address, optionally with a port: files.example:8080.');
  return [...before, host];
}
