// Runs tools: each call is the request that a client of the API would send, with the same validation, permissions and
// limits.
import { perform } from '../../engine/perform/perform.js';
import { WITHOUT_LINKS } from '../../engine/perform/without-links.js';
import type { ResourceService } from '../../engine/resource.service.js';
import type { Actor } from '../../model/actor.js';
import { readerFor } from '../../model/functions/reader-for.js';
import type { Operation, Result } from '../../model/operation.js';
import { AGENT_ARGUMENTS, IDEMPOTENCY_KEY, IF_MATCH, WHERE } from '../../model/agent-arguments.js';
import type { Requester, Store } from '../../model/store.js';
import type { Log } from '../request/logger.js';
import { newRequestId, RequestContext } from '../request/request-context.js';
import type { BoundController } from '../resource/bind-controllers.js';
import { checkBody } from '../validation/dto.factory.js';
import { ownsItems, type NestedCreation } from '../resource/nested-create.js';
import type { OperationFactory } from '../resource/operation.factory.js';
import type { RequestInput } from '../routes/request-input.js';
import { resourceResponse } from '../resource/resource-response.js';
import { rejectUnknown } from '../resource/strict-handling.js';
import { toErrorResponse } from '../response/error-response.js';
import { checkArguments, checkKeys, withArgumentNames, refuseIdle, refuseReserved } from './arguments.js';
import { describeTool, mayUse, toolsOf, type Tool, type ToolDescription } from './tools.js';
import { Output, type OutputHolder } from '../memory/output-budget.js';
import type { Outputs } from '../memory/output-admission.js';

/** What tools are run with. */
export interface ToolParts {
  bound: readonly BoundController[];
  operations: OperationFactory;
  service: ResourceService;
  nested: NestedCreation;
  outputs: Outputs;
  store: Store;
  log: Log;
}

/** The HTTP request that carries the messages. */
export interface Carrier extends OutputHolder {
  /** The id of the request, by which errors are found in the log. */
  readonly id: string;
  /** Names that reading the messages has removed from them, wherever they were. */
  readonly dropped: readonly string[];
}

/** What a call gives: data, or an error in the form of the API. */
export interface ToolResult {
  isError: boolean;
  data: unknown;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Unknown arguments are rejected, so that agents notice their mistakes. */
const STRICT = { prefer: 'handling=strict' };

/** The tools of one application. */
export class ToolCalls {
  private readonly tools: ReadonlyMap<string, Tool>;

  constructor(private readonly parts: ToolParts) {
    this.tools = toolsOf(parts.bound);
  }

  /** The tools that a caller could use. */
  list(actor: Actor): ToolDescription[] {
    return [...this.tools.values()].filter((tool) => mayUse(tool, actor)).map((tool) => describeTool(tool, actor));
  }

  /** Whether there is a tool of that name. */
  has(name: string): boolean {
    return this.tools.has(name);
  }

  /**
   * Runs a tool for a caller. Throws for an unknown name; errors of the API are returned as results. The `carrier` holds the
   * memory of the result until its response is sent.
   */
  async call(name: string, given: Arguments, actor: Actor, carrier?: Carrier): Promise<ToolResult> {
    const tool = this.tools.get(name);
    if (!tool) throw new Error(`There is no tool "${name}".`);
    const context = new RequestContext(carrier?.id ?? newRequestId(), 'POST');
    context.actor = actor;
    try {
      refuseReserved(given, carrier?.dropped ?? []);
      return { isError: false, data: await this.run(tool, given, actor, context) };
    } catch (error) {
      return { isError: true, data: errorOf(error, context, this.parts.log, tool.kind === 'list' && WHERE in given) };
    } finally {
      if (carrier) Output.move(context, carrier);
      else context.output?.release();
    }
  }

  private async run(tool: Tool, given: Arguments, actor: Actor, context: RequestContext): Promise<unknown> {
    const { operations, service, outputs, store } = this.parts;
    const { route } = tool.bound;
    checkArguments(tool.kind, given);
    const { input, rest } = inputOf(tool, given, actor, context);
    checkKeys(route, input, given, tool.key);
    switch (tool.kind) {
      case 'list':
      case 'retrieve': {
        const query = tool.kind === 'list' ? listQuery(tool, rest) : rest;
        const read = { ...input, query: Object.assign(Object.create(null), query) as RequestInput['query'] };
        const op = operations.read(route, tool.kind, read, readerFor(store.reader, context));
        op.fields ??= WITHOUT_LINKS;
        op.budget = outputs.begin(context, tool.kind);
        const result = await perform(service, op);
        return tool.kind === 'list' ? listData(op, result) : itemData(op, result, context);
      }
      case 'delete': {
        const op = operations.remove(route, { ...input, body: { ...rest } });
        op.budget = outputs.forWrite(context);
        return (await service.delete(op)).body;
      }
      default: {
        const { op, result } = await this.write(tool, input, rest, context);
        return itemData(op, result, context);
      }
    }
  }

  private async write(
    { kind, bound }: Tool,
    input: RequestInput,
    sent: Record<string, unknown>,
    context: RequestContext,
  ): Promise<{ op: Operation; result: Result }> {
    const { operations, service, outputs, nested } = this.parts;
    const write = kind as 'create' | 'update';
    rejectUnknown(bound.route.model, write, sent, input.headers);
    const body = { values: checkBody(bound.bodies[write], sent), raw: sent };
    const budget = outputs.forWrite(context);
    if (write === 'create' && ownsItems(bound.route.model, sent))
      return nested.create(nested.check(bound.route, input, body), input, budget);
    const op = operations.write(bound.route, write, input, body);
    op.budget = budget;
    return { op, result: await service[write](op) };
  }
}

/** Arguments that are headers of a request. */
const HEADERS = [
  [IF_MATCH, 'if-match'],
  [IDEMPOTENCY_KEY, 'idempotency-key'],
] as const;

/** The request that a call stands for, and the arguments that are neither keys nor headers. */
function inputOf(
  { bound: { route }, kind, key, parentKey }: Tool,
  given: Arguments,
  actor: Actor,
  requester: Requester,
): { input: RequestInput; rest: Record<string, unknown> } {
  const rest = { ...given };
  const segments: Record<string, string> = {};
  const keys: [argument: string, segment: string][] = [];
  if (kind !== 'list' && kind !== 'create' && !route.model.singleton) keys.push([key, route.keyParam]);
  if (parentKey) keys.push([parentKey, route.parentParam!]);
  for (const [name, segment] of keys) {
    const value = rest[name];
    // An object may have no text: it is no key either.
    segments[segment] = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    delete rest[name];
  }
  const headers: Record<string, string | undefined> = { ...STRICT };
  // Those of other kinds of tools are left among the arguments, which are refused there.
  for (const [name, header] of HEADERS) {
    if (!AGENT_ARGUMENTS.get(name)!.includes(kind)) continue;
    if (typeof rest[name] === 'string') headers[header] = rest[name];
    delete rest[name];
  }
  return { input: { segments, query: Object.create(null), body: undefined, headers, actor, requester }, rest };
}

const NEXT = 'Send next_cursor of the previous result as cursor.';

/** The query of a list: conditions as a group of their own, and pages by cursor where the order has any. */
function listQuery({ bound }: Tool, { [WHERE]: where, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const { model } = bound.route;
  if (!model.query) {
    refuseIdle({ [WHERE]: where }, { [WHERE]: 'Leave it out.' });
    return rest;
  }
  const isEmpty = typeof where !== 'object' || where === null || Object.keys(where).length === 0;
  const order =
    typeof rest['orderby'] === 'string' && rest['orderby'] !== '' ? { orderby: withSign(rest['orderby']) } : {};
  const isPlain = model.list.orderings.get(model.list.defaultOrderby) !== undefined || model.list.orderings.size === 0;
  const byCursor = rest['aggregate'] === undefined && (isPlain || Object.keys(order).length > 0) ? { cursor: '' } : {};
  refuseIdle(rest, {
    // The place in the list is that of the cursor.
    ...('cursor' in byCursor || typeof rest['cursor'] === 'string' ? { page: NEXT, offset: NEXT } : {}),
    ...('orderby' in order ? { order: 'Put - before the names in orderby that are to descend.' } : {}),
    ...(isEmpty ? {} : { and: `Put its conditions into ${WHERE}.` }),
  });
  return { ...byCursor, ...rest, ...order, ...(isEmpty ? {} : { and: [where] }) };
}

/** A single key without a sign is ascending for agents, as it is among several. */
function withSign(orderby: string): string {
  return /^[+-]|,/.test(orderby) ? orderby : `+${orderby}`;
}

function listData(op: Operation, { body, total, next }: Result): unknown {
  if (op.query?.aggregate) return { groups: body };
  return {
    ...(total === undefined ? {} : { total }),
    ...(next === undefined ? {} : { next_cursor: next }),
    items: body,
  };
}

async function itemData(op: Operation, result: Result, context: RequestContext): Promise<unknown> {
  const { headers } = await resourceResponse(result, op, [], context);
  const { ETag } = headers;
  const { _links, ...item } = result.body as Record<string, unknown>;
  return { ...(ETag === undefined ? {} : { etag: ETag }), item };
}

function errorOf(error: unknown, context: RequestContext, log: Log, hasConditions: boolean): unknown {
  const { status, body } = toErrorResponse(error, context, log);
  const { code, message, data } = JSON.parse(String(body)) as {
    code: string;
    message: string;
    data?: Record<string, unknown>;
  };
  const { status: _status, ...more } = data ?? {};
  const details = { status, code, message, ...more };
  return hasConditions ? withArgumentNames(details) : details;
}
