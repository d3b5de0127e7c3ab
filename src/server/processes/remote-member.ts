// The `Member` of a worker in the primary process: calls are sent as IPC messages.
import type { Worker } from 'node:cluster';
import type { Problem } from '../../errors/problem.js';
import type { Member, Prepared } from './reload.js';
import type { Call, Report } from './worker-channel.js';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** See `Member`. Calls reject when the worker ends before it has replied. */
export class RemoteMember implements Member {
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;
  private ended = false;

  constructor(private readonly worker: Worker) {
    worker.on('message', (report: Report) => {
      if (!('called' in report)) return;
      const call = this.waiting.get(report.called);
      this.waiting.delete(report.called);
      if ('failed' in report) call?.reject(new Error(report.failed));
      else call?.resolve(report.value);
    });
    worker.once('exit', () => this.end());
    worker.once('disconnect', () => this.end());
  }

  prepare(): Promise<Prepared> {
    return this.call('prepare');
  }

  stopTasks(): Promise<void> {
    return this.call('stopTasks');
  }

  hold(): Promise<boolean> {
    return this.call('hold');
  }

  resume(): Promise<void> {
    return this.call('resume');
  }

  migrate(): Promise<readonly Problem[]> {
    return this.call('migrate');
  }

  build(): Promise<readonly Problem[]> {
    return this.call('build');
  }

  activate(): Promise<void> {
    return this.call('activate');
  }

  abandon(problems: readonly Problem[]): Promise<void> {
    return this.call('abandon', problems);
  }

  private call<T>(name: keyof Member, problems?: readonly Problem[]): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.ended || !this.worker.isConnected()) return reject(gone());
      const call = ++this.calls;
      this.waiting.set(call, { resolve, reject });
      this.worker.send({ call, name, ...(problems && { problems }) } satisfies Call);
    }) as Promise<T>;
  }

  private end(): void {
    this.ended = true;
    for (const { reject } of this.waiting.values()) reject(gone());
    this.waiting.clear();
  }
}

function gone(): Error {
  return new Error('a worker ended while the files were being applied; they are applied again once it is replaced');
}
