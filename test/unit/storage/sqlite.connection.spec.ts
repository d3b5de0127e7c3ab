// The reading connection of a SQLite file: several processes that make a new file at the same time.
import { describe, expect, it } from '@jest/globals';
import { StartupError } from '../../../src/errors/problem.js';
import { setWriteAheadLog } from '../../../src/storage/sqlite/connection.js';
import { asFileError } from '../../../src/storage/sqlite/errors.js';

const failure = (code: string) => Object.assign(new Error('database is locked'), { code });

/** A driver that throws these errors, one at each call, and then does what it is told. */
function failingDriver(errors: Error[]) {
  const executed: string[] = [];
  return {
    executed,
    exec(sql: string) {
      const error = errors.shift();
      if (error) throw error;
      executed.push(sql);
    },
  };
}

describe('setWriteAheadLog', () => {
  it.each([
    ['at once', []],
    ['after others who set it too', ['SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY', 'SQLITE_BUSY']],
  ])('sets the journal mode %s', async (_, codes) => {
    const driver = failingDriver(codes.map(failure));
    await setWriteAheadLog(driver);
    expect(driver.executed).toEqual(['PRAGMA journal_mode = WAL']);
  });

  it('rethrows other errors', async () => {
    const error = failure('SQLITE_READONLY');
    await expect(setWriteAheadLog(failingDriver([error]))).rejects.toBe(error);
  });
});

describe('asFileError', () => {
  it('reports that another program has locked the file', () => {
    const error = asFileError(failure('SQLITE_BUSY'), '/data/site.sqlite');
    expect(error).toBeInstanceOf(StartupError);
    const [problem] = (error as StartupError).problems;
    expect(problem).toMatchObject({
      path: 'DATABASE_URL',
      message: 'the file /data/site.sqlite cannot be used: database is locked',
      hint: 'another program keeps the file locked: end it, or start again when it is done',
    });
  });
});
