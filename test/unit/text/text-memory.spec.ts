// The memory that rendering a large text of short pieces needs: a separate process with a small heap must succeed.
import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtProgram } from '../../support/built-program.js';

/** MiB of the heap; keeping every piece of the result took more than three times as much. */
const HEAP = 80;

it.each([
  ['words between tags', '<b>x</b> ', 650_000],
  ['short paragraphs', '<p>"a" -- b</p>\n\n', 350_000],
])('renders six megabytes of %s', (_, piece, times) => {
  const module = pathToFileURL(join(builtProgram(), 'dist/text/render.js')).href;
  const script = `import { renderContent } from ${JSON.stringify(module)};
    console.log(renderContent(${JSON.stringify(piece)}.repeat(${times})).length);`;
  const options = [`--max-old-space-size=${HEAP}`, '--max-semi-space-size=8', '--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  expect(`${status} ${stderr.slice(0, 300)}`).toBe('0 ');
  expect(Number(stdout)).toBeGreaterThan(5 * 2 ** 20);
});
