// Real worker threads, with the compiled entry of a built program.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TASKS } from '../../../src/text/pool/tasks.js';
import { TextPool, type TextPoolOptions } from '../../../src/text/pool/text-pool.js';
import { contentHtml } from '../../../src/text/sanitize-html.js';
import { renderTitle } from '../../../src/text/render.js';
import { builtProgram } from '../../support/built-program.js';

const pools: TextPool[] = [];
let file: string;

function pool(options: Partial<TextPoolOptions> = {}): TextPool {
  const made = new TextPool({ file, ...options });
  pools.push(made);
  return made;
}

beforeAll(() => {
  file = join(builtProgram(), 'dist/text/pool/text-worker.js');
});
afterAll(async () => {
  for (const each of pools) await each.close();
});

describe('a pool', () => {
  it('returns the results of the functions, for every function it knows', async () => {
    const text = '<p onclick="x">He said "1 < 2" & left</p>\n\né\u0301';
    const threads = pool();
    for (const work of TASKS.values()) expect(await threads.run(work as any, text, '')).toEqual(work(text, ''));
  });

  it('does not block the event loop', async () => {
    let beats = 0;
    const heart = setInterval(() => beats++, 5);
    await pool().run(contentHtml, '<b><i></b></i>'.repeat(100_000));
    clearInterval(heart);
    expect(beats).toBeGreaterThan(3);
  });

  it('abandons a job after its timeout, and continues', async () => {
    const threads = pool({ jobMs: 300, threads: 1 });
    const long = threads.run(contentHtml, '<p>'.repeat(4_000_000));
    await expect(long).rejects.toMatchObject({ reason: 'costly' });
    const patient = pool({ threads: 1 });
    expect(await patient.run(renderTitle, '"a"')).toBe('&#8220;a&#8221;');
  });

  it('rejects results that are too large', async () => {
    await expect(pool({ resultCharacters: 100 }).run(renderTitle, '"'.repeat(50))).rejects.toMatchObject({
      reason: 'costly',
    });
  });

  it('limits the number of waiting jobs', async () => {
    const threads = pool({ queuedCharacters: 100, threads: 1 });
    const first = threads.run(renderTitle, 'a'.repeat(80));
    await expect(threads.run(renderTitle, 'b'.repeat(80))).rejects.toMatchObject({ reason: 'busy' });
    expect(await first).toBe('a'.repeat(80));
    expect(await threads.run(renderTitle, 'c'.repeat(80))).toBe('c'.repeat(80));
  });

  it('lets clients take turns', async () => {
    const threads = pool({ threads: 1 });
    const order: string[] = [];
    const job = (name: string, client: string) =>
      threads.runFor(client, renderTitle, name).then((done) => order.push(done));
    await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((name) => job(name, 'a')), job('b1', 'b'), job('b2', 'b')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('runs calls together, and leaves out those that it cannot run', async () => {
    const calls = [
      { work: renderTitle, texts: ['"a"'] },
      { work: (text: string) => text, texts: ['b'] },
      { work: renderTitle, texts: ['"'.repeat(50)] },
      { work: contentHtml, texts: ['<b>c'] },
    ];
    const threads = pool({ resultCharacters: 100 });
    expect(await threads.runMany(calls)).toEqual(['&#8220;a&#8221;', undefined, undefined, '<b>c</b>']);
    expect(await pool({ file: '/nowhere.js' }).runMany(calls)).toEqual([]);
    const large = { work: contentHtml, texts: ['<p>'.repeat(4_000_000)] };
    expect(await pool({ jobMs: 300, threads: 1 }).runMany([large])).toEqual([]);
  });

  it('starts no waiting job when it is closed', async () => {
    const threads = pool({ threads: 1 });
    const large = { work: contentHtml, texts: ['<b><i></b></i>'.repeat(20_000)] };
    const jobs = Array.from({ length: 40 }, () => threads.runMany([large]));
    await jobs[0];
    await threads.close();
    const results = await Promise.all(jobs);
    expect(results.filter((each) => each.length === 0).length).toBeGreaterThan(30);
    await expect(threads.run(contentHtml, '<b>')).rejects.toMatchObject({ reason: 'busy' });
  });

  it('runs in the process where there is no compiled entry file', async () => {
    expect(await pool({ file: '/nowhere.js' }).run(renderTitle, 'a')).toBe('a');
  });
});
