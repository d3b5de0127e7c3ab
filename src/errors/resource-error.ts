// The only error meant for a client. Thrown anywhere below http/, written by its error filter.
import { catalogue } from './catalogue.js';

/** Members of `data` beside `status`. */
export interface ErrorData {
  status?: number;
  [member: string]: unknown;
}

/** Status of an error: fixed, or 401 for anonymous and 403 for known callers (decisions 3.3). */
export type ErrorStatus = number | 'auth';

/**
 * A refusal in the shape of decisions 3.1. Code and wording come from the catalogue; a schema's own codes
 * (`errors` in a schema file) take status and wording from `like`.
 */
export class ResourceError extends Error {
  readonly status: ErrorStatus;
  /** Sent with the answer: `Retry-After` and the like. */
  readonly headers: Record<string, string>;
  readonly additional: ResourceError[] = [];
  /** The caller lacks the right to this method here: `Allow` does not offer it (decisions 4.3). */
  denied: boolean;

  constructor(
    readonly code: string,
    readonly details: {
      message?: string;
      status?: ErrorStatus;
      data?: ErrorData;
      like?: string;
      /** Message where the catalogue does not know the code; status is that of `like`. */
      wording?: string;
      headers?: Record<string, string>;
      /** See `denied`. */
      denied?: boolean;
      /** Further data blocks (decisions 3.2). */
      additionalData?: Record<string, unknown>[];
    } = {},
  ) {
    const known = catalogue[code];
    const entry = known ?? (details.like ? catalogue[details.like] : undefined);
    super(details.message ?? known?.message ?? details.wording ?? entry?.message ?? code);
    this.status = details.status ?? entry?.status ?? 400;
    this.headers = details.headers ?? {};
    this.denied = details.denied ?? false;
  }

  /** HTTP status for a caller. */
  statusFor(known: boolean): number {
    return this.status === 'auth' ? (known ? 403 : 401) : this.status;
  }

  /** The JSON body (decisions 3.1, 3.2). */
  body(known: boolean): Record<string, unknown> {
    const data = { ...this.details.data, status: this.statusFor(known) };
    const body: Record<string, unknown> = { code: this.code, message: this.message, data };
    if (this.details.additionalData) body['additional_data'] = this.details.additionalData;
    if (this.additional.length > 0) body['additional_errors'] = this.additional.map((error) => error.body(known));
    return body;
  }
}

/** `rest_invalid_param` for several parameters at once (decisions 3.4). */
export function invalidParams(
  issues: { param: string; code: string; message: string; data?: Record<string, unknown> | null }[],
): ResourceError {
  const params: Record<string, string> = {};
  const details: Record<string, unknown> = {};
  for (const issue of issues) {
    params[issue.param] = issue.message;
    details[issue.param] = { code: issue.code, message: issue.message, data: issue.data ?? null };
  }
  return new ResourceError('rest_invalid_param', {
    message: `Invalid parameter(s): ${Object.keys(params).join(', ')}. See data.params for what each one allows.`,
    data: { status: 400, params, details },
  });
}
