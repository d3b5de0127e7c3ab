// Creates the Operation of a request: key and parent from the path, validated parameters, context and field selection.
import { readRequest } from '../../engine/query/read-request.js';
import { requireScope } from '../../engine/rights/policy.js';
import { idempotencyOf } from '../../engine/replays/idempotency.js';
import { SINGLE_ID } from '../../model/model.js';
import { readerFor } from '../../model/functions/reader-for.js';
import { newOperation } from '../../model/new-operation.js';
import type { Operation } from '../../model/operation.js';
import { isReading, type Context, type OperationKind } from '../../model/schema/schema.js';
import type { Site } from '../../model/site/site.js';
import type { Reader, Store } from '../../model/store.js';
import type { RequestInput } from '../routes/request-input.js';
import { sentFields } from '../routes/request-input.js';
import type { Body } from '../validation/dto.factory.js';
import { fieldSelection, viewSelection } from './field-selection.js';
import { itemKey, parentKey, requireRoute } from '../routes/path-keys.js';
import { kindOfRoute, type ResourceRoute } from '../routes/resource-route.js';
import { rejectUnknown } from './strict-handling.js';
import { validateParams } from '../validation/validate-params.js';
import type { UploadedFile } from '../../model/site/file-storage.js';

/** Output of the validation pipe. */
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

  /** An operation with only path and caller; parameters are not validated. */
  bare(
    route: ResourceRoute,
    kind: OperationKind,
    input: RequestInput,
    store = readerFor(this.store.reader, input.requester),
  ): Operation {
    const op = newOperation({
      model: route.model,
      kind,
      id: idOf(route, kind, input),
      parentId: parentKey(route, input),
      raw: input.query,
      context: contextFor(route, kind),
      actor: input.actor,
      site: this.site,
      store,
      headers: input.headers,
    });
    requireScope(op);
    return op;
  }

  /** An operation that lists items or reads one, through `reader`. */
  read(route: ResourceRoute, kind: 'list' | 'retrieve', input: RequestInput, reader: Reader): Operation {
    requireRoute(route, input);
    rejectUnknown(route.model, kind, input.query, input.headers, input.dropped);
    const divided = readRequest(route.model, kind, input.query, input.actor);
    const sent = divided?.rest ?? input.query;
    const params = validateParams(kind === 'list' ? route.model.listParams : route.model.itemParams, sent);
    const op = this.bare(route, kind, input, reader);
    if (divided) op.query = divided.query;
    op.params = params;
    op.context = (op.params['context'] as Context | undefined) ?? route.model.defaultContext;
    selectFields(op);
    return op;
  }

  /** The same for a list that is read without the response cache. */
  list(route: ResourceRoute, input: RequestInput): Operation {
    return this.read(route, 'list', input, readerFor(this.store.reader, input.requester));
  }

  /** A create or update with a validated body. */
  write(route: ResourceRoute, kind: 'create' | 'update', input: RequestInput, body: CheckedBody): Operation {
    const op = this.bare(route, kind, input);
    op.values = body.values;
    op.raw = body.raw;
    if (body.file) op.file = body.file;
    const key = input.headers['idempotency-key'];
    if (key !== undefined) op.idempotency = idempotencyOf(op, key);
    selectFields(op);
    return op;
  }

  /** A further action on an item, which responds like an update. */
  action(route: ResourceRoute, name: string, input: RequestInput): Operation {
    const op = this.bare(route, 'update', input);
    const fields = fieldSelection(sentFields(input.query, input.body)['_fields']);
    if (fields) op.fields = fields;
    const key = input.headers['idempotency-key'];
    if (key !== undefined) op.idempotency = idempotencyOf({ ...op, raw: {}, action: name }, key);
    return op;
  }

  /** A deletion; its parameters may be in the body. `_fields` applies to the response, not to the item. */
  remove(route: ResourceRoute, input: RequestInput): Operation {
    requireRoute(route, input);
    const raw = sentFields(input.query, input.body);
    rejectUnknown(route.model, 'delete', raw, input.headers, input.dropped);
    const params = validateParams(route.model.deleteParams, raw);
    const op = this.bare(route, 'delete', input);
    op.raw = raw;
    op.params = params;
    // Reject an invalid `_fields` before anything is deleted.
    fieldSelection(raw['_fields']);
    return op;
  }
}

function idOf(route: ResourceRoute, kind: OperationKind, input: RequestInput): number | string {
  if (route.model.singleton) return SINGLE_ID;
  return kindOfRoute(kind, route.model) === 'item' ? itemKey(route, input) : 0;
}

function contextFor({ model }: ResourceRoute, kind: OperationKind): Context {
  if (isReading(kind)) return model.defaultContext;
  return kind === 'delete' ? (model.schema.deleteContext ?? 'edit') : 'edit';
}

function selectFields(op: Operation): void {
  const selection = fieldSelection(op.raw['_fields']);
  const { view } = op.model;
  const fields = view?.fields ? viewSelection(view.name, view.fields, selection) : selection;
  if (fields) op.fields = fields;
}
