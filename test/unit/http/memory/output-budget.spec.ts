import { describe, expect, test } from '@jest/globals';
import { LARGE, Output, type OutputHolder } from '../../../../src/http/memory/output-budget.js';
import { ResponseMemory } from '../../../../src/http/memory/response-memory.js';

const CAPACITY = 100 * LARGE;

function holder(closed = false): OutputHolder & { closed: boolean } {
  return { output: undefined, client: 'someone', closed };
}

/** Bytes of the memory that are free. */
function free(memory: ResponseMemory): number {
  let bytes = 0;
  while (memory.take(LARGE)) bytes += LARGE;
  memory.add(-bytes);
  return bytes;
}

describe('memory of an output that is moved to another response', () => {
  test('is held by that response until it is released there', async () => {
    const memory = new ResponseMemory(CAPACITY);
    const [part, whole] = [holder(), holder()];
    await Output.begin(memory, part).take(2 * LARGE);
    const held = CAPACITY - free(memory);
    expect(held).toBeGreaterThan(2 * LARGE);
    Output.move(part, whole);
    expect(part.output).toBeUndefined();
    expect(whole.output!.holds).toBe(held);
    whole.output!.release();
    expect(free(memory)).toBe(CAPACITY);
  });

  test('replaces the memory that the response held before', async () => {
    const memory = new ResponseMemory(CAPACITY);
    const [part, whole] = [holder(), holder()];
    await Output.begin(memory, whole).take(3 * LARGE);
    await Output.begin(memory, part).take(2 * LARGE);
    Output.move(part, whole);
    expect(CAPACITY - free(memory)).toBe(whole.output!.holds);
  });

  test('is released at once where the response has closed', async () => {
    const memory = new ResponseMemory(CAPACITY);
    const [part, whole] = [holder(), holder(true)];
    await Output.begin(memory, part).take(2 * LARGE);
    Output.move(part, whole);
    expect(free(memory)).toBe(CAPACITY);
  });
});
