// Runs the command line in a process of its own and kills it before its n-th writing statement: KILL_AT and the words of the command.
// Prints how many such statements there were when it was not killed. Run by interrupted.spec.ts.
const { load: source } = await import(process.env.BUNDLE);
const killAt = Number(process.env.KILL_AT ?? -1);
delete process.env.KILL_AT;
let statements = 0;

for (const [file, name] of [
  ['storage/sqlite/writer', 'SqliteWriter'],
  ['storage/mysql/session', 'MysqlSession'],
  ['storage/postgres/session', 'PostgresSession'],
]) {
  const { prototype } = (await source(file))[name];
  for (const method of ['exec', 'run']) {
    const real = prototype[method];
    prototype[method] = function (...given) {
      if (!/^\s*(SET|PRAGMA|ANALYZE)\b/.test(given[0]) && statements++ === killAt) process.kill(process.pid, 'SIGKILL');
      return real.apply(this, given);
    };
  }
}
// The command alone: a whole command line takes longer to load than to run.
const { Command } = await import('commander');
const { migrateCommand } = await source('cli/migrate.command');
const program = new Command();
migrateCommand(program);
await program.parseAsync(['node', 'typecase', ...process.argv.slice(2)]);
process.stdout.write(`statements: ${statements}\n`);
