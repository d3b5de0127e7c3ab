// What traits and extensions do in the course of operations and audits: hooks by phase, actions on items, findings.
import type { Operation, View, Draft } from './operation.js';
import type { Row } from './query.js';
import type { Reader, Transaction } from './store.js';
import type { RuleModel } from './permissions.js';
import type { ResourceModel } from './model.js';
import type { ParamModel, ListPlan } from './list.js';
import type { ValueSchema } from './schema/value-schema.js';

/** An action on an item: an update of another item, with that item's permissions and errors. */
export interface ActionModel {
  description: string;
  /** The resource whose item it changes and returns. */
  changes: ResourceModel;
  /** The item to update, by what names it in its path, and the values to write. */
  target(row: Row): { id: number | string; values: Record<string, unknown> };
}

/** What the code of an action gets. */
export interface OwnActionCall {
  /** The stored row of the item; absent for an action on the collection. */
  row: Row | undefined;
  /** The body, checked. */
  values: Record<string, unknown>;
  op: Operation;
  tx: Transaction;
}

/** An action of an extension: code that runs in one transaction, on an item or on the collection. */
export interface OwnActionModel {
  name: string;
  description: string;
  on: 'item' | 'collection';
  /** Members of its body. */
  params: ReadonlyMap<string, ParamModel>;
  /** Who may do it, besides being allowed to read the item. */
  needs: RuleModel;
  /** Error code for other callers. */
  error: string;
  /** JSON Schema of its result; absent: the item as it is afterwards, or nothing. */
  returns?: ValueSchema;
  /** The result; undefined for the item as it is afterwards. `call` is what the assembly adds to it. */
  run(call: OwnActionCall): unknown;
}

/** An inconsistency in the stored data, with its repair where that is possible. */
export interface AuditFinding {
  message: string;
  fix?(tx: Transaction): Promise<void>;
  /** Repairs several findings that have this function, with fewer statements than `fix` of each. */
  fixTogether?: (findings: readonly AuditFinding[], tx: Transaction) => Promise<void>;
}

/** Finds inconsistencies in the data of one resource. */
export type Audit = (reader: Reader) => Promise<AuditFinding[]>;

/** Hooks of the phases, in the order of the traits. */
export interface Hooks {
  /** Slow non-SQL work, done before the transaction of a write. */
  prepare(op: Operation): Promise<void> | void;
  authorize(op: Operation, current?: Row): Promise<void> | void;
  scope(plan: ListPlan, op: Operation): Promise<void> | void;
  input(draft: Draft, op: Operation, current?: Row): Promise<void> | void;
  saved(row: Row, op: Operation, previous?: Row): Promise<void> | void;
  /** The item to delete does not exist: may throw a more specific error than the default. */
  missing(op: Operation): Promise<void> | void;
  remove(row: Row, op: Operation): Promise<boolean | void> | boolean | void;
  removed(row: Row, op: Operation): Promise<void> | void;
  present(views: View[], rows: Row[], op: Operation): Promise<void> | void;
}

export type Phase = keyof Hooks;

export const PHASES: readonly Phase[] = [
  'prepare',
  'authorize',
  'scope',
  'input',
  'saved',
  'missing',
  'remove',
  'removed',
  'present',
];
