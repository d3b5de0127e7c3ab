// The errors of the SQLite drivers: their codes, and the message for the operator when the file cannot be used.
import { accessSync, constants } from 'node:fs';
import { StartupError } from '../../errors/problem.js';
import { ResourceError } from '../../errors/resource-error.js';

/** Result codes of SQLite for problems of its file. */
const PRIMARY: Record<number, string> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** `SQLITE_…`; empty for other errors. libsql has no names for some, such as that of a folder that is read-only. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // libsql gives no code where it cannot open a file.
  if (error.message.startsWith('ConnectionFailed(')) return PRIMARY[14]!;
  const code = 'code' in error ? String(error.code) : '';
  const [, number] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? [];
  return (number === undefined ? undefined : PRIMARY[Number(number) & 0xff]) ?? code;
}

/**
 * Whether a transaction failed because its connection was opened while the file was not writable, although it is now.
 * SQLite silently keeps such a connection read-only, even in BEGIN IMMEDIATE: a new connection must be opened.
 */
export function wasReadOnly(error: unknown, file: string): boolean {
  return errorCode(error).startsWith('SQLITE_READONLY') && ['', '-wal', '-shm'].every((end) => mayWrite(file + end));
}

function mayWrite(path: string): boolean {
  return writeProblem(path) === undefined;
}

/**
 * The reason why a database accepts no writes, from the permissions of its files, and what to change. The files are not
 * opened to find out, because a process that closes a file loses all of its locks on it.
 */
export function readOnlyReason(file: string): string | undefined {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const fault = writeProblem(path);
    if (fault && fault !== 'ENOENT')
      return `${path} is read-only (${fault}): give the user of the server the right to write it`;
  }
  return undefined;
}

function writeProblem(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/**
 * Whether a statement failed because it does not fit the table. Only the message of SQLite identifies what is missing.
 */
export function isUnsuited(error: unknown): boolean {
  const code = errorCode(error);
  if (code === 'SQLITE_ERROR') return MISSING.test((error as Error).message);
  return code === 'SQLITE_CONSTRAINT_NOTNULL' || code === 'SQLITE_CONSTRAINT_DATATYPE';
}

const MISSING = /\bno such (table|column)\b|\bhas no column named\b/;

/** Codes of SQLite and of the file system, by what the operator can do. */
const HINTS: readonly [codes: RegExp, hint: string][] = [
  [/^SQLITE_(NOTADB|CORRUPT)/, 'restore the file from a backup, or name another one'],
  [/^SQLITE_(BUSY|LOCKED)/, 'another program keeps the file locked: end it, or start again when it is done'],
  [/^(SQLITE_FULL|ENOSPC$|EDQUOT$)/, 'free disk space'],
  [
    /^(SQLITE_(CANTOPEN|READONLY|PERM|IOERR)|E(ACCES|PERM|ROFS|NOENT|EXIST|NOTDIR|LOOP|NAMETOOLONG)$)/,
    'name a file in a folder where the server may create and write files',
  ],
];

/** An error of the file or its folder as a StartupError about `DATABASE_URL`; other errors unchanged. */
export function asFileError(error: unknown, file: string): unknown {
  // A write that fails is the result of a request, with the driver's error as its cause.
  const cause = error instanceof ResourceError ? error.cause : error;
  const code = errorCode(cause);
  // Often the cause is a side file that belongs to another user or is read-only.
  const closed = code.startsWith('SQLITE_READONLY') ? readOnlyReason(file) : undefined;
  const hint = closed ?? HINTS.find(([codes]) => codes.test(code))?.[1];
  if (hint === undefined) return error;
  const { message } = cause as Error;
  const why = message.startsWith('ConnectionFailed(') ? 'unable to open database file' : message;
  return new StartupError([
    { file: 'environment', path: 'DATABASE_URL', message: `the file ${file} cannot be used: ${why}`, hint },
  ]);
}
