// The grammar of a schema file as JSON Schema 2020-12: checked by check-grammar.ts, published for completion in editors.
import { CONTEXTS, OPERATIONS } from '../../model/schema/schema.js';
import type { ComputedFunction, FieldType, Filter } from '../../model/registry.js';
import { EXPRESSION } from './expression.js';
import { RULE_DEFINITIONS } from './rules.js';
import { valueDefinitions } from './values.js';
import { code, COLUMN, flag, listOf, mapOf, ref, string, word, type Grammar, object } from './pieces.js';
import { jsonSchemas2020, requiredNames } from './json-schema-2020.js';
import type { Trait } from '../../model/trait.js';
import { fieldDefinitions } from './fields.js';
import { NAME, STORAGE } from './storage.js';
import { LIST, SEARCH, VIEW } from './lists.js';
import { PERMISSIONS } from './permissions.js';

/** The registered field types, traits, filters and functions that a schema may name. */
export interface Registries {
  fields: readonly FieldType[];
  traits: readonly Trait[];
  filters: readonly Filter[];
  functions: readonly ComputedFunction[];
}

const ERRORS = ['notFound', 'exists', 'create', 'update', 'delete', 'read', 'context', 'list'];
const PATH = {
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  patternErrorMessage: 'lower-case letters, digits, _ and -, beginning with a letter or digit; no slashes',
};
const PARAM = { pattern: '^[A-Za-z_][A-Za-z0-9_-]*$', patternErrorMessage: 'letters, digits, _ and -' };

const params = (description: string) => mapOf(ref('param'), description, { propertyNames: PARAM });
const PARENT = object(
  'Items live below an item of another resource.',
  {
    resource: word('Resource of the parent.'),
    param: string('Name of its id in the path; default parent_id.', COLUMN),
    field: word('Field of this resource with the id of the parent.'),
    across: flag('The items of all parents are listed at /<path>, too.'),
    hides: flag('false: items are read below a parent that the caller may not read.'),
    errors: object('Error codes.', {
      notFound: code('No such parent.'),
      mismatch: code('The item belongs to another parent.'),
    }),
  },
  { required: ['resource', 'field'] },
);

const CHECK = object(
  'A rule that every written item satisfies.',
  {
    rule: ref('rule'),
    message: word('Text of the error.'),
    fields: listOf(word('A field.'), 'Fields that the error names.', { minItems: 1, uniqueItems: true }),
  },
  { required: ['rule', 'message', 'fields'] },
);

const FOUND_IN = object('How they are found.', {
  type: string('Group that they are found in; default: the name of the resource.', NAME),
  subtype: string('Their name within it; default: the constant of their rows, else that name.', NAME),
  title: word('Field shown as the title; default: the first one that is searched.'),
  url: word('Field shown as the URL; default: the public URL of the item, else its URL in the API.'),
});

/** The JSON Schema of a schema file, for these registries. */
export function grammarSchema(registries: Registries): Grammar {
  const properties: Grammar = {
    $schema: string('URL or path of this grammar, for editors.'),
    $comment: string('A remark for readers of the file; shown nowhere.'),
    name: string('Name of the resource, in the singular.', NAME),
    path: string('Last segment of its URL.', PATH),
    description: string('What it is, for OpenAPI and the documentation.'),
    labels: object(
      'Names for people.',
      { singular: word('One of it.'), plural: word('Many of it.') },
      { required: ['singular', 'plural'] },
    ),
    parent: PARENT,
    operations: listOf(string('An operation.', { enum: OPERATIONS }), 'Operations it offers; default all five.', {
      uniqueItems: true,
    }),
    singleton: flag('There is one item: read and updated at the path of the resource, never created or deleted.'),
    storage: STORAGE,
    key: word('Field that names an item in its path: id (default) or a string field.'),
    fields: mapOf(ref('field'), 'Its fields, in the order in which items show them.', {
      propertyNames: COLUMN,
      noun: 'field',
    }),
    unique: listOf(
      listOf(word('A field.'), 'Fields.', { minItems: 2, uniqueItems: true }),
      'Groups of fields whose values no two items share.',
    ),
    checks: listOf(CHECK, 'Rules between fields.'),
    strict: flag('Fields and parameters that are unknown are rejected.'),
    list: LIST,
    params: params('Parameters of lists beyond the standard ones.'),
    itemParams: params('Parameters of reading one item.'),
    deleteParams: params('Parameters of deleting.'),
    search: SEARCH,
    views: mapOf(VIEW, 'Saved queries of the list, by name, at <path>/views/<name>.', { propertyNames: PATH }),
    traits: object('Behaviours, each with its options; their order does not matter.', traits(registries.traits), {
      noun: 'trait',
    }),
    permissions: PERMISSIONS,
    links: mapOf(ref('links'), 'Link relations of an item.'),
    listsItselfIn: mapOf(mapOf({}, 'Members of the row.'), 'Static resources that have a row for this one.'),
    foundIn: mapOf(FOUND_IN, 'Resources of found items that find the items of this one.'),
    selfAlias: string('Path segment that stands for the id of the caller.', {
      pattern: '^[a-z][a-z0-9_-]*$',
      patternErrorMessage: 'lower-case letters, digits, _ and -, beginning with a letter',
    }),
    seeds: listOf({ type: 'object' }, 'Items created at the first start.'),
    errors: object('Error codes of this resource.', {
      ...Object.fromEntries(ERRORS.map((name) => [name, code('Error code.')])),
      failed: object(
        'Error codes for writes that the database rejects.',
        Object.fromEntries(['create', 'update', 'delete'].map((kind) => [kind, code('Error code.')])),
      ),
    }),
    deleteContext: string('Context in which a deleted item is shown.', { enum: CONTEXTS }),
    defaultContext: string('Context of responses when none is requested.', { enum: CONTEXTS }),
    batch: flag('Batches may write it.'),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Resource schema',
    ...object('One resource of the service.', properties, { required: ['name', 'path', 'fields'] }),
    $defs: {
      ...RULE_DEFINITIONS,
      expression: EXPRESSION,
      ...valueDefinitions(registries.filters),
      ...fieldDefinitions(registries.fields, registries.functions),
    },
  };
}

function traits(registered: readonly Trait[]): Grammar {
  return Object.fromEntries(
    registered.map(({ name, description, options }) => {
      const required = requiredNames(options);
      return [name, object(description, jsonSchemas2020(options), required.length > 0 ? { required } : {})];
    }),
  );
}
