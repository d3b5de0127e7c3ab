// Validates items in every context against the schema that OPTIONS returns at their URL.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { KnownPaths } from './known-paths.js';
import type { Operation, Schema } from './openapi-document.js';
import type { TestSite } from './start-test-site.js';
import type { Headers } from './send.js';

const CONTEXTS = ['view', 'embed', 'edit'];
/** Dates may lack an offset, as they do where this dialect comes from; e-mail addresses, URLs and IP addresses may be empty. */
const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\d$/,
  email: /^(?:[^\s@]+@[^\s@]+)?$/,
  uri: /^(?:[a-z][a-z\d+.-]*:\S*)?$/i,
  uuid: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/,
  ip: /^[\da-f.:]*$/,
  decimal: /^-?\d+(?:\.\d+)?$/,
  timezone: /^[\w+/-]+$/,
};
/** States of items that clients cannot send: the enumerations of the schemas contain only values that may be sent. */
const STATES = ['trash', 'inherit'];

/** An item at a URL in a context, with its schema. */
interface Shown {
  where: string;
  context: string;
  item: Schema;
  schema: Schema;
}

/** The violations of the items that a caller sees, and the number of items. */
export async function wrongByOptions(
  site: TestSite,
  operations: readonly Operation[],
  paths: KnownPaths,
  as: Headers,
): Promise<{ items: number; wrong: string[] }> {
  const wrong: string[] = [];
  let items = 0;
  for (const { method, path, described } of operations) {
    if (method !== 'get' || !described['parameters']?.some(({ name }: Schema) => name === 'context')) continue;
    for (const target of paths.at(path)) {
      const schema = (await site.send('OPTIONS', `/${target}`, { as })).body?.schema;
      if (!schema) continue;
      for (const shown of await itemsAt(site, target, schema, as)) {
        items++;
        for (const problem of problemsOf(shown)) wrong.push(`${shown.where}: ${problem}`);
      }
    }
  }
  return { items, wrong: [...new Set(wrong)] };
}

async function itemsAt(site: TestSite, target: string, schema: Schema, as: Headers): Promise<Shown[]> {
  const found: Shown[] = [];
  for (const context of CONTEXTS) {
    const where = `${target}?context=${context}`;
    const { status, body } = await site.send('GET', `/${where}`, { as });
    if (status !== 200) continue;
    for (const item of itemsOf(body)) found.push({ where, context, item, schema });
  }
  return found;
}

// A list, items by their names, or one item, which has other members than objects.
function itemsOf(body: Schema): Schema[] {
  if (Array.isArray(body)) return body;
  const members = Object.values<Schema | null>(body);
  const isObject = (member: unknown) => typeof member === 'object' && member !== null && !Array.isArray(member);
  return members.every(isObject) ? (members as Schema[]) : [body];
}

/** The schema allows the item as it is, and names each member with this context. */
function problemsOf({ item, schema, context }: Shown): string[] {
  const validate = validatorOf(schema);
  const errors = validate(item) ? [] : validate.errors!;
  const refused = errors
    .filter(({ instancePath }) => instancePath !== '/status' || !STATES.includes(item['status']))
    .map(({ instancePath, message }) => `${instancePath} ${message}`);
  const strangers = Object.keys(item).filter(
    (name) => !/^_(?:links|embedded)$/.test(name) && !schema['properties'][name]?.context?.includes(context),
  );
  return [...refused, ...strangers.map((name) => `${name} is not one of this context`)];
}

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
const validators = new Map<string, ValidateFunction>();

/** Most URLs of a collection have the same schema. */
function validatorOf(schema: Schema): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(toDraft2020(schema));
  validators.set(text, validate);
  return validate;
}

/** Draft 4 as the validator reads it: exclusive bounds are numbers, `required` is a list of names. */
function toDraft2020(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    if (name === '$schema') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { exclusiveMinimum, exclusiveMaximum, required, ...rest } = value as Schema;
    if (typeof exclusiveMinimum === 'object') return value;
    return {
      ...rest,
      ...(exclusiveMinimum === true ? { exclusiveMinimum: rest['minimum'] } : {}),
      ...(exclusiveMaximum === true ? { exclusiveMaximum: rest['maximum'] } : {}),
      ...(typeof required === 'boolean' || required === undefined ? {} : { required }),
    };
  });
}
