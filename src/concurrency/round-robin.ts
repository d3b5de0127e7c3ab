// A round-robin queue: clients take turns, and the jobs of one client are served in the order of their arrival.

/** Waiting jobs by client. */
export class RoundRobinQueue<T> {
  /** The jobs of each client; clients in the order of their turns. */
  private readonly clients = new Map<string, T[]>();
  private count = 0;
  /**
   * The client that had the last turn. It moves to the end of the round at the next turn, behind clients that arrive
   * before.
   */
  private served: string | undefined;

  /** Number of jobs of all clients. */
  get size(): number {
    return this.count;
  }

  /** Number of jobs of one client. */
  sizeOf(client: string): number {
    return this.clients.get(client)?.length ?? 0;
  }

  add(client: string, job: T): void {
    const own = this.clients.get(client);
    if (own) own.push(job);
    else this.clients.set(client, [job]);
    this.count += 1;
  }

  /** Removes a job that no longer waits; false when it was not in the queue. */
  remove(client: string, job: T): boolean {
    const own = this.clients.get(client);
    const at = own?.indexOf(job) ?? -1;
    if (at < 0) return false;
    own!.splice(at, 1);
    if (own!.length === 0) this.clients.delete(client);
    this.count -= 1;
    return true;
  }

  /** Moves a waiting job to another client if that client has fewer jobs ahead of it; returns whether it did. */
  move(client: string, job: T, to: string): boolean {
    const at = this.clients.get(client)?.indexOf(job) ?? -1;
    if (at <= this.sizeOf(to)) return false;
    this.remove(client, job);
    this.add(to, job);
    return true;
  }

  /** The job whose turn it is. */
  first(): T | undefined {
    this.turn();
    return this.clients.values().next().value?.[0];
  }

  /** Takes the job whose turn it is; its client goes to the end of the round. */
  take(): T | undefined {
    this.turn();
    const [next] = this.clients;
    if (!next) return undefined;
    const [client, jobs] = next;
    const job = jobs.shift();
    if (jobs.length === 0) this.clients.delete(client);
    else this.served = client;
    this.count -= 1;
    return job;
  }

  private turn(): void {
    const { served } = this;
    if (served === undefined) return;
    this.served = undefined;
    const jobs = this.clients.get(served);
    if (!jobs) return;
    this.clients.delete(served);
    this.clients.set(served, jobs);
  }

  /** Takes the newest job of the client with the most, if these are more than `own`. */
  takeFromBusiest(own: number): T | undefined {
    let busiest: [string, T[]] | undefined;
    for (const entry of this.clients) if (!busiest || entry[1].length > busiest[1].length) busiest = entry;
    if (!busiest || busiest[1].length <= own) return undefined;
    const job = busiest[1].at(-1)!;
    this.remove(busiest[0], job);
    return job;
  }
}
