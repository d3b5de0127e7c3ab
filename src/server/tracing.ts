// OpenTelemetry: a span for each request and for each of its statements, exported by OTLP over HTTP. Loaded only where
// the standard variables enable it (docs/operations.md#traces). Spans are created here and not by instrumented modules:
// the engine knows its routes, and the drivers need no module loader.
import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { routeOf } from '../http/metrics/request-counts.js';
import type { Log } from '../http/request/logger.js';
import { contextOf } from '../http/request/request-context.js';
import type { RequestTrace } from '../http/transport/transport-options.js';
import type { OnStatement } from '../storage/sql/connection.js';
import { kindOf } from './statement-counts.js';
import type { Config } from '../config/settings.js';

/** Characters of a statement in a span. */
const MAX_STATEMENT = 4_000;
/** Longest wait for the last spans to be sent, in milliseconds: less than a worker has to close its database. */
const FLUSH_MS = 2_000;

/** Callbacks that make spans of requests and statements. */
export interface Tracing {
  requests: RequestTrace;
  statement: OnStatement;
  /** Exports the remaining spans; resolves after two seconds at the latest. */
  end(): Promise<void>;
}

/** Starts to trace. `url` is the URL of the collector. */
export function startTracing(to: NonNullable<Config['tracing']>, system: string, log: Pick<Log, 'warn'>): Tracing {
  logMistakes(log);
  const provider = providerFor(to);
  // Global to the process, so that spans made by extensions become part of the request's trace.
  provider.register();
  const tracer = provider.getTracer('typecase');
  return { requests: requestTrace(tracer), statement: statementTrace(tracer, system), end: () => end(provider) };
}

/** Errors of the OpenTelemetry packages go to the log of the site. */
function logMistakes(log: Pick<Log, 'warn'>): void {
  const tell = (message: string, ...details: unknown[]) => log.warn({ details }, message);
  const silent = () => undefined;
  const logger = { error: tell, warn: silent, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
}

function providerFor({ url, service }: NonNullable<Config['tracing']>): NodeTracerProvider {
  return new NodeTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': service })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
}

function requestTrace(tracer: Tracer): RequestTrace {
  return {
    begin(request, response, handle) {
      const { id, method } = contextOf(request);
      const parent = propagation.extract(ROOT_CONTEXT, request.headers);
      const attributes = { 'http.request.method': method, 'typecase.request_id': id };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      response.once('close', () => {
        const context = contextOf(request);
        endRequest(span, context.method, context.handledBy || routeOf(request), response);
      });
      context.with(trace.setSpan(parent, span), handle);
    },
  };
}

function statementTrace(tracer: Tracer, system: string): OnStatement {
  return (sql, ms, role) => {
    // Outside of requests, each statement would become a separate trace.
    if (!trace.getActiveSpan()) return;
    const operation = kindOf(sql);
    const attributes = {
      'db.system.name': system,
      'db.operation.name': operation,
      'db.query.text': sql.slice(0, MAX_STATEMENT),
      'typecase.database_role': role,
    };
    const startTime = performance.timeOrigin + performance.now() - ms;
    tracer.startSpan(`database ${operation}`, { kind: SpanKind.CLIENT, startTime, attributes }).end(startTime + ms);
  };
}

async function end(provider: NodeTracerProvider): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
  await Promise.race([provider.shutdown().catch(() => undefined), late]);
  clearTimeout(timer);
  for (const api of [trace, context, propagation, diag]) api.disable();
}

function endRequest(
  span: Span,
  method: string,
  route: string,
  { statusCode, writableFinished }: { statusCode: number; writableFinished: boolean },
): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': statusCode,
    ...(writableFinished ? {} : { 'error.type': 'aborted' }),
  });
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
