// What an argument of a `query-arguments` parameter is made of: one kind per *.argument.ts file, listed in argument-kinds.ts.
import type { ListPlan, ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';

/** One argument as the schema declares it. Keys beyond these belong to its kind. */
export interface ArgumentSchema {
  kind: string;
  /** Ignored for callers without the capability in `options.privateNeeds`. */
  private?: boolean;
  [option: string]: unknown;
}

/** What a request asks, as the arguments see it. */
export interface Asked {
  op: Operation;
  plan: ListPlan;
  /** What was sent under a name; undefined for nothing and for an empty text. */
  sent(name: string): unknown;
  /** Plain parameters that an argument has already taken the place of. */
  replaced: Set<string>;
}

/** Applies a sent value to the list. Never throws for a value. */
export type ArgumentRunner = (value: unknown, asked: Asked) => Promise<void> | void;

/** Tells the compiler what is wrong with an option of an argument. */
export type ArgumentReport = (option: string, message: string) => void;

/** A kind of argument. */
export interface ArgumentKind {
  name: string;
  description: string;
  /** Options it takes, beside `kind` and `private`. */
  keys: readonly string[];
  /** Runs after all others: it reads what they left in the parameters. */
  late?: boolean;
  compile(model: ResourceModel, schema: ArgumentSchema, report: ArgumentReport): ArgumentRunner | undefined;
}
