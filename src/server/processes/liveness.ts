// Detects a worker that no longer responds, because its event loop is blocked or the system has stopped the process.
// The kernel would continue to give it connections, which are never served.

/** Probes that are sent within the timeout. */
const PROBES = 6;

/**
 * Probes one worker until `stop`. Unanswered probes are counted, not the time: after a suspension of the machine all
 * workers are healthy. (docs/configuration.md, "Several processes")
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
