// Takes files and multipart forms off a request (decisions 2.1, 13.10 to 13.14). Called by the pipe, after the fields were checked where possible.
import type { IncomingMessage } from 'node:http';
import { parse } from 'qs';
import { dispositionFilename } from '../files/disposition.js';
import { receiveMultipart, receiveRaw, type ReceivedFile } from '../files/receive.js';
import { ResourceError } from '../errors/resource-error.js';
import type { UploadedFile } from '../model/operation.js';
import type { Allowance } from './allowance.js';
import { askedOf, type RoutedRequest } from './asked.js';
import { limits } from './limits.js';
import { hasBody } from './media-type.js';
import { contextOf } from './request-context.js';
import type { ResourceRoute } from './resource-route.js';

/** Where uploads wait until they are stored, and how large they may be. */
export interface UploadOptions {
  directory: string;
  /** Bytes of one file. */
  limit: number;
  /** Bytes of a file that nobody wants. */
  formLimit: number;
}

/** A form as it came. */
export interface ReceivedForm {
  fields: Record<string, unknown>;
  file?: UploadedFile;
}

/** Whether creating an item of this resource takes a file. */
export function takesFiles(route: ResourceRoute): boolean {
  return route.model.traits.has('uploaded');
}

/** Receives uploads; callers who may not create anything do not get to send a file. */
export class UploadIntake {
  constructor(
    private readonly options: UploadOptions,
    private readonly allowance: Allowance,
  ) {}

  /** Fields of a multipart body, with its file where the route takes one. */
  async form(route: ResourceRoute, request: RoutedRequest, wantsFile: boolean): Promise<ReceivedForm> {
    if (wantsFile && !(await this.mayCreate(route, request))) return { fields: {} };
    const limit = wantsFile ? this.options.limit : this.options.formLimit;
    const md5 = wantsFile ? headerOf(request, 'content-md5') : undefined;
    const { file, fields } = await receiveMultipart(request, {
      directory: this.options.directory,
      limit,
      ...given(md5),
    });
    if (file && !wantsFile) await file.remove();
    const named = withoutBrackets(fields);
    return file && wantsFile ? { fields: named, file: uploaded(file, 'multipart') } : { fields: named };
  }

  /** The whole body as a file; undefined when the service will refuse anyway, or when there is no body. */
  async raw(route: ResourceRoute, request: RoutedRequest): Promise<UploadedFile | undefined> {
    if (!hasBody(request) || !(await this.mayCreate(route, request))) return undefined;
    requireHeaders(request);
    const md5 = headerOf(request, 'content-md5');
    const file = await receiveRaw(request, {
      directory: this.options.directory,
      limit: this.options.limit,
      ...given(md5),
    });
    return uploaded(file, 'raw');
  }

  private async mayCreate(route: ResourceRoute, request: RoutedRequest): Promise<boolean> {
    return (await this.allowance.of(route, 'collection', askedOf(request))).includes('POST');
  }
}

function requireHeaders(request: RoutedRequest): void {
  if (contextOf(request).mediaType === '') throw new ResourceError('rest_upload_no_content_type');
  const disposition = headerOf(request, 'content-disposition');
  if (disposition === undefined) throw new ResourceError('rest_upload_no_content_disposition');
  if (dispositionFilename(disposition) === undefined) throw new ResourceError('rest_upload_invalid_disposition');
}

function uploaded(file: ReceivedFile, form: UploadedFile['form']): UploadedFile {
  return { ...file, form };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function given(md5: string | undefined): { md5?: string } {
  return md5 === undefined ? {} : { md5 };
}

/** `meta[colour]` becomes a member, as in urlencoded forms. */
function withoutBrackets(fields: Record<string, unknown>): Record<string, unknown> {
  return parse(fields as Record<string, string>, {
    depth: limits.queryDepth,
    arrayLimit: limits.arrayItems,
    plainObjects: true,
  });
}
