// The requests of the storage to an S3-compatible service. The AWS client is large, and therefore loaded only with the
// first storage.
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { UploadProblem } from '../upload-problem.js';

/**
 * Where objects are: `s3://<bucket>/<prefix>?endpoint=…&region=…`. The client reads credentials from the environment.
 */
export interface S3Location {
  bucket: string;
  /** Ends with a slash unless it is empty. */
  prefix: string;
  region: string;
  /** Absent: Amazon S3. */
  endpoint?: string;
  /** Path-style URLs: the bucket is in the path, not in the host name. */
  pathStyle: boolean;
}

/** An object that is written. */
export interface NewObject {
  body: Readable | Buffer;
  length: number;
  type?: string;
  disposition?: string;
  cacheControl?: string;
}

/** An object that is read. `status` is 200 or 206. */
export interface ReadObject {
  body: Readable | undefined;
  status: number;
  length: number;
  etag?: string;
  modified?: Date;
  range?: string;
}

/** The options of a read besides the key. */
export interface ReadConditions {
  range?: string;
  ifMatch?: string;
  ifNoneMatch?: string;
  ifModifiedSince?: Date;
  ifUnmodifiedSince?: Date;
}

const CONNECT_MS = 5_000;
const RESPONSE_MS = 30_000;
const ATTEMPTS = 3;
/** Maximum number of concurrent deletions. */
const DELETED_TOGETHER = 8;

const nothing = () => undefined;
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

type Sdk = typeof import('@aws-sdk/client-s3');

/** The objects of a bucket by their full names. All methods reject with the errors of the client: see `statusOf`. */
export class ObjectStore {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;

  private constructor(sdk: Sdk, client: S3Client, bucket: string) {
    this.#sdk = sdk;
    this.#client = client;
    this.#bucket = bucket;
  }

  /** Loads the client. Nothing is requested yet. */
  static async open({ bucket, region, endpoint, pathStyle }: S3Location): Promise<ObjectStore> {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region,
      forcePathStyle: pathStyle,
      maxAttempts: ATTEMPTS,
      // Not every compatible service supports checksums besides the signature.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: RESPONSE_MS, throwOnRequestTimeout: true },
      // Failures are reported as errors, and need no log.
      logger: SILENT,
      ...(endpoint === undefined ? {} : { endpoint }),
    });
    return new ObjectStore(sdk, client, bucket);
  }

  close(): void {
    this.#client.destroy();
  }

  async put(name: string, { body, length, type, disposition, cacheControl }: NewObject, isNew: boolean): Promise<void> {
    await this.#client.send(
      new this.#sdk.PutObjectCommand({
        Bucket: this.#bucket,
        Key: name,
        Body: body,
        ContentLength: length,
        ContentType: type,
        ContentDisposition: disposition,
        CacheControl: cacheControl,
        ...(isNew ? { IfNoneMatch: '*' } : {}),
      }),
    );
  }

  async exists(name: string): Promise<boolean> {
    return (await this.version(name)) !== undefined;
  }

  /** The tag and time of an object, which identify it among objects of the same name; undefined without an object. */
  async version(name: string): Promise<string | undefined> {
    try {
      const found = await this.#client.send(new this.#sdk.HeadObjectCommand({ Bucket: this.#bucket, Key: name }));
      return `${found.ETag ?? ''} ${found.LastModified?.getTime() ?? 0}`;
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  /** `head`: without the body. */
  async read(
    name: string,
    conditions: ReadConditions = {},
    { head = false, signal }: ReadOptions = {},
  ): Promise<ReadObject> {
    const input = {
      Bucket: this.#bucket,
      Key: name,
      Range: conditions.range,
      IfMatch: conditions.ifMatch,
      IfNoneMatch: conditions.ifNoneMatch,
      IfModifiedSince: conditions.ifModifiedSince,
      IfUnmodifiedSince: conditions.ifUnmodifiedSince,
    };
    const options = signal ? { abortSignal: signal } : {};
    const found = head
      ? { Body: undefined, ...(await this.#client.send(new this.#sdk.HeadObjectCommand(input), options)) }
      : await this.#client.send(new this.#sdk.GetObjectCommand(input), options);
    const { Body: body, ContentLength: length = 0, ETag: etag, LastModified: modified, ContentRange: range } = found;
    return {
      body: body as Readable | undefined,
      status: range === undefined ? 200 : 206,
      length,
      ...(etag === undefined ? {} : { etag }),
      ...(modified === undefined ? {} : { modified }),
      ...(range === undefined ? {} : { range }),
    };
  }

  /** Removes objects; a missing one is no error. All are tried before it rejects. */
  async remove(names: readonly string[]): Promise<void> {
    let failure: { reason: unknown } | undefined;
    for (let at = 0; at < names.length; at += DELETED_TOGETHER) {
      const removals = names
        .slice(at, at + DELETED_TOGETHER)
        .map((name) => this.#client.send(new this.#sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key: name })));
      const failed = (await Promise.allSettled(removals)).find((outcome) => outcome.status === 'rejected');
      failure ??= failed;
    }
    if (failure) throw failure.reason;
  }

  /** Names and times of the objects whose names begin with a prefix, in the order of their names. */
  async *list(prefix: string): AsyncGenerator<{ name: string; modified: Date }> {
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new this.#sdk.ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token }),
      );
      for (const { Key: name = '', LastModified: modified = new Date(0) } of page.Contents ?? [])
        yield { name, modified };
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }
}

interface ReadOptions {
  head?: boolean;
  signal?: AbortSignal;
}

/** The HTTP status with which the service refused a request; undefined when it did not respond. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** Wraps an error of the client as `rest_upload_file_error`; an UploadProblem is returned unchanged. */
export function storageProblem(error: unknown): UploadProblem {
  if (error instanceof UploadProblem) return error;
  const cause = Object.assign(new Error(`S3: ${(error as Error).message}`, { cause: error }), {
    code: statusOf(error) === 412 ? 'EEXIST' : 'EIO',
  });
  return new UploadProblem('rest_upload_file_error', 'The server could not reach its storage; try again later.', {
    fault: 'server',
    cause,
  });
}
