// Nest has one logger per process: it is switched off while the application of a site is made, and restored for the
// host.
import { Logger } from '@nestjs/common';

class ProcessLogger extends Logger {
  static get current() {
    return this.staticInstanceRef;
  }
}

let making = 0;
let ofHost: typeof ProcessLogger.current;

/** Runs `work`, which makes applications without a logger, and puts back the logger that there was before. */
export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  if (making++ === 0) ofHost = ProcessLogger.current;
  try {
    return await work();
  } finally {
    making -= 1;
    if (making === 0) Logger.overrideLogger(ofHost ?? false);
  }
}
