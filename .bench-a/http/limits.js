// Limits of the transport, as published (reliability.md section 4). Read by the adapter and the body reader; config.ts may override some.
const KIB = 1024;
const MIB = 1024 * KIB;
/** Sizes, counts and times that hold for every request unless the operator says otherwise. */
export const limits = Object.freeze({
    jsonBody: MIB,
    contentBody: 8 * MIB,
    upload: 64 * MIB,
    jsonDepth: 64,
    jsonKeys: 10_000,
    queryBytes: 16 * KIB,
    queryParameters: 200,
    formParameters: 1_000,
    queryDepth: 5,
    /** The widest list a parameter may name (`include`, `exclude`); narrower ones are a matter of validation. */
    arrayItems: 500,
    headerBytes: 16 * KIB,
    headerCount: 100,
    /** What Node's parser takes in before our own answers: query and headers together, and room to say which was too long. */
    parserBytes: 40 * KIB,
    headersTimeout: 20_000,
    /** The server's own holds for uploads; `bodyTimeout` is the shorter one of all other bodies. */
    requestTimeout: 300_000,
    bodyTimeout: 60_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
    maxRequestsPerSocket: 10_000,
    maxConnections: 10_000,
    /** From the last byte of the request to the first of the answer. */
    answerTimeout: 30_000,
    /** How much of a refused body is still read so that the client can read the refusal. */
    drainBytes: 16 * MIB,
    drainTimeout: 5_000,
    shutdownTimeout: 10_000,
});
