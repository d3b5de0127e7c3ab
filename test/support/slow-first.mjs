// Runs the suites that take minutes first, so that no worker is left alone with one of them at the end.
import Sequencer from '@jest/test-sequencer';

const SLOW = [
  /\/test\/(docs|process)\//,
  /\/test\/attack\//,
  /\/test\/cms\/(leaks|hostile|concurrency)/,
  /\/test\/agree\//,
];

export default class SlowFirst extends Sequencer {
  /** Jest's own order, by duration where it is known and by size, within each of the classes. */
  sort(tests) {
    const rank = ({ path }) => {
      const at = SLOW.findIndex((pattern) => pattern.test(path));
      return at === -1 ? SLOW.length : at;
    };
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
