// Trusted writes (no permission checks) for importers: the same drafts, traits and relations as for clients, with given
// ids and columns.
import { isUndecided } from '../errors/resource-error.js';
import { systemActor } from '../model/actor.js';
import type { Content, ContentBatch, ImportOptions } from '../model/content.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import { newOperation } from '../model/new-operation.js';
import type { Operation } from '../model/operation.js';
import { and, equals, type Row } from '../model/query.js';
import type { OperationKind, Scalar } from '../model/schema/schema.js';
import type { Site } from '../model/site/site.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import type { TextRunner } from '../model/runtime/texts.js';
import { changeItem, insertItem, removeItem } from './write-item.js';
import { compensate } from './writes/compensate.js';
import { runTexts } from './writes/draft.js';
import type { TextsAhead } from './writes/texts-ahead.js';

export type { ContentBatch, ImportOptions };

/** Writes items without permission checks: for importers, `load` and the server itself. */
export class ContentWriter implements Content {
  constructor(
    readonly models: ModelSet,
    readonly store: Store,
    readonly site: Site,
    /** On whose behalf it writes: the server, or a command. */
    private readonly origin: 'system' | 'command' = 'command',
    /** Runs text functions; absent: they run at once. */
    private readonly runText?: TextRunner,
  ) {}

  find(resource: string, where: Record<string, Scalar>): Promise<Row | undefined> {
    return findRow(this.model(resource), this.store.reader, where);
  }

  batch<T>(work: (batch: ContentBatch) => Promise<T>): Promise<T> {
    return this.write(work, (run) => this.store.transaction(run));
  }

  /** `batch` for many new items. */
  bulk<T>(work: (batch: ContentBatch) => Promise<T>): Promise<T> {
    return this.write(work, (run) => this.store.bulk?.(run) ?? this.store.transaction(run));
  }

  /** A writer with the results of `texts`. */
  withTexts(texts: TextsAhead): ContentWriter {
    return new ContentWriter(this.models, this.store, this.site, this.origin, texts.run);
  }

  /** Starts to process the texts of an item that `create` will be called for. */
  workAhead(texts: TextsAhead, resource: string, values: Record<string, unknown>, options: ImportOptions): void {
    texts.note((run) => {
      const op = this.operation(resource, 'create', undefined, values, options);
      op.runText = run;
      runTexts(op);
    });
  }

  private write<T>(
    work: (batch: ContentBatch) => Promise<T>,
    transaction: (run: (tx: Transaction) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    const compensations: Operation['compensations'] = [];
    const running = transaction((tx) =>
      work({
        tx,
        find: (resource, where) => findRow(this.model(resource), tx, where),
        expect: (resource, items) => this.expect(resource, items, tx),
        create: async (resource, values, options = {}) => {
          const op = this.operation(resource, 'create', tx, values, options);
          await insertItem(op, tx);
          return op.id as number;
        },
        update: async (resource, id, values, options = {}) => {
          const op = this.operation(resource, 'update', tx, values, options);
          op.id = id;
          const current = await tx.first(op.model.table!.name, op.model.allColumns, equals('id', id));
          if (current) await changeItem(op, tx, current);
        },
        remove: async (resource, id) => {
          const op = this.operation(resource, 'delete', tx, {}, {});
          op.id = id;
          const current = await tx.first(op.model.table!.name, op.model.allColumns, equals('id', id));
          op.compensations = compensations;
          if (current) await removeItem(op, tx, current);
        },
      }),
    );
    return running.catch(async (error: unknown) => {
      if (!isUndecided(error)) await compensate({ compensations });
      throw error;
    });
  }

  private async expect(resource: string, items: readonly Record<string, unknown>[], tx: Transaction): Promise<void> {
    const model = this.model(resource);
    const { name } = model.faces;
    if (!name || items.length === 0) return;
    const op = this.operation(resource, 'create', tx, {}, {});
    const wanted = items.map((values) => name.wanted(values, op)).filter((slug) => slug !== '');
    await tx.absentOf(model.table!.name, name.column, wanted);
  }

  private model(resource: string): ResourceModel {
    const model = this.models.byName.get(resource);
    if (!model?.table) throw new Error(`The site has no stored resource "${resource}".`);
    return model;
  }

  private operation(
    resource: string,
    kind: OperationKind,
    tx: Transaction | undefined,
    values: Record<string, unknown>,
    options: ImportOptions,
  ): Operation {
    const trusted: Operation['trusted'] = {};
    if (options.id !== undefined) trusted.id = options.id;
    if (options.columns) trusted.columns = options.columns;
    if (options.sets) trusted.sets = options.sets;
    return newOperation({
      model: this.model(resource),
      kind,
      parentId: options.parentId ?? 0,
      values,
      raw: values,
      context: 'edit',
      actor: systemActor(options.as, this.origin),
      site: this.site,
      store: tx ?? this.store.reader,
      ...(tx && { tx }),
      trusted,
      ...(this.runText && { runText: this.runText }),
    });
  }
}

function findRow(model: ResourceModel, reader: Reader, where: Record<string, Scalar>): Promise<Row | undefined> {
  const all = { ...model.discriminator, ...where };
  return reader.first(
    model.table!.name,
    model.allColumns,
    and(...Object.entries(all).map(([column, value]) => equals(column, value))),
  );
}
