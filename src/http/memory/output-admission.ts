// Admission of responses: those of a process share its memory.
import type { ResponseMemory } from './response-memory.js';
import { type OutputHolder, Output } from './output-budget.js';

/** Creates the outputs of requests. */
export class Outputs {
  /** `limit`: bytes of a response with several items; a single item may have twice the memory, and is made alone. */
  constructor(
    private readonly memory: ResponseMemory,
    private readonly limit: number,
  ) {}

  /** The output of a write: what is written is limited already, and what was reserved for the body stays reserved. */
  forWrite(context: OutputHolder): Output {
    return context.output ?? Output.begin(this.memory, context);
  }

  begin(context: OutputHolder, kind: 'list' | 'retrieve'): Output {
    const single = kind === 'retrieve';
    return Output.begin(
      this.memory,
      context,
      single ? Math.max(this.limit, 2 * this.memory.capacity) : this.limit,
      single,
    );
  }
}
