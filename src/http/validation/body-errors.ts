// The error for a body, made of what class-validator reports.
import type { ValidationError } from 'class-validator';
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { Rejection, type ValueIssue } from '../../model/value.js';
import { MISSING_PARAM, missingParams } from './validate-params.js';
import { unescapeDollar } from './constraints.js';
import type { BodyClass } from './dto.factory.js';

/** The error for a body: missing fields first, then what is wrong with the others. */
export function bodyError(errors: readonly ValidationError[], type: BodyClass): Error {
  const isMissing = ({ constraints }: ValidationError): boolean => Object.hasOwn(constraints!, MISSING_PARAM);
  const missing = errors.filter(isMissing).map(({ property }) => property);
  const wrong = errors.filter((error) => !isMissing(error)).map((error) => worded(issueOf(error), error.value, type));
  if (missing.length === 0) return invalidBody(wrong);
  return missingParams(missing, { wrong, own: (name) => type.message(name, MISSING_PARAM) });
}

/** The error for wrong values: `invalid_date` when all of them are dates that are not in the calendar. */
export function invalidBody(issues: readonly ValueIssue[]): ResourceError {
  const refused = invalidParams(issues);
  const impossible = issues.every(({ code }) => code === 'invalid_date');
  return impossible
    ? new ResourceError('invalid_date', { message: refused.message, data: refused.details.data! })
    : refused;
}

function worded(issue: ValueIssue, value: unknown, type: BodyClass): ValueIssue {
  const message = type.message(issue.param, issue.code, value);
  return message === undefined ? issue : { ...issue, message };
}

function issueOf({ property, constraints, contexts, value }: ValidationError): ValueIssue {
  const [code, message] = Object.entries(constraints!)[0]!;
  // A context is fixed at start; the data of a problem with a member names the member.
  const data = value instanceof Rejection ? value.issue.data : contexts?.[code];
  return { code, param: property, message: unescapeDollar(message), data };
}
