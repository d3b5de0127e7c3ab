// Constraints of value rules as decorators of class-validator.
import type { ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { Rejection, type Constraint } from '../../model/value.js';
import { MISSING_PARAM } from './validate-params.js';
import { ValidateBy, ValidationTypes, ValidatorConstraint } from './class-validator.js';

/** In place of a value that counts as not sent, although its field was. */
export const OMITTED = Symbol('omitted');

@ValidatorConstraint({ name: MISSING_PARAM })
class IsSent implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return value !== undefined && value !== null;
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} is required.`;
  }
}

/** Constraints of this type are checked on properties that are undefined, too. */
export const REQUIRED = ValidateBy({ name: ValidationTypes.IS_DEFINED, validator: IsSent });

/** A constraint of the rule of a field. */
export function satisfiesConstraint(constraint: Constraint, name: string): PropertyDecorator {
  return ValidateBy(
    { name: constraint.code, constraints: [constraint], validator: constraintClass(constraint.code) },
    { context: constraint.data?.(name) },
  );
}

type ConstraintClass = new () => ValidatorConstraintInterface;

/** One class per code, not per property: class-validator searches a list for its instance at every check. */
const constraintClasses = new Map<string, ConstraintClass>();

function constraintClass(code: string): ConstraintClass {
  const known = constraintClasses.get(code);
  if (known) return known;
  @ValidatorConstraint({ name: code })
  class Satisfies implements ValidatorConstraintInterface {
    validate(value: unknown, { constraints: [constraint] }: ConstraintArguments): boolean {
      if (value instanceof Rejection) return value.issue.code !== code;
      return value === OMITTED || constraint.reason?.(value) === undefined;
    }

    defaultMessage({ value, property, constraints: [constraint] }: ConstraintArguments): string {
      return escapeDollar(
        value instanceof Rejection ? value.issue.message : `${property} ${constraint.reason!(value)}`,
      );
    }
  }
  constraintClasses.set(code, Satisfies);
  return Satisfies;
}

type ConstraintArguments = ValidationArguments & { constraints: [Constraint] };

// class-validator replaces words such as $value in messages, and ours may quote a pattern or the name of a member: a NUL
// after each $ until the message is read.
const escapeDollar = (message: string): string => message.replaceAll('$', '$\0');
/** A message as it was before it was passed to class-validator. */
export const unescapeDollar = (message: string): string => message.replaceAll('$\0', '$');
