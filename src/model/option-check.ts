// What is checked of the options of traits and computed functions at the start.
import type { ResourceSchema, Scalar } from './schema/schema.js';
import type { FieldSchema } from './schema/field-schema.js';

/** Reports a problem to the compiler: the path inside the schema file, the message, a hint. */
export type Report = (path: (string | number)[], message: string, hint?: string) => void;

/** A path inside the options that are checked. */
export type Place = (string | number)[];

/**
 * Checks of the names that traits and computed functions find in their options, made once every trait has extended its
 * schema. Each unknown name is reported at its place in the file, with the nearest known name; a name that comes from a
 * default of an option is reported at the options as a whole.
 */
export interface OptionCheck {
  /** The resource, as extended by its traits. */
  readonly schema: ResourceSchema;
  /** Every resource of the site. */
  readonly resources: ReadonlyMap<string, ResourceSchema>;
  /** The field of that name if it has one of the types; without types, any field that stores one value in a column. */
  field(at: Place, name: string, types?: readonly string[], owner?: ResourceSchema): FieldSchema | undefined;
  /** A field of this resource that the trait accesses by a fixed name: type and column must match. */
  own(name: string, types: readonly string[], hint?: string): FieldSchema | undefined;
  /** A reference field whose target is this resource. */
  referenceTo(at: Place, name: string, target: ResourceSchema, owner?: ResourceSchema): void;
  /** A reference field whose target is accounts. */
  referenceToAccounts(at: Place, name: string): void;
  /** A column of the table of a resource. */
  column(at: Place, name: string, owner?: ResourceSchema): void;
  /** The resource of that name, if it has a table. */
  resource(at: Place, name: string): ResourceSchema | undefined;
  /** A rule of this resource. */
  rule(at: Place, name: string): void;
  /** A value that a column of a table is compared with, which must be one that some resource of the table can have. */
  compared(at: Place, column: string, value: Scalar, owner?: ResourceSchema): void;
  /** Values that a field of this resource must allow, where it has an `enum`. */
  words(at: Place, words: readonly string[], field: string): void;
  /** The resource with the accounts of the site. */
  accounts(): ResourceSchema | undefined;
  /** Another trait that this one requires. */
  needs(trait: string, reason: string): void;
  /** Target resources of a reference field. */
  targets(field: FieldSchema | undefined): ResourceSchema[];
  /** Whether two resources are stored in the same table. */
  sameTable(one: ResourceSchema, other: ResourceSchema): boolean;
  fail(at: Place, message: string, hint?: string): void;
  /** What may be intended: `check` prints it, and the site starts. */
  warn(at: Place, message: string, hint?: string): void;
}
