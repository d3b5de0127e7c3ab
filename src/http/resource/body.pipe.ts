// The validation pipe of creates and updates: collects the sent fields and validates them with the DTO class of the
// route.
import type { ArgumentMetadata, ExecutionContext, PipeTransform } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import { sentFields, type RoutedRequest } from '../routes/request-input.js';
import { identifyLate } from '../request/caller-now.js';
import { checkBody, type BodyClass } from '../validation/dto.factory.js';
import type { CheckedBody } from './operation.factory.js';
import { contextOf } from '../request/request-context.js';
import { rejectUnknown } from './strict-handling.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { takesFiles, type ReceivedForm, type UploadIntake } from './upload-intake.js';

/** Parameter decorator of bound methods: passes the request through the given pipes. */
export const Sent = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<RoutedRequest>(),
);

/** The DTO class is the `metatype` that the bound method declares. */
export class ResourcePipe implements PipeTransform<RoutedRequest, Promise<CheckedBody>> {
  private readonly wantsFile: boolean;

  constructor(
    private readonly route: ResourceRoute,
    private readonly uploads: UploadIntake,
    private readonly kind: 'create' | 'update',
  ) {
    this.wantsFile = kind === 'create' && takesFiles(route);
  }

  /** Known fields of body and query, the body first, and the uploaded file. */
  async transform(request: RoutedRequest, { metatype }: ArgumentMetadata): Promise<CheckedBody> {
    const context = contextOf(request);
    const form = context.bodyKind === 'multipart' ? await this.form(request) : undefined;
    if (form?.unread) return { values: {}, raw: context.query };
    let file = form?.file;
    try {
      const raw = sentFields(context.query, form?.fields ?? context.body);
      rejectUnknown(this.route.model, this.kind, raw, request.headers, context.dropped);
      const values = checkBody(metatype as unknown as BodyClass, raw);
      if (!form) file = await this.rawFile(request);
      if (form || file) await identifyLate(request);
      return { values, raw, ...(file ? { file } : {}) };
    } catch (error) {
      await file?.remove();
      throw error;
    }
  }

  private form(request: RoutedRequest): Promise<ReceivedForm> {
    return this.uploads.form(this.route, request, this.wantsFile);
  }

  private async rawFile(request: RoutedRequest) {
    const { bodyKind, mediaType } = contextOf(request);
    const isRaw = bodyKind === 'raw' || (bodyKind === 'form' && mediaType === '');
    return this.wantsFile && isRaw ? this.uploads.raw(this.route, request) : undefined;
  }
}
