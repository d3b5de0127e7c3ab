// Every recorded request against our own site: what differs must be in the table of declared differences.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { present, readRecordings } from './content.js';
import { DECLARED } from './declared.js';
import { ALONE, describe as described, GROUPS, replay, type Outcome } from './replay.js';

if (present) replaySuite();
else test.skip('the recordings are not here (../shared/reference): nothing to replay', () => undefined);

function replaySuite(): void {
  let outcomes: Map<string, Outcome>;

  beforeAll(async () => {
    outcomes = await replay();
  });

  describe.each([...GROUPS, ALONE])('%s', (group) => {
    for (const { name } of readRecordings(group)) {
      test(name, () => {
        const { reason, unexplained } = outcomes.get(name)!;
        expect(reason).toBeUndefined();
        expect(described(unexplained)).toEqual([]);
      });
    }
  });

  test('every declared difference still occurs', () => {
    const used = new Set([...outcomes.values()].flatMap(({ declared }) => declared.map(([, rule]) => rule)));
    expect(DECLARED.filter((rule) => !used.has(rule)).map(({ decision, what }) => `${decision} ${what}`)).toEqual([]);
  });
}
