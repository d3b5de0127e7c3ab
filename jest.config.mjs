/**
 * Spec files are imported by Node.js itself (test/support/runner). One project per database engine: everything runs on SQLite, the black-box suites
 * also on the servers that TEST_MYSQL_URL and TEST_POSTGRES_URL name. TEST_ENGINE=sqlite|mysql|postgres runs one project alone.
 */
const { TEST_ENGINE, TEST_MYSQL_URL, TEST_POSTGRES_URL } = process.env;
const engines = TEST_ENGINE
  ? [TEST_ENGINE]
  : ['sqlite', ...(TEST_MYSQL_URL ? ['mysql'] : []), ...(TEST_POSTGRES_URL ? ['postgres'] : [])];

/** Suites for which it does not matter which database there is: transport, texts, files, command line, errors that escape, workers. */
const ANY_DATABASE =
  '/test/(attack/(abandoned-bodies|file-modes|input|operator-files|patterns|texts|transport-security|uncaught)|process/unresponsive-worker)\\.spec';

const project = (engine) => ({
  displayName: engine,
  // Read by test/support/fresh-database.ts.
  globals: { TEST_ENGINE: engine },
  testEnvironment: '<rootDir>/test/support/runner/environment.cjs',
  runtime: '<rootDir>/test/support/runner/runtime.cjs',
  roots: ['<rootDir>/test'],
  testPathIgnorePatterns: ['/node_modules/', ...(engine === 'sqlite' ? [] : [ANY_DATABASE])],
  testMatch: engine === 'sqlite' ? ['**/*.spec.ts'] : ['**/test/{engine,cms,reference,process,attack}/**/*.spec.ts'],
  transform: {},
});

export default {
  projects: engines.map(project),
  reporters: ['default', '<rootDir>/test/support/engines-reporter.mjs'],
  // Guards against tests that hang; nothing is measured by it.
  testTimeout: 900_000,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  // Two workers need less processor time than three, but suites on database servers spend part of theirs waiting.
  maxWorkers: engines.every((engine) => engine === 'sqlite') ? 2 : 3,
  // Modules of one spec file stay in memory after it; a worker that is full of them is slow.
  workerIdleMemoryLimit: '1GB',
};
