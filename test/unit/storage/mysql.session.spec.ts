// A session on MySQL with scripted responses.
import { expect, it } from '@jest/globals';
import { MysqlSession } from '../../../src/storage/mysql/session.js';

type Parameters = ConstructorParameters<typeof MysqlSession>;
type Done = (error: Error | null, response: unknown) => void;

function sessionOf(limits: object = {}) {
  const sent: { sql: string; how: string; done: Done }[] = [];
  const take = (how: string) => (statement: object, done: Done) => {
    sent.push({ sql: (statement as { sql: string }).sql, how, done });
  };
  const raw = {
    config: {},
    execute: take('prepared'),
    query: take('text'),
    release: () => undefined,
    destroy: () => undefined,
  };
  const flavour = { mariadb: true, prepares: true, maxPacket: 1_000_000, ...limits } as unknown as Parameters[1];
  const dialect = { duplicateOf: () => undefined } as unknown as ReturnType<Parameters[3]>;
  const session = new MysqlSession(
    raw,
    flavour,
    {} as Parameters[2],
    () => dialect,
    () => undefined,
    () => undefined,
  );
  return { session, sent };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('sends no write of a transaction that a deadlock has ended, even when its work sends several at once', async () => {
  const { session, sent } = sessionOf();
  const begun = session.begin();
  await turn();
  sent.shift()!.done(null, {});
  await begun;
  const writes = ['one', 'two', 'three', 'four'].map((sql) => session.run(sql, []).catch((error: Error) => error));
  const deadlock = Object.assign(new Error('deadlock'), { errno: 1213 });
  sent.shift()!.done(null, { affectedRows: 1 });
  await turn();
  expect(sent.map(({ sql }) => sql)).toEqual(['two']);
  sent.shift()!.done(deadlock, undefined);
  expect((await Promise.all(writes)).slice(1)).toEqual([deadlock, deadlock, deadlock]);
  expect(sent).toEqual([]);
});

it('sends no write and no COMMIT before preceding reads have results, which may report a deadlock', async () => {
  const { session, sent } = sessionOf({ several: false });
  const deadlock = Object.assign(new Error('deadlock'), { errno: 1213 });
  const failed = (error: Error) => error;
  const begun = session.begin();
  await turn();
  sent.shift()!.done(null, {});
  await begun;
  const ends = [
    () => session.run('write', []),
    () => session.commit(),
    () => session.commit([{ sql: 'last', params: [] }]),
  ];
  for (const end of ends) {
    const read = session.rows('read', []).catch(failed);
    const ended = end().catch(failed);
    const later = session.rows('later', []).catch(failed);
    await turn();
    expect(sent.map(({ sql }) => sql)).toEqual(['read']);
    sent.shift()!.done(deadlock, undefined);
    expect(await Promise.all([read, ended])).toEqual([deadlock, deadlock]);
    await turn();
    expect(sent.map(({ sql }) => sql)).toEqual(['later']);
    sent.shift()!.done(null, []);
    await later;
  }
});

it('sends several writes as one text, and separately those that cannot be part of it with all before them', async () => {
  const { session, sent } = sessionOf({ several: true });
  const begun = session.begin();
  await turn();
  sent.shift()!.done(null, {});
  await begun;
  const write = (value: string) => ({ sql: 'UPDATE t SET x = ?', params: [value] });
  const all = session.runAll([write('a'), write('b\\'), write('c'), write('d')]);
  const written: string[] = [];
  while (written.length < 3) {
    await turn();
    const { sql, done } = sent.shift()!;
    written.push(sql);
    done(null, { affectedRows: 1 });
  }
  await all;
  const lone = 'UPDATE t SET x = ?';
  expect(written).toEqual([lone, lone, "UPDATE t SET x = 'c'; UPDATE t SET x = 'd'"]);
  expect(sent).toEqual([]);
});

it('sends writes in the order of the calls', async () => {
  const { session, sent } = sessionOf();
  const first = session.run('one', []).then(() => session.run('three', []));
  const second = session.run('two', []);
  const order: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { sql, done } = sent.shift()!;
    order.push(sql);
    done(null, { affectedRows: 1 });
    await turn();
  }
  await Promise.all([first, second]);
  expect(order).toEqual(['one', 'two', 'three']);
});

it.each([
  [true, ['START TRANSACTION; lock', 'a; b', 'c; COMMIT']],
  [false, ['START TRANSACTION', 'lock', 'a', 'b', 'c', 'COMMIT']],
])('sends statements together: %s', async (several, wanted) => {
  const { session, sent } = sessionOf({ several });
  const texts: string[] = [];
  let over = false;
  const statement = (sql: string) => ({ sql, params: [] });
  const work = async (): Promise<void> => {
    await session.begin([statement('lock')]);
    await Promise.all([session.rows('a', []), session.rows('b', [])]);
    await session.commit([statement('c')]);
  };
  const working = work().finally(() => (over = true));
  while (!over) {
    for (const { sql, done } of sent.splice(0)) {
      texts.push(sql);
      done(null, sql.includes(';') ? sql.split(';').map(() => []) : []);
    }
    await turn();
  }
  await working;
  expect(texts).toEqual(wanted);
});

it('prepares no statement in a transaction of a cluster, where a conflict would go unnoticed', async () => {
  const { session, sent } = sessionOf({ several: false, prepares: false });
  const values = [null, 7, 1.5, 1e21, "it's", 'C:\\new\0', 'x'.repeat(40_000), '\ud800'];
  const statement = { sql: `SELECT '?', ${values.map(() => '?').join(', ')}`, params: values };
  const texts: string[] = [];
  const sends = async (work: Promise<unknown>, times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      await turn();
      const { sql, how, done } = sent.shift()!;
      texts.push(`${how} ${sql}`);
      done(null, []);
    }
    await work;
  };
  await sends(session.begin([statement]), 2);
  await sends(session.rows(statement.sql, statement.params), 1);
  await sends(session.run(statement.sql, statement.params), 1);
  await sends(session.commit([statement]), 2);
  const long = 'x'.repeat(40_000);
  const whole = `text SELECT '?', NULL, 7, 1.5e0, 1e+21, 'it''s', _utf8mb4 x'433a5c6e657700', '${long}', _utf8mb4 x'efbfbd'`;
  expect(texts).toEqual(['text START TRANSACTION', whole, whole, whole, whole, 'text COMMIT']);
  await sends(session.rows('SELECT ?', [7]), 1);
  expect(texts.at(-1)).toBe('prepared SELECT ?');
});

it('refuses a statement whose text is larger than a packet', async () => {
  const { session, sent } = sessionOf({ several: false, prepares: false, maxPacket: 100_000 });
  const begun = session.begin();
  await turn();
  sent.shift()!.done(null, {});
  await begun;
  await expect(session.run('UPDATE ?', ['\\'.repeat(20_000)])).rejects.toMatchObject({
    code: 'rest_request_too_large',
  });
  expect(sent).toEqual([]);
});

it.each([
  [1461, 'the server allows no more prepared statements'],
  [1615, 'the server has given up a prepared statement'],
])('sends a statement as text after error %i: %s', async (errno) => {
  const { session, sent } = sessionOf();
  const refuse = () => {
    const { how, done } = sent.shift()!;
    expect(how).toBe('prepared');
    done(Object.assign(new Error('no'), { errno }), undefined);
  };
  const read = session.rows('SELECT a FROM t WHERE b = ? AND c = ?', ['it\'s \\"', 1.5]);
  refuse();
  await turn();
  expect(sent).toMatchObject([
    { how: 'text', sql: expect.stringMatching(/^SELECT a FROM t WHERE b = \S+.* AND c = 1.5e0$/) },
  ]);
  sent.shift()!.done(null, [['x']]);
  expect(await read).toEqual([['x']]);
  const written = session.run('UPDATE t SET a = ?', [1]);
  refuse();
  await turn();
  expect(sent).toMatchObject([{ how: 'text', sql: 'UPDATE t SET a = 1' }]);
  sent.shift()!.done(null, { affectedRows: 3 });
  expect(await written).toMatchObject({ changes: 3 });
});
