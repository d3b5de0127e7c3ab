// The settings of events and of traces.
import { HTTP_URL, httpUrl } from './url-parsers.js';
import * as read from './parsers.js';
import type { Variables } from './variables.js';
import type { Config } from './settings.js';

/** How events reach webhooks and clients. */
export function eventSettings(variables: Variables): Config['events'] {
  const host = read.matching(/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/);
  return {
    live: variables.flag('LIVE_UPDATES', false),
    connections: variables.whole('LIVE_CONNECTIONS', 2_000, 1, 100_000),
    keepDays: variables.whole('EVENTS_KEEP_DAYS', 7, 1, 365),
    webhooks: {
      retry: variables.get('WEBHOOK_RETRY', 5_000, read.DURATION, read.duration),
      attempts: variables.whole('WEBHOOK_ATTEMPTS', 10, 1, 100),
      timeout: variables.get('WEBHOOK_TIMEOUT', 10_000, read.DURATION, read.duration),
      allowHosts: variables.get(
        'WEBHOOK_ALLOW_HOSTS',
        [],
        'a list of hosts such as hooks.local or 127.0.0.1:8080',
        read.listOf(host),
      ),
    },
  };
}

/** The standard variables of OpenTelemetry that turn traces on; its packages read the others themselves. */
export function tracingSettings(variables: Variables): Pick<Config, 'tracing'> {
  const url = (name: string) => variables.get<string | undefined>(name, undefined, HTTP_URL, (text) => httpUrl(text));
  const base = url('OTEL_EXPORTER_OTLP_ENDPOINT');
  const own = url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const exporter = variables.oneOf<string>('OTEL_TRACES_EXPORTER', '', 'otlp', 'none');
  const disabled = variables.flag('OTEL_SDK_DISABLED', false);
  const service = variables.text('OTEL_SERVICE_NAME', 'typecase');
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    variables.oneOf<string>(name, '', 'http/json', 'http/protobuf');
  if (disabled || exporter === 'none' || (exporter === '' && base === undefined && own === undefined)) return {};
  return { tracing: { url: own ?? `${base ?? OTLP_DEFAULT}/v1/traces`, service } };
}

/** Default URL of OTLP collectors. */
const OTLP_DEFAULT = 'http://localhost:4318';
