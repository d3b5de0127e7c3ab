// Holds that every behaviour of the checklist that applies here stands in the title of some test, or in later.ts with a reason.
import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LATER } from './later.js';

interface Behaviour {
  id: string;
  mark: 'IN' | 'ADAPT' | 'EXT' | 'OUT';
  text: string;
}

const checklist = JSON.parse(readFileSync(new URL('checklist.json', import.meta.url), 'utf8')) as Behaviour[];
const required = checklist.filter(({ mark }) => mark === 'IN' || mark === 'ADAPT').map(({ id }) => id);
const ID = '[A-Z]-\\d\\d';

// A title begins with its ids: `P-12 …`, `C-03, C-04 …`, `V-01 to V-08 …`. Comments do not count.
function titled(): Set<string> {
  const tests = fileURLToPath(new URL('../..', import.meta.url));
  const found = new Set<string>();
  for (const file of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.spec.ts') || file.endsWith('coverage.spec.ts')) continue;
    const code = readFileSync(`${tests}/${file}`, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
    for (const [, ids = ''] of code.matchAll(new RegExp(`['"\`](${ID}(?:(?:, | to | and )${ID})*) `, 'g'))) {
      for (const [id] of ids.matchAll(new RegExp(ID, 'g'))) found.add(id);
      const [, from, to] = /^([A-Z]-\d\d) to [A-Z]-(\d\d)$/.exec(ids) ?? [];
      for (let each = Number(from?.slice(2)); each <= Number(to); each++)
        found.add(`${ids[0]}-${String(each).padStart(2, '0')}`);
    }
  }
  return found;
}

it('every behaviour has a test or a reason in later.ts', () => {
  const tested = titled();
  const later = new Set(LATER.map(({ id }) => id));
  const covered = required.filter((id) => tested.has(id));
  const parts = covered.filter((id) => later.has(id));
  process.stdout.write(
    `behaviours: ${covered.length} of ${required.length}` +
      ` (with a later issue: ${[...later].filter((id) => !covered.includes(id)).join(', ') || 'none'}; in part: ${parts.join(', ') || 'none'})\n`,
  );
  expect(required.filter((id) => !tested.has(id) && !later.has(id))).toEqual([]);
  expect([...later].filter((id) => !required.includes(id))).toEqual([]);
});

it('the checklist has every id once', () => {
  const ids = checklist.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(checklist.filter(({ text }) => text.length < 4)).toEqual([]);
});
