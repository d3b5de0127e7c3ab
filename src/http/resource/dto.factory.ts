// Generates one class-validator class per model and kind of write at boot; the pipe validates bodies with it. Each
// property runs the compiled rule of its field, so that bodies and query strings follow the same rules.
import { ValidateBy, validateSync } from 'class-validator';
import { invalidParams } from '../../errors/resource-error.js';
import type { FieldModel, ResourceModel } from '../../model/model.js';
import type { ValueIssue } from '../../model/value.js';
import { missingParams } from './validate-params.js';

/** Values of one body, by field name. */
export type Body = Record<string, unknown>;

/** A generated DTO class. `required` names the mandatory fields. */
export interface BodyClass {
  new (): Body;
  readonly fields: readonly FieldModel[];
  readonly required: readonly string[];
}

/** Issues found while class-validator visits a body, because its own results can only hold texts. */
const issuesOf = new WeakMap<object, ValueIssue[]>();

/** Fields that clients may send. */
export function writableFields(model: ResourceModel): FieldModel[] {
  return [...model.fields.values()].filter((field) => !field.readOnly && !field.internal);
}

/** Creates the class of bodies that create or update items of a model. */
export function createBodyClass(model: ResourceModel, kind: 'create' | 'update'): BodyClass {
  const fields = writableFields(model);
  const name = `${className(model.name)}${kind === 'create' ? 'Create' : 'Update'}`;
  const required = kind === 'create' ? fields.filter(isRequired).map((field) => field.name) : [];
  const generated = { [name]: class {} }[name]!;
  for (const field of fields) followsRule(field, kind)(generated.prototype, field.name);
  return Object.assign(generated, { fields, required }) as unknown as BodyClass;
}

/** The known fields of a body, validated and coerced. Missing fields are reported before invalid ones. */
export function checkBody(type: BodyClass, sent: Record<string, unknown>): Body {
  const missing = type.required.filter((name) => sent[name] === undefined || sent[name] === null);
  if (missing.length > 0) throw missingParams(missing);
  const body = new type();
  for (const field of type.fields) {
    const value = sent[field.name];
    if (value !== undefined && (value !== null || takesNull(field))) body[field.name] = value;
  }
  validateSync(body, { forbidUnknownValues: false, validationError: { target: false, value: false } });
  const issues = issuesOf.get(body);
  if (issues) throw invalidParams(issues);
  return { ...body };
}

/** `book-loan` as `BookLoan`. */
export function className(name: string): string {
  return name.replaceAll(/(?:^|\W|_)+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isRequired(field: FieldModel): boolean {
  return field.required;
}

// `null` is a value only where the field allows it; elsewhere it counts as not sent.
function takesNull(field: FieldModel): boolean {
  return field.schema.nullable === true || field.schema.default === null || [field.arg.type].flat().includes('null');
}

function followsRule(field: FieldModel, kind: 'create' | 'update'): PropertyDecorator {
  const rule = (kind === 'create' && field.createRule) || field.rule;
  return ValidateBy({
    name: 'rule',
    validator: {
      validate: (value, args) => {
        if (value === undefined) return true;
        const body = args!.object as Body;
        const checked = rule(value, field.name);
        if ('issue' in checked) return note(body, { ...checked.issue, param: field.name });
        if (checked.value === undefined) delete body[field.name];
        else body[field.name] = checked.value;
        return true;
      },
    },
  });
}

function note(body: object, issue: ValueIssue): false {
  const issues = issuesOf.get(body);
  if (issues) issues.push(issue);
  else issuesOf.set(body, [issue]);
  return false;
}
