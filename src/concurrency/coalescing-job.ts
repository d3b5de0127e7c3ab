// A job whose requests are coalesced: one run serves all requests that were made before it began.

/** Runs a job, one run at a time; whatever is requested during a run becomes one further run after it. */
export class CoalescingJob {
  private running: Promise<void> | undefined;
  private requested = false;

  /** `job` is called once per run, and must not reject. */
  constructor(private readonly job: () => Promise<void>) {}

  /** Requests a run that begins after this call: at once, or after the run in progress. */
  request(): void {
    this.requested = true;
    this.running ??= this.run();
  }

  /** Whether a run is in progress. */
  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Resolves once no run is in progress or requested. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      // Nothing is awaited between the last test and the end: a request afterwards starts a new loop.
      while (this.requested) {
        this.requested = false;
        await this.job();
      }
    } finally {
      this.running = undefined;
    }
  }
}
