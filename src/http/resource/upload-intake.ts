// Receives uploaded files and multipart forms.
import type { IncomingMessage } from 'node:http';
import { parse } from 'qs';
import { dispositionFilename } from '../../files/content-disposition.js';
import {
  receiveFields,
  receiveMultipart,
  receiveRaw,
  type ReceivedFile,
  type ReceiveOptions,
} from '../../files/receive.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { AllowHeader } from './allow-header.js';
import { requestInput, type RoutedRequest } from '../routes/request-input.js';
import type { BodyBudget } from '../memory/body-budget.js';
import { watchPace, type Pace } from '../request/body-pace.js';
import { limits } from '../limits.js';
import { hasBody } from '../request/media-type.js';
import { hasReservedSegment } from '../request/prototype-keys.js';
import { contextOf } from '../request/request-context.js';
import { holdBody } from '../request/read-body.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { UploadPlaces } from './upload-places.js';
import type { UploadedFile } from '../../model/site/file-storage.js';

/** Where incoming uploads are stored temporarily, and their limits. */
export interface UploadOptions {
  directory: string;
  /** Bytes of one file. */
  limit: number;
  /** Bytes of a form on a route that accepts no file, and its timeout in milliseconds. */
  formLimit: number;
  formTimeout: number;
  /** Memory budget of such forms. */
  budget: BodyBudget;
}

/** A received form. */
export interface ReceivedForm {
  fields: Record<string, unknown>;
  file?: UploadedFile;
  /** The caller may not create: the form was not read, and the service rejects the request. */
  unread?: boolean;
}

/** Whether creating an item of this resource accepts a file. */
export function takesFiles(route: ResourceRoute): boolean {
  return route.model.faces.upload !== undefined;
}

/** Receives uploads; callers without permission to create are rejected before they send the file. */
export class UploadIntake {
  private readonly places = new UploadPlaces();

  constructor(
    private readonly options: UploadOptions,
    private readonly allowance: AllowHeader,
  ) {}

  /** Fields of a multipart body, with its file where the route accepts one. */
  async form(route: ResourceRoute, request: RoutedRequest, wantsFile: boolean): Promise<ReceivedForm> {
    if (!wantsFile) return { fields: membersOf(await this.fields(request), request) };
    if (!(await this.mayCreate(route, request))) return { fields: {}, unread: true };
    const { file, fields } = await this.spool(request, (options) => receiveMultipart(request, options));
    const named = membersOf(fields, request);
    return file ? { fields: named, file: toUploadedFile(file, 'multipart') } : { fields: named };
  }

  /** The whole body as a file; undefined when the service will reject the request anyway, or when there is no body. */
  async raw(route: ResourceRoute, request: RoutedRequest): Promise<UploadedFile | undefined> {
    if (!hasBody(request) || !(await this.mayCreate(route, request))) return undefined;
    requireHeaders(request);
    return toUploadedFile(await this.spool(request, (options) => receiveRaw(request, options)), 'raw');
  }

  // Form fields are kept in memory; file parts are discarded.
  private fields(request: RoutedRequest): Promise<Record<string, unknown>> {
    const { formLimit, formTimeout, budget } = this.options;
    const limit = Math.min(contextOf(request).bounds?.bytes ?? 0, formLimit);
    const hold = holdBody(request, budget);
    const pace = { timeout: formTimeout, arrived: (bytes: number) => hold.take(bytes) };
    return withPace(request, pace, (signal) => receiveFields(request, { limit, signal }));
  }

  private spool<T>(request: RoutedRequest, receive: (options: ReceiveOptions) => Promise<T>): Promise<T> {
    const { directory, limit } = this.options;
    const md5 = headerOf(request, 'content-md5');
    const pace = { timeout: limits.requestTimeout };
    return this.places.run(contextOf(request).actor?.id ?? 0, () =>
      withPace(request, pace, (signal) => receive({ directory, limit, signal, ...given(md5) })),
    );
  }

  private async mayCreate(route: ResourceRoute, request: RoutedRequest): Promise<boolean> {
    const input = requestInput(request);
    if ((await this.allowance.of(route, 'collection', input)).includes('POST')) return true;
    // The rule may depend on fields of the form, which has not been read yet. Below a parent it depends on the parent.
    return !route.model.parent && this.allowance.ever(route, 'collection', input).includes('POST');
  }
}

/** Runs `work` with a signal that aborts when the body is too slow, or is rejected while it arrives. */
async function withPace<T>(
  request: IncomingMessage,
  { timeout, arrived }: Pick<Pace, 'timeout' | 'arrived'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const count = (bytes: number) => {
    try {
      arrived?.(bytes);
    } catch (error) {
      controller.abort(error);
    }
  };
  const stop = watchPace(request, { timeout, slow: (error) => controller.abort(error), arrived: count });
  try {
    return await work(controller.signal);
  } finally {
    stop();
  }
}

function requireHeaders(request: RoutedRequest): void {
  if (contextOf(request).mediaType === '') throw new ResourceError('rest_upload_no_content_type');
  const disposition = headerOf(request, 'content-disposition');
  if (disposition === undefined) throw new ResourceError('rest_upload_no_content_disposition');
  if (dispositionFilename(disposition) === undefined) throw new ResourceError('rest_upload_invalid_disposition');
}

function toUploadedFile(file: ReceivedFile, form: UploadedFile['form']): UploadedFile {
  return { ...file, form };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function given(md5: string | undefined): { md5?: string } {
  return md5 === undefined ? {} : { md5 };
}

/** `meta[colour]` becomes a member, as in urlencoded forms, without reserved names. */
function membersOf(fields: Record<string, unknown>, request: RoutedRequest): Record<string, unknown> {
  const names = Object.keys(fields);
  const dropped = names.filter(hasReservedSegment);
  const context = contextOf(request);
  if (dropped.length > 0) context.dropped = [...context.dropped, ...dropped];
  const remaining = names.filter((name) => !dropped.includes(name)).map((name) => [name, fields[name]] as const);
  return parse(Object.fromEntries(remaining) as Record<string, string>, {
    depth: limits.queryDepth,
    arrayLimit: limits.arrayItems,
    plainObjects: true,
  });
}
