// How reads of a few rows by key are sent to the database.
import { describe, expect, it } from '@jest/globals';
import type { Bound, Statement } from '../../../src/storage/sql/connection.js';
import { SmallReads } from '../../../src/storage/pool/small-reads.js';
import type { Requester } from '../../../src/model/store.js';

/** What was sent: one message each. */
interface Sent {
  messages: string[];
  requesters: (Requester | undefined)[];
  reads: SmallReads;
}

const rowOf = ({ sql, params }: Statement): Bound[][] => [[`${sql} ${params.join()}`]];

function sending(
  responseAll: (statements: readonly Statement[]) => Promise<Bound[][][] | undefined>,
  readsTogether = true,
): Sent {
  const messages: string[] = [];
  const requesters: (Requester | undefined)[] = [];
  const reads = new SmallReads({
    readsTogether,
    async rows(sql, params, requester) {
      messages.push(sql);
      requesters.push(requester);
      if (sql === 'fails') throw new Error('it failed');
      return rowOf({ sql, params: [...params] });
    },
    rowsOfEach(statements, requester) {
      messages.push(statements.map(({ sql }) => sql).join('; '));
      requesters.push(requester);
      return responseAll(statements);
    },
  });
  return { messages, requesters, reads };
}

const inOne = async (statements: readonly Statement[]): Promise<Bound[][][]> => statements.map(rowOf);
const oneByOne = async (): Promise<undefined> => undefined;

describe('small reads', () => {
  it('of one turn of the event loop are sent in one message, equal ones once', async () => {
    const { reads, messages } = sending(inOne);
    const asked = [reads.rows('a', [1]), reads.rows('b', [2]), reads.rows('a', [1]), reads.rows('a', [3])];
    expect(messages).toEqual([]);
    expect(await Promise.all(asked)).toEqual([[['a 1']], [['b 2']], [['a 1']], [['a 3']]]);
    expect(messages).toEqual(['a; b; a']);
  });

  it('are sent as single statements when there is one, at the latest in the next turn', async () => {
    const { reads, messages } = sending(inOne);
    expect(await reads.rows('a', [1])).toEqual([['a 1']]);
    expect(await reads.rows('a', [1])).toEqual([['a 1']]);
    expect(messages).toEqual(['a', 'a']);
  });

  it('are sent one by one where the database refuses the message, and fail separately', async () => {
    const { reads, messages } = sending(oneByOne);
    const asked = ['a', 'fails', 'b'].map((sql) => reads.rows(sql, []));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(messages).toEqual(['a; fails; b', 'a', 'fails', 'b']);
  });

  it('are sent one by one to a database without such messages', async () => {
    const { reads, messages } = sending(inOne, false);
    await Promise.all([reads.rows('a', []), reads.rows('b', []), reads.rows('a', [])]);
    expect(messages).toEqual(['a', 'b']);
  });

  it('all fail with their message where the database is unavailable', async () => {
    const { reads } = sending(() => Promise.reject(new Error('no database')));
    const outcomes = await Promise.allSettled([reads.rows('a', []), reads.rows('b', [])]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
      'Error: no database',
      'Error: no database',
    ]);
  });

  it('of large numbers are sent in messages of bounded size', async () => {
    const { reads, messages } = sending(inOne);
    const asked = Array.from({ length: 40 }, (_, n) => reads.rows('a', [n]));
    expect((await Promise.all(asked)).flat(2)).toEqual(Array.from({ length: 40 }, (_, n) => `a ${n}`));
    expect(messages.map((message) => message.split('; ').length)).toEqual([16, 16, 8]);
  });

  it('are run while one of their requesters remains', async () => {
    const { reads, requesters } = sending(inOne);
    const gone = { client: 'gone', hasLeft: true };
    const here = { client: 'here', hasLeft: false };
    await Promise.all([reads.rows('a', [], gone), reads.rows('b', [], gone)]);
    expect(requesters.at(-1)?.hasLeft).toBe(true);
    await Promise.all([reads.rows('a', [], gone), reads.rows('b', [], gone), reads.rows('b', [], here)]);
    expect(requesters.at(-1)?.hasLeft).toBe(false);
  });
});
