// Makes the Operation of a request: key and parent from the bound route, parameters validated, context and fields chosen.
import { idempotencyOf } from '../engine/idempotency.js';
import type { UploadedFile, Operation } from '../model/operation.js';
import type { Context, OperationKind } from '../model/schema.js';
import type { Site } from '../model/site.js';
import type { Reader, Store } from '../model/store.js';
import type { Asked } from './asked.js';
import { sentFields } from './asked.js';
import type { Body } from './dto.factory.js';
import { fieldSelection } from './field-selection.js';
import { itemKey, parentKey } from './item-key.js';
import { kindOfRoute, type ResourceRoute } from './resource-route.js';
import { validateParams } from './validate-params.js';

/** What the pipe makes of a body. */
export interface CheckedBody {
  /** Known fields, coerced. */
  values: Body;
  /** Everything that was sent. */
  raw: Record<string, unknown>;
  file?: UploadedFile;
}

/** Stateless; one per application. */
export class OperationFactory {
  constructor(
    private readonly site: Site,
    private readonly store: Store,
  ) {}

  /** An operation as far as the path and the caller decide it; nothing is validated. */
  bare(route: ResourceRoute, kind: OperationKind, asked: Asked): Operation {
    return {
      model: route.model,
      kind,
      id: kindOfRoute(kind) === 'item' ? itemKey(route, asked) : 0,
      parentId: parentKey(route, asked),
      params: {},
      values: {},
      raw: asked.query,
      context: contextFor(route, kind),
      actor: asked.actor,
      site: this.site,
      store: this.store.reader,
      may: {},
      headers: asked.headers,
      undo: [],
      notes: {},
      related: new Map(),
    };
  }

  /** A list or one item, as `reader` shows it. */
  read(route: ResourceRoute, kind: 'list' | 'retrieve', asked: Asked, reader: Reader): Operation {
    const op = this.bare(route, kind, asked);
    op.store = reader;
    op.params = validateParams(kind === 'list' ? route.model.listParams : route.model.itemParams, asked.query);
    op.context = (op.params['context'] as Context | undefined) ?? route.model.defaultContext;
    selectFields(op);
    return op;
  }

  /** A create or update with a body that the pipe has checked. */
  write(route: ResourceRoute, kind: 'create' | 'update', asked: Asked, body: CheckedBody): Operation {
    const op = this.bare(route, kind, asked);
    op.values = body.values;
    op.raw = body.raw;
    if (body.file) op.file = body.file;
    const key = asked.headers['idempotency-key'];
    if (key !== undefined) op.idempotency = idempotencyOf(op, key);
    selectFields(op);
    return op;
  }

  /** A deletion; its parameters may stand in the body (decisions 2.3). `_fields` is about its answer, not about the item. */
  remove(route: ResourceRoute, asked: Asked): Operation {
    const op = this.bare(route, 'delete', asked);
    op.raw = sentFields(asked.query, asked.body);
    op.params = validateParams(route.model.deleteParams, op.raw);
    return op;
  }
}

function contextFor({ model }: ResourceRoute, kind: OperationKind): Context {
  if (kind === 'list' || kind === 'retrieve') return model.defaultContext;
  return kind === 'delete' ? (model.schema.deleteContext ?? 'edit') : 'edit';
}

function selectFields(op: Operation): void {
  const fields = fieldSelection(op.raw['_fields']);
  if (fields) op.fields = fields;
}
