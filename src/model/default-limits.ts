// Default sizes that configuration may change, in bytes; what the transport uses where it is not configured.

const KIB = 1024;
const MIB = 1024 * KIB;

/** Defaults of `BODY_LIMIT`, `CONTENT_BODY_LIMIT` and their like (docs/configuration.md). */
export const DEFAULT_LIMITS = Object.freeze({
  body: MIB,
  contentBody: 8 * MIB,
  /** Bodies of callers who are anonymous or may not write on the route; the longest allowed comment fits. */
  untrustedBody: 256 * KIB,
  /** Request bodies held by one process. */
  bodyMemory: 32 * MIB,
  upload: 64 * MIB,
  /** The largest response with several items. */
  response: 16 * MIB,
  /** All large responses of one process that are being made or sent. */
  responseMemory: 48 * MIB,
});
