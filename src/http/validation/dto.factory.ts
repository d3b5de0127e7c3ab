// Generates one DTO class per model and kind of write at start. The compiled rule of each field decorates its property:
// the coercion as a transformation of class-transformer, each constraint as one of class-validator, named after the
// code of its error. openapi/decorators.ts adds what @nestjs/swagger shows of the same classes.
import { plainToInstance, Transform } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { ownMessage } from '../../model/functions/messages.js';
import type { ResourceModel } from '../../model/model.js';
import { Rejection, type Rule } from '../../model/value.js';
import { getMetadataStorage, transformations, Validator } from './class-validator.js';
import type { FieldModel } from '../../model/field.js';
import { REQUIRED, satisfiesConstraint, OMITTED } from './constraints.js';
import { bodyError, invalidBody } from './body-errors.js';

/** Values of one body, by field name. */
export type Body = Record<string, unknown>;

/** A generated DTO class. `fields` names its properties. */
export interface BodyClass {
  new (): Body;
  readonly fields: readonly string[];
  /** The message of its schema for an error of a field. */
  message(field: string, code: string, value?: unknown): string | undefined;
}

/** Fields that clients may send. */
export function writableFields(model: ResourceModel): FieldModel[] {
  return [...model.fields.values()].filter((field) => !field.readOnly && !field.hidden);
}

/** Whether a new item needs a value in its body: its parent is in its path. */
export function isDemanded(field: FieldModel, { parent }: ResourceModel): boolean {
  return field.required && field !== parent?.field;
}

/** Creates the class of bodies that create or update items of a model. */
export function createBodyClass(model: ResourceModel, kind: 'create' | 'update'): BodyClass {
  const name = `${model.typeName}${kind === 'create' ? 'Create' : 'Update'}`;
  const generated = { [name]: class {} }[name]!;
  const fields = writableFields(model);
  for (const field of fields) {
    const rule = (kind === 'create' && field.createRule) || field.rule;
    const required = kind === 'create' && isDemanded(field, model);
    const nullable = !required && takesNull(field);
    const decorators = [
      Transform(({ value }) => receive(value as Sent, field.name, rule, nullable)),
      ...(required ? [REQUIRED] : []),
      ...rule.constraints.map((constraint) => satisfiesConstraint(constraint, field.name)),
    ];
    for (const decorate of decorators) decorate(generated.prototype, field.name);
  }
  const message: BodyClass['message'] = (field, code, value) =>
    ownMessage(model.fields.get(field)!.schema, code, value);
  return Object.assign(generated, { fields: fields.map((field) => field.name), message }) as unknown as BodyClass;
}

/**
 * Releases what both libraries keep of a class for the life of the process. Call it when the application that uses the
 * class is closed; checking a body with it afterwards checks nothing.
 */
export function forgetBodyClass(type: BodyClass): void {
  const known = getMetadataStorage() as unknown as { validationMetadatas: Map<unknown, unknown> };
  known.validationMetadatas.delete(type);
  transformations._transformMetadatas.delete(type);
  transformations._ancestorsMap.delete(type);
}

/** The known fields of a body, validated and coerced. Missing fields are reported before invalid ones. */
export function checkBody(type: BodyClass, sent: Record<string, unknown>): Body {
  const body = toInstance(type, sent);
  const errors = validateBody(body);
  if (errors.length > 0) throw bodyError(errors, type);
  const values: Body = {};
  for (const [name, value] of Object.entries(body)) {
    // Not a value either, although no constraint has its code.
    if (value instanceof Rejection) throw invalidBody([{ ...value.issue, param: name }]);
    if (value !== OMITTED) values[name] = value;
  }
  return values;
}

/** The DTO of a body: known fields, coerced. Those that cannot be coerced are left for `validateBody` to reject. */
export function toInstance(type: BodyClass, sent: Record<string, unknown>): Body {
  const plain: Record<string, Sent> = {};
  for (const name of type.fields) {
    const value = sent[name];
    if (value !== undefined) plain[name] = () => value;
  }
  return plainToInstance(type, plain, { exposeUnsetFields: false });
}

/** The errors of a DTO, in the order of the fields; `constraints` of each holds the first one that is not satisfied. */
export function validateBody(body: Body): ValidationError[] {
  return validator.validateSync(body, VALIDATION);
}

const validator = new Validator();
const VALIDATION = {
  // A resource may have no writable field.
  forbidUnknownValues: false,
  skipUndefinedProperties: true,
  // A constraint may rely on those before it.
  stopAtFirstError: true,
  validationError: { target: false, value: true },
};

/**
 * A sent value, as class-transformer sees it. The library copies lists and objects, member by member and without a
 * limit of depth, before the transformation runs, and calls what a member named `constructor` holds; it leaves
 * functions alone.
 */
type Sent = () => unknown;

function receive(sent: Sent, name: string, rule: Rule, nullable: boolean): unknown {
  const value = sent();
  if (value === null && !nullable) return undefined;
  const coerced = rule.coerce(value, name);
  return coerced === undefined ? OMITTED : coerced;
}

// `null` is a value only where the field allows it; elsewhere it counts as not sent.
function takesNull(field: FieldModel): boolean {
  return field.schema.nullable === true || field.schema.default === null || [field.arg.type].flat().includes('null');
}
