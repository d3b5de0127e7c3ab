// Log lines on standard output.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { builtProgram } from '../../../support/built-program.js';

test('lines that are written at once arrive whole and in their order, however long they are', async () => {
  const module = join(builtProgram(), 'dist/http/request/log-output.js');
  const program = `
    const { immediateOutput } = await import(${JSON.stringify(module)});
    const output = immediateOutput();
    output.write('a'.repeat(200_000) + '\\n');
    output.write('b\\n');
    process.exit();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await text(child.stdout)).toBe(`${'a'.repeat(200_000)}\nb\n`);
});
