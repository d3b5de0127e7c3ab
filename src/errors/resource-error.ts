// The only error type sent to clients. Thrown anywhere below http/, sent by its exception filter.
import { blameOf } from './blame.js';
import { catalogue } from './catalogue.js';

/** Marks errors of this program, and of a second copy of it that an extension has imported. */
const MARK = Symbol.for('typecase.ResourceError');

/** Members of `data`. */
export interface ErrorData {
  status?: number;
  [member: string]: unknown;
}

/** Status of an error: fixed, or 401 for anonymous and 403 for authenticated callers. */
export type ErrorStatus = number | 'auth';

/**
 * An error with the code, message and status of the catalogue; a code declared in a schema file (`errors`) takes
 * status and message from `like`.
 */
export class ResourceError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && MARK in value;
  }

  readonly [MARK] = true;
  readonly status: ErrorStatus;
  /** Headers of the response: `Retry-After` and the like. */
  readonly headers: Record<string, string>;
  readonly additional: ResourceError[] = [];
  /** The caller lacks the permission for this method: `Allow` does not list it. */
  denied: boolean;
  /** It is unknown whether the change was saved: its side effects must not be undone. */
  readonly undecided: boolean;

  constructor(
    readonly code: string,
    readonly details: {
      message?: string;
      status?: ErrorStatus;
      data?: ErrorData;
      like?: string;
      /** Message of a code that is not in the catalogue; its status is that of `like`. */
      wording?: string;
      headers?: Record<string, string>;
      /** See `denied`. */
      denied?: boolean;
      /** See `undecided`. */
      undecided?: boolean;
      /** Further data blocks. */
      additionalData?: Record<string, unknown>[];
    } = {},
  ) {
    const known = catalogue[code];
    const entry = known ?? (details.like ? catalogue[details.like] : undefined);
    super(details.message ?? known?.message ?? details.wording ?? entry?.message ?? code);
    this.status = details.status ?? entry?.status ?? 400;
    this.headers = details.headers ?? {};
    this.denied = details.denied ?? false;
    this.undecided = details.undecided ?? false;
  }

  /** HTTP status of the response. `known`: the caller is authenticated. */
  statusFor(known: boolean): number {
    return this.status === 'auth' ? (known ? 403 : 401) : this.status;
  }

  /** JSON body of the response. `known`: the caller is authenticated. */
  body(known: boolean): Record<string, unknown> {
    const data = { ...this.details.data, status: this.statusFor(known) };
    const body: Record<string, unknown> = { code: this.code, message: this.message, data };
    if (this.details.additionalData) body['additional_data'] = this.details.additionalData;
    if (this.additional.length > 0) body['additional_errors'] = this.additional.map((error) => error.body(known));
    return body;
  }
}

/** Whether it is unknown if the change that failed with this error was saved. */
export function isUndecided(error: unknown): boolean {
  return error instanceof ResourceError && error.undecided;
}

/** The text of an error for the log: of a refusal its cause, because its message is for clients. */
export function operatorReason(error: unknown): string {
  const cause = error instanceof ResourceError ? (error.cause ?? error) : error;
  return withSource(cause);
}

/** The message of an error, after the part of an extension that threw it, where that is known. */
function withSource(error: unknown): string {
  const source = blameOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return source === undefined ? message : `${source}: ${message}`;
}

/** In place of messages for clients, which a header tells when to retry. */
const OF_COMMANDS: Record<string, readonly [what: string, advice: string] | undefined> = {
  rest_unavailable: ['The database is busy or does not respond', 'Run the command again.'],
  rest_insufficient_storage: ['The database has no space left', 'Free disk space, and run the command again.'],
};

/** The text of an error for the operator who runs a command: with the error of the driver, where the database failed. */
export function commandReason(error: unknown): string {
  if (!(error instanceof ResourceError)) return withSource(error);
  const own = OF_COMMANDS[error.code];
  if (!own) return error.message;
  const said = error.cause === undefined ? '' : ` (${operatorReason(error)})`;
  const [what, advice] = own;
  return error.details.message === undefined ? `${what}${said}. ${advice}` : `${error.message}${said}`;
}

/** What is wrong with one parameter. */
export interface ParamIssue {
  param: string;
  code: string;
  message: string;
  data?: Record<string, unknown> | null;
}

/** `data.details` of issues: code, message and data by parameter. */
export function issueDetails(issues: readonly ParamIssue[]): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const { param, code, message, data } of issues) details[param] = { code, message, data: data ?? null };
  return details;
}

/** `rest_invalid_param` for several parameters at once. */
export function invalidParams(issues: readonly ParamIssue[]): ResourceError {
  const params: Record<string, string> = {};
  for (const issue of issues) params[issue.param] = issue.message;
  return new ResourceError('rest_invalid_param', {
    message: `Invalid parameter(s): ${Object.keys(params).join(', ')}. See data.params for what each one allows.`,
    data: { status: 400, params, details: issueDetails(issues) },
  });
}

/** What an error says of each parameter, for readers who do not get its data; else its message. */
export function reasonsOf({ message, details }: ResourceError): string[] {
  const reasons = Object.values((details.data?.['params'] ?? {}) as Record<string, string>);
  return reasons.length > 0 ? reasons : [message];
}

/** Error for a search text of more than `most` characters, counted before and after it is folded. */
export function searchTermTooLong(param: string, most: number): ResourceError {
  const message = `${param} must have at most ${most} characters, letters that stand for several counted as several.`;
  return invalidParams([{ param, code: 'rest_too_long', message }]);
}
