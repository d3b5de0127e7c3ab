// Structured logs: lines about the start, one line per request, and errors. Headers, query values and bodies are never logged.
import { createRequire } from 'node:module';
import type { DestinationStream, Logger } from 'pino';
import { levels, pino, stdSerializers, stdTimeFunctions, symbols } from 'pino';
import type { PinoPretty } from 'pino-pretty';
import { bufferedOutput, immediateOutput } from './log-output.js';
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';

/** The logger methods that the transport uses. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled' | 'child'>;

/** The settings LOG_LEVEL and LOG_FORMAT. */
export interface LogOptions {
  level: string;
  format: 'json' | 'pretty';
}

const REDACTED = ['authorization', 'password', 'token'].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
const MAX_PATH_CHARACTERS = 200;
const INFO = levels.values['info'];

/** A logger to standard output; `stream` is for tests. */
export function createLogger(options: LogOptions, stream?: DestinationStream): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: serializeError },
  };
  return pino(settings, stream ?? standardOutput(options.format));
}

// pino's serializer marks the errors that it has seen, which a frozen one does not allow, and reads their members, which
// may throw. What is logged must not decide whether a request gets its response or a job runs again.
function serializeError(error: Error): object {
  try {
    return stdSerializers.err(error);
  } catch {
    return { type: 'Error', message: textOf(() => error.message), stack: textOf(() => error.stack) };
  }
}

function textOf(read: () => unknown): string {
  try {
    return String(read());
  } catch {
    return '(an error that cannot be read)';
  }
}

/** A logger of a command, to standard error: standard output has what the command prints, which others may read. */
export function createCommandLogger(options: LogOptions): Logger {
  const { stderr } = process;
  return createLogger(options, options.format === 'json' ? stderr : prettyLines(stderr, stderr.isTTY));
}

function standardOutput(format: LogOptions['format']): DestinationStream {
  return format === 'json' ? bufferedOutput() : prettyLines(immediateOutput(), process.stdout.isTTY);
}

function prettyLines(destination: NodeJS.WritableStream, colorize = false): DestinationStream {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty;
  return pretty({ destination, colorize, ignore: 'pid,hostname' });
}

/** Writes the log line of one request, when its response is sent or its client disconnected. */
export type RequestLog = (request: ApiRequest, status: number, aborted: boolean) => void;

/**
 * Request lines contain nothing to redact and always the same members: formatted directly, at a third of pino's cost.
 */
export function requestLog(log: Log): RequestLog {
  const stream = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym]!;
  return (request, status, aborted) => {
    const { id, method, startedAt } = contextOf(request);
    const ms = Math.round((performance.now() - startedAt) * 100) / 100;
    const head = `{"level":${INFO},"time":"${timeNow()}","id":"${id}"`;
    const requestPart = `"method":${JSON.stringify(method)},"path":${JSON.stringify(loggedPath(request))}`;
    const end = aborted ? '"aborted":true,"msg":"request"}' : '"msg":"request"}';
    stream.write(`${head},${requestPart},"status":${status},"ms":${ms},${end}\n`);
  };
}

/** The last second that was formatted: formatting it for each request takes as long as the rest of a line. */
let second = { start: 0, text: '' };

/** The time in UTC, as `Date.prototype.toISOString` has it. */
function timeNow(): string {
  const now = Date.now();
  const ms = now % 1000;
  const start = now - ms;
  if (start !== second.start) second = { start, text: new Date(start).toISOString().slice(0, -'000Z'.length) };
  return `${second.text}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}

function loggedPath(request: ApiRequest): string {
  const pattern = request.route?.path;
  if (typeof pattern === 'string' && !pattern.includes('*')) return pattern;
  const url = request.originalUrl ?? request.url ?? '';
  const end = url.indexOf('?');
  return url.slice(0, Math.min(end < 0 ? url.length : end, MAX_PATH_CHARACTERS));
}
