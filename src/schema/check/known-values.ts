// The values that a field or a parameter can have, for the values that rules and steps compare it with.
import { filters } from '../../filters/registry.js';
import { traits } from '../../traits/registry.js';
import type { ResourceModel } from '../../model/model.js';
import type { ParamModel } from '../../model/list.js';
import type { Scalar } from '../../model/schema/schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import { describeFound, quote } from './phrases.js';
import type { FieldModel } from '../../model/field.js';

/** What is wrong with a value, with a hint. */
export interface ValueProblem {
  message: string;
  hint?: string;
}

const HOW_MANY_VALUES = 12;

/**
 * The problem of a value that a field is compared with: another type, or a value that the field never has. The id of
 * the caller is a number.
 */
export function storedValueProblem(field: FieldModel, value: Scalar, model: ResourceModel): ValueProblem | undefined {
  if (value === null) return nullProblem(field);
  const wanted = kindOf(field);
  if (wanted === undefined) return undefined;
  const found = value === '$me' && wanted === 'number' ? 'number' : typeof value;
  const isSwitch = wanted === 'boolean' && (value === 0 || value === 1);
  if (found !== wanted && !isSwitch) return typeProblem(`the field "${field.name}"`, wanted, value);
  const known = valuesOfField(field, model);
  if (known) return unknownValue(`the field "${field.name}"`, value, known);
  return typeof value === 'string' && wanted === 'string' ? ruleProblem(field, value) : undefined;
}

/** The problem of a value that a parameter is compared with. */
export function paramValueProblem(param: ParamModel, value: Scalar, model: ResourceModel): ValueProblem | undefined {
  const known = valuesOfParam(param, model);
  if (known) return unknownValue(`the parameter "${param.name}"`, value, known);
  const isList = [param.schema.type].flat().includes('array');
  const checked = param.rule(isList ? [value] : value, param.name);
  if ('issue' in checked) return { message: checked.issue.message };
  const coerced = isList && Array.isArray(checked.value) ? checked.value[0] : checked.value;
  if (coerced === value || param.schema.normalize) return undefined;
  return { message: `the parameter "${param.name}" is ${quote(coerced)} when ${quote(value)} is sent` };
}

/** Every value of a field: its enum, what it allows when it is stored, and what traits give it; undefined when it may have others. */
function valuesOfField(field: FieldModel, model: ResourceModel): readonly Scalar[] | undefined {
  const { enum: allowed, allowStored = [] } = field.schema;
  const byTraits = givenByTraits(model, 'fields', field.name);
  if (allowStored.includes('*') || (!allowed && !byTraits)) return undefined;
  return [...new Set([...(allowed ?? []), ...allowStored, ...(byTraits ?? [])])];
}

/** The problem of a value that a parameter allows, and that the field it filters by never has. */
export function allowedValueProblem(
  { schema, name }: ParamModel,
  value: Scalar,
  model: ResourceModel,
): ValueProblem | undefined {
  const field = filters.get(schema.filter ?? '')?.compares ? model.fields.get(schema.field ?? name) : undefined;
  const known = field && valuesOfField(field, model);
  if (known) return unknownValue(`the field "${field.name}"`, value, known);
  const understood = givenByTraits(model, 'params', name);
  return understood && unknownValue(`the parameter "${name}"`, value, understood);
}

function valuesOfParam({ name, schema }: ParamModel, model: ResourceModel): readonly Scalar[] | undefined {
  const allowed = schema.enum ?? schema.items?.enum ?? givenByTraits(model, 'params', name);
  if (allowed) return allowed;
  const field = filters.get(schema.filter ?? '')?.compares ? model.fields.get(schema.field ?? name) : undefined;
  return field && valuesOfField(field, model);
}

function givenByTraits(model: ResourceModel, of: 'fields' | 'params', name: string): readonly Scalar[] | undefined {
  for (const [trait, options] of model.traits) {
    const values = traits.get(trait)?.values?.(options)?.[of]?.[name];
    if (values) return values;
  }
  return undefined;
}

function nullProblem({ name, schema, hidden, columns }: FieldModel): ValueProblem | undefined {
  if (hidden || schema.nullable || schema.default === null || columns[0]?.nullable) return undefined;
  return { message: `the field "${name}" is never null`, hint: 'make it nullable, or name its empty value' };
}

function kindOf({ columns }: FieldModel): 'string' | 'number' | 'boolean' | undefined {
  const kind = columns[0]?.kind;
  if (kind === undefined || kind === 'json') return undefined;
  if (kind === 'boolean') return 'boolean';
  return kind === 'integer' || kind === 'double' ? 'number' : 'string';
}

function typeProblem(noun: string, wanted: string, value: Scalar): ValueProblem {
  const kinds = { string: 'strings', number: 'numbers', boolean: 'true or false' } as Record<string, string>;
  const hint = wanted === 'number' ? '"$me" is the id of the caller' : undefined;
  return { message: `${noun} holds ${kinds[wanted]}; ${quote(value)} is ${describeFound(value)}`, hint };
}

function unknownValue(noun: string, value: Scalar, known: readonly Scalar[]): ValueProblem | undefined {
  if (known.includes(value)) return undefined;
  const near = typeof value === 'string' ? didYouMean(value, known.map(String)) : undefined;
  const all = known.length <= HOW_MANY_VALUES ? `there are: ${known.map(String).join(', ')}` : undefined;
  return { message: `${noun} is never ${quote(value)}`, hint: near ?? all };
}

function ruleProblem(field: FieldModel, value: string): ValueProblem | undefined {
  // The empty value means that nothing was sent.
  if (value === '') return undefined;
  const checked = field.rule(value, field.name);
  if ('issue' in checked) return { message: checked.issue.message };
  if (typeof checked.value !== 'string' || checked.value === value) return undefined;
  return { message: `${quote(value)} is kept as ${quote(checked.value)}` };
}
