// Implements the checks of names in the options of traits and computed functions.
import type { Problem } from '../../errors/problem.js';
import type { ResourceSchema, Scalar } from '../../model/schema/schema.js';
import { tableStorage } from '../../model/schema/storage-schema.js';
import { nearest } from '../../text/nearest-name.js';
import { problemAt, type SchemaFile } from '../load/load.js';
import { ACCOUNT_TRAIT, holdsAccounts } from '../load/accounts.js';
import { reaches } from '../load/as-json.js';
import { columnsOfTable, hasColumn, ownsColumn, tableNameOf } from './columns.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { OptionCheck, Place } from '../../model/option-check.js';

const HOW_MANY_NAMES = 10;
const RULES = ['read', 'create', 'edit', 'delete'];

/** The context of a check. */
export interface CheckContext {
  file: SchemaFile;
  schema: ResourceSchema;
  resources: ReadonlyMap<string, ResourceSchema>;
  /** Path of the options in the file. */
  base: Place;
  /** Description of the trait or function, for messages: `the trait "sluggable"`. */
  noun: string;
}

/** Collects the problems of the options of one trait or computed function. */
export class NameCheck implements OptionCheck {
  readonly problems: Problem[] = [];
  /** What may be intended. */
  readonly warnings: Problem[] = [];
  readonly schema: ResourceSchema;
  readonly resources: ReadonlyMap<string, ResourceSchema>;

  constructor(private readonly context: CheckContext) {
    this.schema = context.schema;
    this.resources = context.resources;
  }

  fail(at: Place, message: string, hint?: string): void {
    this.problems.push(problemAt(this.context.file, [...this.context.base, ...at], message, hint));
  }

  warn(at: Place, message: string, hint?: string): void {
    this.warnings.push(problemAt(this.context.file, [...this.context.base, ...at], message, hint));
  }

  field(at: Place, name: string, types?: readonly string[], owner = this.schema): FieldSchema | undefined {
    const field = Object.hasOwn(owner.fields, name) ? owner.fields[name] : undefined;
    const fits = (candidate: FieldSchema) => (types ? types.includes(candidate.type) : hasColumn(candidate));
    if (field && fits(field)) return field;
    const kind = types ? ` of type ${either(types)}` : ' with a column';
    const of = owner === this.schema ? '' : ` of "${owner.name}"`;
    const names = Object.keys(owner.fields).filter((each) => fits(owner.fields[each]!) && !owner.fields[each]!.hidden);
    if (field)
      this.fail(at, `"${name}" is of type ${field.type}; a field${of}${kind} is needed here`, hintFor('', names));
    else if (this.isWritten(at))
      this.fail(at, `unknown field${of} "${name}"; a field${kind} is needed here`, hintFor(name, names));
    else
      this.fail([], `${this.context.noun} needs a field "${name}"${of}${kind}`, declareOr(at, owner === this.schema));
    return undefined;
  }

  own(name: string, types: readonly string[], hint?: string): FieldSchema | undefined {
    const field = Object.hasOwn(this.schema.fields, name) ? this.schema.fields[name] : undefined;
    const kind = either(types);
    if (!field) {
      this.fail(
        [],
        `${this.context.noun} needs a field "${name}" of type ${kind}`,
        hint ?? 'declare it under "fields"',
      );
      return undefined;
    }
    const place: Place = ['fields', name];
    if (!types.includes(field.type))
      this.failAt([...place, 'type'], `${this.context.noun} needs "${name}" to be of type ${kind}, not ${field.type}`);
    else if (field.column !== undefined && field.column !== name)
      this.failAt([...place, 'column'], `${this.context.noun} reads the column "${name}"; leave out "column" here`);
    else return field;
    return undefined;
  }

  referenceTo(at: Place, name: string, target: ResourceSchema, owner = this.schema): void {
    const field = this.field(at, name, ['reference'], owner);
    if (!field || [field.to].flat().includes(target.name)) return;
    const of = owner === this.schema ? '' : ` of "${owner.name}"`;
    this.fail(this.isWritten(at) ? at : [], `the reference "${name}"${of} must lead to "${target.name}"`);
  }

  referenceToAccounts(at: Place, name: string): void {
    const field = this.field(at, name, ['reference']);
    if (!field) return;
    const place = this.isWritten(at) ? at : [];
    const accounts = this.accounts();
    if (!accounts)
      this.fail(place, `${this.context.noun} is about accounts, and no resource has the trait "${ACCOUNT_TRAIT}"`);
    else if (!this.targets(field).includes(accounts))
      this.fail(
        place,
        `the reference "${name}" must lead to "${accounts.name}", the resource with the trait "${ACCOUNT_TRAIT}"`,
      );
  }

  accounts(): ResourceSchema | undefined {
    return [...this.resources.values()].find(holdsAccounts);
  }

  column(at: Place, name: string, owner = this.schema): void {
    if (ownsColumn(owner, name)) return;
    const columns = columnsOfTable(owner, this.resources);
    if (columns.has(name)) return;
    const of = owner === this.schema ? '' : ` of "${owner.name}"`;
    if (this.isWritten(at)) this.fail(at, `unknown column${of} "${name}"`, hintFor(name, [...columns]));
    else this.fail([], `${this.context.noun} needs a column "${name}"${of}`);
  }

  resource(at: Place, name: string): ResourceSchema | undefined {
    const found = this.resources.get(name);
    if (found && tableNameOf(found) !== undefined) return found;
    if (found) this.fail(at, `"${name}" is a static resource; a resource with a table is needed here`);
    else this.fail(at, `unknown resource "${name}"`, hintFor(name, [...this.resources.keys()]));
    return undefined;
  }

  rule(at: Place, name: string): void {
    const rules = [...RULES, ...Object.keys(this.schema.permissions?.rules ?? {})];
    if (!rules.includes(name)) this.fail(at, `unknown rule "${name}"`, hintFor(name, [...new Set(rules)]));
  }

  words(at: Place, words: readonly string[], name: string): void {
    const field = this.schema.fields[name];
    if (!field?.enum) return;
    const known = [...field.enum, ...(field.allowStored ?? [])].map(String);
    for (const [index, word] of words.entries()) {
      const place = words.length === 1 && !this.isWritten([...at, index]) ? at : [...at, index];
      if (!known.includes(word))
        this.fail(place, `"${word}" is not a value of the field "${name}"`, hintFor(word, known));
    }
  }

  compared(at: Place, column: string, value: Scalar, owner = this.schema): void {
    const table = tableNameOf(owner);
    const sharing = [...this.resources.values()].filter((other) => tableNameOf(other) === table);
    const known = sharing.flatMap((other) => valuesOfColumn(other, column) ?? [ANYTHING]);
    if (known.length === 0 || known.includes(ANYTHING) || known.includes(value)) return;
    this.fail(
      at,
      `the column "${column}" is never ${JSON.stringify(value)}`,
      hintFor(String(value), known.map(String)),
    );
  }

  needs(trait: string, reason: string): void {
    if (!this.schema.traits?.[trait]) this.fail([], `${this.context.noun} needs the trait "${trait}": ${reason}`);
  }

  targets(field: FieldSchema | undefined): ResourceSchema[] {
    return [field?.to ?? []].flat().flatMap((name) => this.resources.get(name) ?? []);
  }

  sameTable(one: ResourceSchema, other: ResourceSchema): boolean {
    return tableNameOf(one) !== undefined && tableNameOf(one) === tableNameOf(other);
  }

  private isWritten(at: Place): boolean {
    return at.length > 0 && reaches(this.context.file.schema, [...this.context.base, ...at]);
  }

  private failAt(place: Place, message: string): void {
    this.problems.push(problemAt(this.context.file, place, message));
  }
}

/** Stands for the values of a column that may have any. */
const ANYTHING = Symbol('anything');

/** Values that a resource writes to a column: its constant, or those of an `enum`; undefined when they are not known. */
function valuesOfColumn(schema: ResourceSchema, column: string): readonly (Scalar | symbol)[] | undefined {
  const constant = tableStorage(schema)?.where?.[column];
  if (constant !== undefined) return [constant];
  const field = Object.entries(schema.fields).find(([name, each]) => (each.column ?? name) === column)?.[1];
  if (!field) return [];
  return field.enum && !field.allowStored?.includes('*') ? [...field.enum, ...(field.allowStored ?? [])] : undefined;
}

function either(types: readonly string[]): string {
  return types.length < 2 ? types.join() : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
}

function hintFor(name: string, candidates: readonly string[]): string | undefined {
  const near = name === '' ? undefined : nearest(name, candidates);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (candidates.length === 0) return 'there is none yet';
  return candidates.length <= HOW_MANY_NAMES ? `there are: ${candidates.join(', ')}` : undefined;
}

function declareOr(at: Place, own: boolean): string {
  const option = at[0] === undefined ? '' : `, or name another one in "${String(at[0])}"`;
  return own ? `declare it under "fields"${option}` : `declare it there${option}`;
}
