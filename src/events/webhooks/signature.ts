// Signatures of Standard Webhooks: HMAC-SHA256 of `<id>.<timestamp>.<body>`, one per secret that is valid.
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** Headers of a request. `secrets`: `whsec_…`, the current one first; `seconds` since 1970. */
export function signedHeaders(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
