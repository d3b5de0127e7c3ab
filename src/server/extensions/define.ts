// The definitions that an extension file exports: docs/extensions.md.
import type { DynamicModule, Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { InTransaction, ResourceItems } from '../../http/batch/in-process.js';
import type { SiteEvent } from '../../model/audit.js';
import type { Actor } from '../../model/actor.js';
import type { Hooks } from '../../model/hooks.js';
import type { Operation, View } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import type { ComputedFunction, FieldType, Filter, Pipeline } from '../../model/registry.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { RuleSchema } from '../../model/schema/permission-schema.js';
import type { Transaction } from '../../model/store.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { Trait } from '../../model/trait.js';

type OneOrMany<T> = T | readonly T[];

/** A field type that stores what a built-in one stores. */
export interface BasedFieldType {
  name: string;
  description: string;
  /** The built-in type: `string`, `integer`, `decimal`, `json`, … */
  base: string;
  /** Keywords of JSON Schema for every value, in place of those of the schema file: `pattern`, `maxLength`. */
  value?: ValueSchema;
  /** Further keys that a schema file may give; `check`, `store` and `show` receive them with the field. */
  keys?: Record<string, ValueSchema>;
  /** Why a value is invalid, as the end of a sentence that begins with its name; undefined when it is valid. */
  check?(value: any, field: FieldSchema): string | undefined;
  /** The normalized value to store. */
  store?(value: any, field: FieldSchema): Scalar;
  /** The value as presented to clients. */
  show?(stored: any, field: FieldSchema): unknown;
}

/** A text pipeline of `rendered` fields. */
export interface NamedPipeline extends Pipeline {
  name: string;
}

/** The argument of the code of an action, which runs in one transaction. */
export interface ActionCall {
  /** Id of the item; 0 for an action on the collection. */
  readonly id: number;
  /** The stored row of the item, by column. */
  readonly row: Row | undefined;
  /** The members of the body, checked and coerced. */
  readonly values: Record<string, any>;
  readonly actor: Actor;
  readonly op: Operation;
  readonly tx: Transaction;
  /**
   * The operations of a resource, inside the transaction. Without `as` they have all rights. When a write is refused,
   * the action fails with its error, even if the code catches it.
   */
  resource<Item = View>(name: string): ResourceItems<Item>;
  /** Runs `work` after the commit. */
  after(work: () => void | Promise<void>): void;
}

/** `POST <item>/<name>` or `POST <collection>/<name>`. */
export interface ActionDefinition {
  /** Last segment of its path: lower-case letters, digits and `-`. */
  name: string;
  /** The resource, by name. */
  resource: string;
  /** Default: `item`. */
  on?: 'item' | 'collection';
  description: string;
  /** Members of the body; `required: true` for those that must be sent. */
  body?: Record<string, ValueSchema & { required?: boolean }>;
  /** Who may perform the action, in the language of permissions; a caller must also be able to read the item. */
  needs: RuleSchema;
  /** Code of the error for others (default `rest_forbidden`). */
  error?: string;
  /** JSON Schema of what `run` returns. */
  returns?: ValueSchema;
  /** Returns the response body; undefined: the changed item. It runs again when the transaction is retried. */
  run(call: ActionCall): unknown;
}

/** Hooks for the phases of the operations of some resources, after those of their traits. */
export interface HooksDefinition extends Partial<Hooks> {
  /** Names of resources; `*` for all with a table. */
  resource: OneOrMany<string>;
  /** Allows concurrent writes of the resources: the hooks use `op.tx.lock` for what their decisions depend on. */
  sideBySide?: boolean;
}

/** Access to the site for code outside of requests. */
export interface ExtensionContext {
  /** The operations of a resource; without `as` they have all rights. */
  resource<Item = View>(name: string): ResourceItems<Item>;
  /**
   * Runs `work` in one transaction: either all of its writes are stored, or none. It runs again when the transaction is
   * retried.
   */
  transaction<T>(work: (inside: InTransaction) => Promise<T> | T): Promise<T>;
  /** An account as an actor, by its username or e-mail address. */
  actor(username: string): Promise<Actor>;
  readonly dataSource: DataSource;
  readonly log: { info(data: object, text: string): void; warn(data: object, text: string): void };
}

/** A periodic task. One process of the site runs it at a time. */
export interface JobDefinition {
  name: string;
  description?: string;
  /** Time from one run to the next: `30s`, `5m`, `1h`; at least a second, at most 24 hours. */
  every: string;
  /** `signal` is aborted when the process stops, or when it has lost the lease. */
  run(context: ExtensionContext & { signal: AbortSignal }): Promise<unknown> | unknown;
}

/** Code that receives events of items, after the commit: in order, at least once, in one process of the site. */
export interface ListenerDefinition {
  /** Unique and permanent: the position of the listener in the event log is stored under this name. */
  name: string;
  /** Types of events: `order.created`, `order.*`, `*.deleted`, `*` (docs/events.md). */
  on: OneOrMany<string>;
  /** Called again when it throws, with increasing pauses, at most eight times in all. */
  run(event: SiteEvent, context: ExtensionContext & { signal: AbortSignal }): Promise<unknown> | unknown;
}

/** A command of the command line: `typecase <name> …`. */
export interface CommandDefinition {
  name: string;
  description: string;
  /** Arguments, as commander writes them: `<file>`, `[count]`. */
  arguments?: readonly string[];
  /** Options, as commander writes them, with their description: `{ '--dry-run': 'write nothing' }`. */
  options?: Readonly<Record<string, string>>;
  run(
    context: ExtensionContext & {
      arguments: readonly string[];
      options: Readonly<Record<string, string | boolean>>;
      print(line: string): void;
    },
  ): Promise<unknown> | unknown;
}

/** Everything that one file adds to a site; each member is a single definition or a list. */
export interface Extension {
  fieldType?: OneOrMany<FieldType | BasedFieldType>;
  computed?: OneOrMany<ComputedFunction>;
  filter?: OneOrMany<Filter>;
  trait?: OneOrMany<Trait>;
  pipeline?: OneOrMany<NamedPipeline>;
  action?: OneOrMany<ActionDefinition>;
  hooks?: OneOrMany<HooksDefinition>;
  listener?: OneOrMany<ListenerDefinition>;
  job?: OneOrMany<JobDefinition>;
  /** Nest modules with controllers and providers; they may inject `DataSource`, `ResourceService` and `SiteContext`. */
  module?: OneOrMany<Type | DynamicModule>;
  command?: OneOrMany<CommandDefinition>;
}

/** Marks definitions; a registered symbol, so that those of a second copy of this program are recognized too. */
const MARK = Symbol.for('typecase.extension');

/** Makes the default export of a file of the folder of extensions. */
export function defineExtension(extension: Extension): Extension {
  return Object.defineProperty(extension, MARK, { value: true });
}

/** Whether a value was made by `defineExtension`. */
export function isExtension(value: unknown): value is Extension {
  return typeof value === 'object' && value !== null && MARK in value;
}
