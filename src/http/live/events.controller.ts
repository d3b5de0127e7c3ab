// `GET {API_ROOT}/events`: what happens to items, as a stream of server-sent events.
import { Controller, Get, Options, Req, Res, type Type } from '@nestjs/common';
import { invalidParams } from '../../errors/resource-error.js';
import { ANONYMOUS, type Actor } from '../../model/actor.js';
import type { ModelSet } from '../../model/model.js';
import { didYouMean } from '../../text/nearest-name.js';
import type { Parameters } from '../request/parse-query.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import type { RouteDocument } from '../resource/options-document.js';
import { toResponse, type HttpResponse } from '../response/response.js';
import type { ApiResponse } from '../response/write-response.js';
import { type LiveStreams, STREAM_HEADERS } from './live-streams.js';
import type { Positions } from './position.js';

/** Its path below the API root. */
export const EVENTS_PATH = '/events';
const MOST_IDS = 100;
/** Characters of Last-Event-ID that are read. */
const MOST_CHARACTERS = 64;

/** What the controller works with. */
export interface EventsParts {
  streams: LiveStreams;
  positions: Positions;
  models: ModelSet;
  identify(request: ApiRequest): Promise<Actor> | Actor;
}

/** What it takes in the query. */
export const EVENT_ARGUMENTS = {
  resource: {
    description: 'Only items of these resources, by name, separated by commas.',
    type: 'array',
    items: { type: 'string' },
    required: false,
  },
  ids: {
    description: `Only items with these ids; at most ${MOST_IDS}.`,
    type: 'array',
    maxItems: MOST_IDS,
    items: { type: 'integer', minimum: 1 },
    required: false,
  },
};

/** The entry of the index; `url`: the URL of the stream. */
export function eventsRoute(url: string): RouteDocument {
  return {
    namespace: '',
    methods: ['GET'],
    endpoints: [{ methods: ['GET'], args: EVENT_ARGUMENTS }],
    _links: { self: [{ href: url }] },
  };
}

/** The controller for an API root (`''` or `/wp-json`). */
export function eventsControllerAt(root: string, url: string, parts: EventsParts): Type {
  @Controller(`${root}${EVENTS_PATH}`)
  class EventsController {
    @Get()
    async follow(@Req() request: ApiRequest, @Res() response: ApiResponse): Promise<void> {
      const { query, client, actor = ANONYMOUS } = contextOf(request);
      const resources = new Set(wordsOf(query, 'resource'));
      for (const name of resources) if (!parts.models.byName.has(name)) throw unknown(name, parts.models);
      const ids = wordsOf(query, 'ids').map(idOf);
      if (ids.length > MOST_IDS) throw wrong('ids', `ids must have at most ${MOST_IDS} items.`);
      const position = positionOf(request, parts.positions);
      if (request.method === 'HEAD') return void response.writeHead(200, STREAM_HEADERS).end();
      await parts.streams.open({
        resources,
        ids: new Set(ids),
        ...(position === undefined ? {} : { position }),
        response,
        actor,
        client,
        credentials: String(request.headers.authorization ?? ''),
        identify: () => parts.identify(request),
      });
    }

    @Options()
    describe(@Req() request: ApiRequest): HttpResponse {
      return toResponse({ status: 200, body: eventsRoute(url), headers: { Allow: 'GET' } }, contextOf(request));
    }
  }
  return EventsController;
}

/** The position of the client; one that was not issued here counts as lost. */
function positionOf(request: ApiRequest, positions: Positions): number | undefined {
  const text = request.headers['last-event-id'];
  if (typeof text !== 'string' || text === '') return undefined;
  return positions.open(text.slice(0, MOST_CHARACTERS)) ?? Number.MAX_SAFE_INTEGER;
}

function wordsOf(query: Parameters, name: string): string[] {
  const texts = [query[name] ?? []].flat();
  if (!texts.every((text) => typeof text === 'string'))
    throw wrong(name, `${name} must be a list: ${name}=a,b or ${name}[]=a.`, 'rest_invalid_type');
  return texts.flatMap((text) => text.split(',').map((word) => word.trim())).filter((word) => word !== '');
}

function idOf(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw wrong('ids', 'ids must be ids of items.');
  return Number(text);
}

function unknown(name: string, models: ModelSet) {
  const hint = didYouMean(name, models.byName.keys());
  return wrong('resource', `resource names no resource of this site${hint ? `: ${hint}` : '.'}`);
}

function wrong(param: string, message: string, code = 'rest_invalid_param') {
  return invalidParams([{ param, code, message }]);
}
