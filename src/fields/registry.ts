// Registry of the field types. A new one is one file here and one line below.
import { Registered } from '../model/registered.js';
import type { FieldType } from '../model/registry.js';
import { arrayField } from './array.field.js';
import { booleanField } from './boolean.field.js';
import { computedField } from './computed.field.js';
import { dateField } from './date.field.js';
import { datetimeField } from './datetime.field.js';
import { decimalField } from './decimal.field.js';
import { emailField, timeField, uriField, uuidField } from './formatted.field.js';
import { idField } from './id.field.js';
import { integerField } from './integer.field.js';
import { jsonField } from './json.field.js';
import { metadataField } from './metadata.field.js';
import { numberField } from './number.field.js';
import { objectField } from './object.field.js';
import { passwordField } from './password.field.js';
import { referenceField } from './reference.field.js';
import { referencesField } from './references.field.js';
import { renderedField } from './rendered.field.js';
import { slugField } from './slug.field.js';
import { stringField } from './string.field.js';
import { stringsField } from './strings.field.js';
import { textField } from './text.field.js';

const all: FieldType[] = [
  idField,
  integerField,
  numberField,
  decimalField,
  booleanField,
  stringField,
  textField,
  slugField,
  dateField,
  datetimeField,
  timeField,
  uuidField,
  emailField,
  uriField,
  arrayField,
  objectField,
  jsonField,
  stringsField,
  referenceField,
  referencesField,
  renderedField,
  metadataField,
  passwordField,
  computedField,
];

/** Field types by name. */
export const fieldTypes = new Registered<FieldType>('fields', new Map(all.map((type) => [type.name, type])));
