// Validates the parameters of lists, items and deletions against their compiled rules.
import { invalidParams, issueDetails, ResourceError } from '../../errors/resource-error.js';
import { limits } from '../limits.js';
import type { ParamModel } from '../../model/list.js';
import type { Checked, ValueIssue } from '../../model/value.js';

/** The known parameters, coerced, with defaults for those not sent. Throws one error with all problems. */
export function validateParams(
  params: ReadonlyMap<string, ParamModel>,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const missing = missingOf(params, sent);
  const values: Record<string, unknown> = {};
  const issues: ValueIssue[] = [];
  for (const [name, param] of params) {
    const given = sent[name];
    if (given === undefined || given === null) useDefault(values, param);
    else {
      const checked = tooManyItems(param, given) ?? param.rule(given, name);
      if (!('issue' in checked)) values[name] = checked.value;
      else if (param.schema.lenient) useDefault(values, param);
      else issues.push({ ...checked.issue, param: name });
    }
  }
  if (missing.length > 0) throw missingParams(missing, { wrong: issues });
  if (issues.length > 0) throw invalidParams(issues);
  return values;
}

/** A list over the limit that applies where the schema sets none. */
function tooManyItems({ arg, name }: ParamModel, given: unknown): Extract<Checked, { issue: ValueIssue }> | undefined {
  const most = limits.parameterItems;
  const isList = arg.type === 'array' || (Array.isArray(arg.type) && arg.type.includes('array'));
  if (!isList || arg.maxItems !== undefined || itemCount(given, most) <= most) return undefined;
  const message = `${name} must have at most ${most} items.`;
  return { issue: { code: 'rest_too_many_items', param: name, message } };
}

/** Code of the error for missing parameters. */
export const MISSING_PARAM = 'rest_missing_callback_param';

/** What else is known about missing parameters. */
interface MissingMore {
  /** Problems of the parameters that were sent. */
  wrong?: readonly ValueIssue[];
  /** The message of a schema for one. */
  own?(name: string): string | undefined;
}

/** The error for missing parameters. */
export function missingParams(names: string[], { wrong = [], own }: MissingMore = {}): ResourceError {
  const messages = names.flatMap((name) => own?.(name) ?? []);
  const others = names.filter((name) => own?.(name) === undefined);
  if (others.length > 0) messages.push(`Missing parameter(s): ${others.join(', ')}. Send them too.`);
  if (wrong.length > 0) {
    const invalid = [...new Set(wrong.map(({ param }) => param))].join(', ');
    messages.push(`Invalid parameter(s): ${invalid}. See data.details for what each one allows.`);
  }
  return new ResourceError(MISSING_PARAM, {
    status: 400,
    message: messages.join(' '),
    data: { status: 400, params: names, ...(wrong.length > 0 ? { details: issueDetails(wrong) } : {}) },
  });
}

function missingOf(params: ReadonlyMap<string, ParamModel>, sent: Record<string, unknown>): string[] {
  const missing: string[] = [];
  for (const [name, param] of params) {
    if (param.schema.required === true && (sent[name] === undefined || sent[name] === null)) missing.push(name);
  }
  return missing;
}

function useDefault(values: Record<string, unknown>, param: ParamModel): void {
  if (param.schema.default !== undefined) values[param.name] = param.schema.default;
}

// Counts as list rules split texts.
function itemCount(given: unknown, most: number): number {
  if (Array.isArray(given)) return given.length;
  return typeof given === 'string' ? given.split(/[\s,]+/, most + 3).filter((part) => part !== '').length : 1;
}
