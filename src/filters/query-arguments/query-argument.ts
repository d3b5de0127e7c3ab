// Interfaces of the arguments of a `query-arguments` parameter: one kind per *.argument.ts file, listed in
// argument-kinds.ts.
import { isPlainObject } from '../../values/json-value.js';
import type { ResourceModel } from '../../model/model.js';
import type { ListPlan } from '../../model/list.js';
import type { Operation } from '../../model/operation.js';

/** One argument as the schema declares it below its kind. Keys beyond `private` belong to the kind. */
export interface ArgumentSchema {
  /** Ignored for callers without the capability in `options.privateNeeds`. */
  private?: boolean;
  [option: string]: unknown;
}

/** Request input of the arguments. */
export interface ArgumentContext {
  op: Operation;
  plan: ListPlan;
  /** Value sent under a name; undefined when absent or an empty text. */
  sent(name: string): unknown;
  /** Plain parameters that an argument has replaced already. */
  replaced: Set<string>;
}

/** Names of the fields that the options of an argument refer to. */
export function fieldsNamed({ field, columns, of }: ArgumentSchema): string[] {
  const sets = isPlainObject(of) ? Object.values(of).map((set) => (set as { field?: unknown } | null)?.field) : [];
  const named = [field, ...(isPlainObject(columns) ? Object.values(columns) : []), ...sets];
  return named.filter((name) => typeof name === 'string');
}

/** Applies a value to the list. Never throws for an invalid value. */
export type ArgumentRunner = (value: unknown, context: ArgumentContext) => Promise<void> | void;

/** Reports a problem of an option of an argument to the compiler. */
export type ArgumentReport = (option: string, message: string) => void;

/** A kind of argument. */
export interface ArgumentKind {
  name: string;
  description: string;
  /** Options it accepts, besides `private`; the first may be written alone. */
  keys: readonly string[];
  /** Runs after all others, because it reads the parameters they set. */
  runsLast?: boolean;
  compile(model: ResourceModel, schema: ArgumentSchema, report: ArgumentReport): ArgumentRunner | undefined;
}
