// Graceful shutdown of an HTTP server.
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { inFlightOf } from './in-flight.js';

const POLL = 50;

/**
 * Stops accepting connections, lets the requests in flight finish with `Connection: close`, then closes the rest.
 * Resolves true when no request had to be cut off.
 */
export async function drain(server: Server, options: { timeoutMs: number }): Promise<boolean> {
  const inFlight = inFlightOf(server);
  if (inFlight) inFlight.draining = true;
  const end = new Promise<true>((resolve) => server.close(() => resolve(true)));
  const clean = await waitUntilQuiet(server, end, performance.now() + options.timeoutMs);
  server.closeAllConnections();
  await end;
  return clean;
}

async function waitUntilQuiet(server: Server, end: Promise<true>, deadline: number): Promise<boolean> {
  let quiet = 0;
  while (performance.now() < deadline) {
    // Node does not count a never used connection as idle: close those once no request has arrived for a while.
    quiet = inFlightOf(server)?.size === 0 ? quiet + 1 : 0;
    if (quiet > 2) return true;
    server.closeIdleConnections();
    if (await Promise.race([end, delay(POLL, false)])) return true;
  }
  return false;
}
