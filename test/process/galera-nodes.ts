// Three nodes of a Galera cluster on this machine, each in a folder of its own, on free ports of the loopback. Used by galera.cluster.ts.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../support/fresh-database.js';
import { freePort } from '../support/built-program.js';

/** Longest wait for a node to join, in milliseconds. */
const PATIENCE = 120_000;
const PROVIDER = process.env['GALERA_PROVIDER'] || '/usr/lib/galera/libgalera_smm.so';

interface Ports {
  sql: number;
  group: number;
  ist: number;
  sst: number;
}

/** A cluster whose nodes can be killed one at a time. */
export class GaleraNodes {
  private readonly folder = mkdtempSync(join(tmpdir(), 'typecase-galera-'));
  private readonly nodes: (ChildProcess | undefined)[] = [];

  private constructor(private readonly ports: Ports[]) {}

  /** Starts `count` nodes one after the other. Throws where Galera is not installed. */
  static async start(count = 3): Promise<GaleraNodes> {
    if (!existsSync(PROVIDER))
      throw new Error(`There is no ${PROVIDER}: install galera-4, or name it in GALERA_PROVIDER`);
    const ports: Ports[] = [];
    for (let node = 0; node < count; node += 1)
      ports.push({ sql: await freePort(), group: await freePort(), ist: await freePort(), sst: await freePort() });
    const cluster = new GaleraNodes(ports);
    try {
      await cluster.found();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Address of one node, or of all beginning with `first`. */
  url(database: string, first = 0, all = true): string {
    const order = this.ports.map((_, index) => this.ports[(first + index) % this.ports.length]!.sql);
    return `mysql://root@${(all ? order : order.slice(0, 1)).map((port) => `127.0.0.1:${port}`).join(',')}/${database}`;
  }

  async kill(node: number): Promise<void> {
    await this.end(node, 'SIGKILL');
  }

  /** Starts a node that was killed and waits until it has caught up. */
  async restart(node: number): Promise<void> {
    await this.run(node, [`--wsrep-start-position=${this.recovered(node)}`]);
  }

  async stop(): Promise<void> {
    for (let node = 0; node < this.nodes.length; node += 1) await this.kill(node);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What a node says last; for messages. */
  tail(node: number): string {
    return readFileSync(join(this.folder, `${node}.log`), 'utf8')
      .split('\n')
      .slice(-40)
      .join('\n');
  }

  /** One node begins and is copied while it stands, so that the others join without a transfer of files. */
  private async found(): Promise<void> {
    this.install(0);
    await this.run(0, ['--wsrep-new-cluster']);
    await this.end(0, 'SIGTERM');
    for (const own of ['galera.cache', 'gvwstate.dat']) rmSync(join(this.data(0), own), { force: true });
    for (let node = 1; node < this.ports.length; node += 1) cpSync(this.data(0), this.data(node), { recursive: true });
    await this.run(0, ['--wsrep-new-cluster']);
    for (let node = 1; node < this.ports.length; node += 1) await this.run(node, []);
  }

  private async end(node: number, signal: NodeJS.Signals): Promise<void> {
    const process = this.nodes[node];
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    process.kill(signal);
    await once(process, 'exit');
  }

  private install(node: number): void {
    mkdirSync(this.data(node));
    if (ROOT) execFileSync('chown', ['-R', 'mysql', this.folder]);
    const options = ['--no-defaults', `--datadir=${this.data(node)}`, '--auth-root-authentication-method=normal'];
    execFileSync('mariadb-install-db', [...options, '--skip-test-db', ...AS_USER], { stdio: 'ignore' });
  }

  /** Where a node stood when it was killed, as its own log of transactions has it. */
  private recovered(node: number): string {
    const { stderr } = spawnSync('mariadbd', [...this.options(node), '--wsrep-recover'], { encoding: 'utf8' });
    const [, position] = /Recovered position:\s*(\S+)/.exec(stderr) ?? [];
    if (position === undefined) throw new Error(`Node ${node} does not know where it stood: ${stderr}`);
    return position;
  }

  private async run(node: number, more: string[]): Promise<void> {
    if (ROOT) execFileSync('chown', ['-R', 'mysql', this.folder]);
    const log = createWriteStream(join(this.folder, `${node}.log`), { flags: 'a' });
    const child = spawn('mariadbd', [...this.options(node), ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.pipe(log);
    this.nodes[node] = child;
    for (const end = Date.now() + PATIENCE; !(await this.isSynced(node)); await sleep(100)) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`Node ${node} did not join: ${this.tail(node)}`);
    }
  }

  private async isSynced(node: number): Promise<boolean> {
    const state = await runSql(this.url('mysql', node, false), "SHOW STATUS LIKE 'wsrep_local_state_comment'").catch(
      () => [],
    );
    return state[0]?.['Value'] === 'Synced';
  }

  private data(node: number): string {
    return join(this.folder, `data${node}`);
  }

  private options(node: number): string[] {
    const { sql, group, ist, sst } = this.ports[node]!;
    const members = this.ports.map((ports) => `127.0.0.1:${ports.group}`).join(',');
    return [
      '--no-defaults',
      ...AS_USER,
      `--datadir=${this.data(node)}`,
      `--socket=${join(this.folder, `${node}.sock`)}`,
      `--pid-file=${join(this.folder, `${node}.pid`)}`,
      '--bind-address=127.0.0.1',
      `--port=${sql}`,
      '--binlog-format=ROW',
      '--innodb-autoinc-lock-mode=2',
      '--innodb-buffer-pool-size=64M',
      '--wsrep-on=ON',
      `--wsrep-provider=${PROVIDER}`,
      `--wsrep-cluster-address=gcomm://${members}`,
      '--wsrep-node-address=127.0.0.1',
      `--wsrep-node-name=node${node}`,
      '--wsrep-sst-method=rsync',
      `--wsrep-sst-receive-address=127.0.0.1:${sst}`,
      `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${ist};gcache.size=32M`,
    ];
  }
}

/** Whether we are root: then the nodes run as the user of the package, for a transfer between nodes may not run as root. */
const ROOT = process.getuid?.() === 0;
const AS_USER = ROOT ? ['--user=mysql'] : [];
