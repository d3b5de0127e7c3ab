import { destination, pino, stdSerializers, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import { contextOf } from './request-context.js';
const REDACTED = ['authorization', 'password', 'token'].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
const LONGEST_PATH = 200;
/** A logger to standard output; `stream` is for tests. */
export function createLogger(options, stream) {
    const settings = {
        level: options.level,
        base: null,
        timestamp: stdTimeFunctions.isoTime,
        redact: { paths: REDACTED, censor: '[redacted]' },
        serializers: { err: stdSerializers.err },
    };
    return pino(settings, stream ?? standardOutput(options.format));
}
// JSON lines are gathered: writing each by itself costs more than serving a small request.
function standardOutput(format) {
    if (format === 'pretty')
        return pretty({ sync: true, colorize: process.stdout.isTTY === true, ignore: 'pid,hostname' });
    return destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 500 });
}
/** A logger for request lines: they hold nothing to redact, and looking for it costs more than the line. */
export function requestLogger(log) {
    return log.child({}, { redact: [] });
}
/** The line of one request, written when its answer is out or its client gone. */
export function logRequest(log, request, status, aborted) {
    const { id, method, startedAt } = contextOf(request);
    const ms = Math.round((performance.now() - startedAt) * 100) / 100;
    const line = { id, method, path: loggedPath(request), status, ms };
    log.info(aborted ? { ...line, aborted } : line, 'request');
}
function loggedPath(request) {
    const pattern = request.route?.path;
    if (typeof pattern === 'string' && !pattern.includes('*'))
        return pattern;
    const url = request.originalUrl ?? request.url ?? '';
    const end = url.indexOf('?');
    return url.slice(0, Math.min(end < 0 ? url.length : end, LONGEST_PATH));
}
