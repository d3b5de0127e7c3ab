// Typing errors in the shipped and the example schemas: each is reported with its place, or is in free text.
import { describe, expect, it } from '@jest/globals';
import { loadRoles } from '../../../src/auth/roles.js';
import { StartupError, formatProblem, type Problem } from '../../../src/errors/problem.js';
import { compileFiles, fileWarnings } from '../../../src/schema/compile-site.js';
import { loadSchemas, parseSchema } from '../../../src/schema/load/load.js';
import { runs } from '../../support/runs.js';
import { typingErrors, type TypingError } from './typing-errors.js';
import { isFree } from './free-places.js';
import { numbers } from './seeded-numbers.js';

/** TEST_RUNS=200 makes every typing error there is. */
const MOST = runs(600);

const SITES = [
  ['schemas', 'roles.json'],
  ['examples/library', 'examples/library-roles.json'],
] as const;

function sampleOf<T>(all: readonly T[], count: number): T[] {
  if (count >= all.length) return [...all];
  const next = numbers(4711);
  return Array.from({ length: count }, () => all[Math.floor(next() * all.length)]!);
}

describe.each(SITES)('%s', (folder, rolesFile) => {
  const roles = loadRoles(rolesFile);
  const held = roles.capabilitiesOf(roles.names());
  const loaded = loadSchemas(folder);

  /** Problems and warnings of the folder with one file changed. */
  function problemsFor(index: number, { schema }: TypingError): Problem[] {
    const { file, problems } = parseSchema(loaded.files[index]!.file, JSON.stringify(schema, null, 2));
    const files = loaded.files.map((each, at) => (at === index ? file : each));
    try {
      return fileWarnings({ files, problems: [] }, held, compileFiles({ files, problems }));
    } catch (error) {
      if (error instanceof StartupError) return [...error.problems];
      throw error;
    }
  }

  it('has neither problems nor warnings', () => {
    expect(fileWarnings(loaded, held, compileFiles(loaded)).map(formatProblem)).toEqual([]);
  });

  it('reports every typing error with its position', () => {
    const all = loaded.files.flatMap((file, index) => [...typingErrors(file.schema)].map((slip) => ({ index, slip })));
    const wanted = sampleOf(all, Math.floor(MOST / SITES.length));
    const silent: string[] = [];
    const placeless: string[] = [];
    for (const { index, slip } of wanted.filter((each) => !isFree(each.slip))) {
      const problems = problemsFor(index, slip);
      const what = `${loaded.files[index]!.file} ${slip.path.join(' / ')} [${slip.at}]: ${slip.from} -> ${slip.to}`;
      if (problems.length === 0) silent.push(what);
      if (problems.some(({ line, column }) => !line || !column)) placeless.push(what);
    }
    expect(silent).toEqual([]);
    expect(placeless).toEqual([]);
  });
});
