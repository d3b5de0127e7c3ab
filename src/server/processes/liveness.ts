// Finds a worker that no longer responds: its event loop is blocked for good, or the system has stopped it. The kernel
// goes on giving it connections, which nobody would serve.

/** Probes that are sent within the timeout. */
const PROBES = 6;

/**
 * Probes one worker until `stop`. What counts are probes without a reply and not the time: when the whole machine was
 * suspended, no worker is to blame for it. (docs/configuration.md, "Several processes")
 */
export class Liveness {
  private missed = 0;
  private readonly timer: NodeJS.Timeout;

  /** `timeout`: milliseconds without a reply after which `onDead` is called, once. */
  constructor(
    timeout: number,
    private readonly send: () => void,
    private readonly onDead: () => void,
  ) {
    this.timer = setInterval(() => this.probe(), timeout / PROBES);
    this.timer.unref();
  }

  /** The worker has replied to a probe. */
  replied(): void {
    this.missed = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private probe(): void {
    if (this.missed < PROBES) {
      this.missed += 1;
      return this.send();
    }
    this.stop();
    this.onDead();
  }
}
