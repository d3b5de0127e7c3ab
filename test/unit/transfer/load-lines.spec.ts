// Reading files line by line, and closing them afterwards.
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstLineOf, linesOf } from '../../../src/transfer/load/load-lines.js';

const DESCRIPTORS = '/proc/self/fd';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, 'lines.jsonl');
  writeFileSync(path, text);
  return path;
}

/** Open files of this process in the folder of the test. */
function open(): string[] {
  const links = readdirSync(DESCRIPTORS).map((name) => {
    try {
      return readlinkSync(join(DESCRIPTORS, name));
    } catch {
      return '';
    }
  });
  return links.filter((path) => path.startsWith(folder));
}

/** Streams close their files a moment later. */
async function closed(): Promise<string[]> {
  for (let tries = 0; tries < 200 && open().length > 0; tries += 1) await sleep(10);
  return open();
}

describe('lines of a file', () => {
  it.each([
    ['', []],
    ['a', ['1 a']],
    ['a\nb\n', ['1 a', '2 b']],
    ['\n \nc\n\nd', ['3 c', '5 d']],
  ])('%j', async (text, expected) => {
    const lines = [];
    for await (const { number, text: line } of linesOf(file(text))) lines.push(`${number} ${line}`);
    expect(lines).toEqual(expected);
    expect(await firstLineOf(file(text)).then((line) => line && `${line.number} ${line.text}`)).toBe(expected[0]);
  });

  (existsSync(DESCRIPTORS) ? it : it.skip)('the file is closed after a look at the first one', async () => {
    // Longer than what is read at once.
    const path = file('a line\n'.repeat(1_000_000));
    await firstLineOf(path);
    expect(await closed()).toEqual([]);
    const lines = linesOf(path);
    await lines.next();
    expect(open()).toEqual([path]);
    await lines.return(undefined);
    expect(await closed()).toEqual([]);
  });
});
