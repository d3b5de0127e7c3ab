// Default limits of the transport, as documented.
import { DEFAULT_LIMITS } from '../model/default-limits.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Sizes, counts and times of every request unless configured otherwise. */
export const limits = Object.freeze({
  ...DEFAULT_LIMITS,
  jsonDepth: 64,
  jsonKeys: 10_000,
  /** Items of all arrays of a body together. */
  jsonItems: 10_000,
  /** Lines and escapes of a large body: both slow down the parser, particularly its error messages for invalid JSON. */
  jsonLines: 50_000,
  jsonEscapes: 1_500_000,
  /** Limits for callers who are anonymous or may not write on the route. */
  untrustedDepth: 16,
  untrustedMembers: 1_000,
  pathBytes: 4 * KIB,
  queryBytes: 16 * KIB,
  queryParameters: 200,
  formParameters: 1_000,
  parameterName: 4 * KIB,
  /** Brackets of one parameter: conditions in groups, behind references. */
  queryDepth: 7,
  /** Largest list of any parameter (`include`, `exclude`); lower limits are checked by validation. */
  arrayItems: 500,
  /** Items of a list parameter whose schema sets no limit. */
  parameterItems: 100,
  /** `_fields`: characters, names, and parts of one name. */
  fieldsLength: 4 * KIB,
  fieldsNames: 200,
  fieldsDepth: 8,
  /** Characters of any text in an error: repeated input is truncated. */
  errorText: 2_000,
  /** Characters of the pagination links; clients reject longer headers. */
  linkBytes: 12 * KIB,
  headerBytes: 16 * KIB,
  headerCount: 100,
  /** Limit of Node's parser for query and headers together, with room for reporting which was too long. */
  parserBytes: 40 * KIB,
  headersTimeout: 20_000,
  /** Node's own timeout, long enough for uploads; `bodyTimeout` is the shorter one of all other bodies. */
  requestTimeout: 300_000,
  bodyTimeout: 60_000,
  /** Minimum rate: bytes of a body that must arrive in each window of so many milliseconds. */
  bodyRateBytes: 8 * KIB,
  bodyRateWindow: 8_000,
  /** Concurrent uploads, of all callers and of one. */
  uploads: 32,
  uploadsOfOne: 8,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxRequestsPerSocket: 10_000,
  maxConnections: 10_000,
  /** Milliseconds from the last byte of the request to the first of the response. */
  responseTimeout: 30_000,
  /** Longest wait of a large response for memory. */
  memoryWait: 10_000,
  /**
   * Milliseconds after which a client that reads nothing is disconnected; the second one applies while others wait for
   * memory. What a client reads shows only when a third of the buffer of its connection is free, of which the system makes up to
   * 4 MiB: with the first one a client of 12 KB a second is still seen to read.
   */
  stalled: 120_000,
  stalledUnderPressure: 5_000,
  /** Minimum bytes per second that a client must read while others wait. */
  slowestUnderPressure: 64 * KIB,
  /** Pipelined requests that may wait on one connection before it is paused, and on all connections. */
  pipelined: 100,
  pipelinedAll: 10_000,
  /** How much of a rejected body is still read so that the client can receive the error. */
  drainBytes: 16 * MIB,
  drainTimeout: 5_000,
});
