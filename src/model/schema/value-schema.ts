// The JSON Schema keywords of values in a schema file.
import type { RuleSchema } from './permission-schema.js';
import type { Scalar, Context } from './schema.js';

/** JSON Schema keywords that a field, parameter or member may have. */
export interface ValueSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  enum?: Scalar[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  /** A number in schema files; `true` beside `minimum` in what OPTIONS shows. */
  exclusiveMinimum?: number | boolean;
  exclusiveMaximum?: number | boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: ValueSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, MemberSchema>;
  patternProperties?: Record<string, ValueSchema>;
  additionalProperties?: boolean | ValueSchema;
  minProperties?: number;
  maxProperties?: number;
  anyOf?: ValueSchema[];
  oneOf?: ValueSchema[];
  required?: boolean | string[];
}

/** A member of an object: a value with its own contexts. */
export interface MemberSchema extends ValueSchema {
  contexts?: readonly Context[];
  readOnly?: boolean;
  /** Rows and callers that see the member; default: those of the field. */
  read?: RuleSchema;
  /** Rows and callers that may set the member; default: those of the field. */
  write?: RuleSchema;
}
