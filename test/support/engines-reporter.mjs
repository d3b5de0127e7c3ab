// Reports at the end on which database engines the tests ran, and how to run them on the others.
const SETTINGS = { sqlite: 'TEST_ENGINE', mysql: 'TEST_MYSQL_URL', postgres: 'TEST_POSTGRES_URL' };

/** A Jest reporter. */
export default class EnginesReporter {
  onRunComplete(_contexts, { testResults }) {
    const ran = new Map();
    for (const { displayName, numPassingTests, numFailingTests } of testResults) {
      const engine = displayName?.name ?? 'sqlite';
      ran.set(engine, (ran.get(engine) ?? 0) + numPassingTests + numFailingTests);
    }
    const summary = [...ran].map(([engine, tests]) => `${engine} (${tests} tests)`).join(', ');
    console.log(`Engines: ${summary || 'none'}`);
    for (const [engine, setting] of Object.entries(SETTINGS))
      if (!ran.has(engine)) console.log(`Not run: ${engine} (${setting} chooses it)`);
  }
}
