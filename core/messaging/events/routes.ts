import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { LogEvent } from '@lintel/sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { EventLog } from './log.js';
import type { StreamHub } from './streams.js';
import type { StreamTickets } from './tickets.js';
import type { EventVisibility } from './visibility.js';
import { problem } from '../../foundation/errors.js';
import type { OpenRequests } from '../../foundation/http/open-requests.js';
import { sendPage } from '../../foundation/http/respond.js';
import { Page } from '../../foundation/http/schemas.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import {
  EventIdParams,
  EventListQuery,
  EventTypeQuery,
  EventTypeSchema,
  EventView,
  StreamQuery,
  StreamTicket,
} from './schemas.js';
import { eventTypes } from './types.js';

const POSITION = /^[0-9]{1,16}$/;

const view = ({ position, ...event }: LogEvent) => ({ id: position, ...event });

/** The receiver's last position: the header that a browser sends when it reconnects, else the query parameter. */
function resumePoint(request: FastifyRequest, query: StreamQuery): number | undefined {
  const text = (request.headers['last-event-id'] as string | undefined) || query.last_event_id;
  // An invalid position is treated as unknown: the stream begins with a reset.
  return text === undefined ? undefined : POSITION.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;
}

/** Sends the headers set so far, including CORS, and hands the connection over to the stream. */
function takeOver(reply: FastifyReply, openRequests: OpenRequests): FastifyReply['raw'] {
  reply.hijack();
  const { raw, request } = reply;
  request.endPlaces();
  openRequests.keepOpen(request.use);
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader('content-type', 'text/event-stream; charset=utf-8');
  raw.setHeader('cache-control', 'no-cache, no-transform');
  raw.setHeader('x-accel-buffering', 'no');
  // The stream ends with its connection: a stopping server need not wait for it as an idle one, and no chunked encoding
  // is needed.
  raw.setHeader('connection', 'close');
  raw.removeHeader('transfer-encoding');
  raw.socket?.setNoDelay(true);
  raw.writeHead(200);
  return raw;
}

export default (async (app, { services: { events, visibility, streams, streamTickets, openRequests } }) => {
  const tags = ['events'];

  app.get(
    '',
    {
      config: { access: { permission: 'events.audit' }, costly: true },
      schema: {
        operationId: 'listEvents',
        summary: 'Audit trail, latest first',
        tags,
        querystring: EventListQuery,
        response: { 200: Page(EventView) },
      },
    },
    async (request, reply) => {
      const { type, ...query } = request.query;
      const page = await events.list({ ...query, types: type?.split(',') }, visibility.scope(request.identity!));
      // The database selected the events; this removes the parts that the receiver may not read.
      const see = await visibility.view(page.items, request.identity!);
      return sendPage(request, reply, {
        ...page,
        items: page.items
          .map(see)
          .filter((event) => event !== undefined)
          .map(view),
      });
    },
  );

  app.get(
    '/types',
    {
      config: { access: 'authenticated' },
      schema: {
        operationId: 'listEventTypes',
        summary: 'Event types, with the schemas of their data',
        tags,
        querystring: EventTypeQuery,
        response: { 200: Page(EventTypeSchema) },
      },
    },
    async (request, reply) => {
      const { kind, module } = request.query;
      const all = eventTypes(visibility).filter(
        (type) =>
          (kind === undefined || type.kind === kind) && (module === undefined || (type.module ?? 'core') === module),
      );
      return sendPage(request, reply, pageOf(all, 'type', 'type', request.query, `event types ${kind} ${module}`));
    },
  );

  app.get(
    '/:id',
    {
      config: { access: { permission: 'events.audit' } },
      schema: {
        operationId: 'getEvent',
        summary: 'An event of the audit trail',
        tags,
        params: EventIdParams,
        response: { 200: EventView },
      },
    },
    async (request) => {
      const event = await events.find(request.params.id);
      const seen = event && (await visibility.view([event], request.identity!))(event);
      if (!seen) throw problem('not_found');
      return view(seen);
    },
  );

  app.post(
    '/stream-ticket',
    {
      config: { access: 'authenticated' },
      schema: {
        operationId: 'createStreamTicket',
        summary: 'A ticket that opens one event stream',
        tags,
        response: { 200: StreamTicket },
        description:
          'For browsers, whose EventSource cannot send headers: `GET /events/stream?ticket=…` within 30 seconds, once. The stream has the permissions and expiry of the session and token with which the ticket was requested.',
      },
    },
    async (request, reply) =>
      reply.header('cache-control', 'no-store').send(await streamTickets.issue(request.identity!)),
  );

  app.get(
    '/stream',
    {
      config: { access: 'authenticated', ticket: true },
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamEvents',
        summary: 'Events as they happen, as server-sent events',
        tags,
        querystring: StreamQuery,
        description:
          'CloudEvents 1.0 in JSON. The `id` of each event is its position; a stream opened with it as Last-Event-ID continues after it, if it is still retained. ' +
          'An event `reset` means that the stream cannot continue there: the position is unknown, no longer retained (`expired`) or `lost` by the database. Reload all data, then continue from the position in the event.',
        response: {
          200: {
            description: 'A stream that stays open.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { types, subject_id } = request.query;
      const open = await streams.prepare({
        identity: request.identity!,
        filter: { types: types?.split(','), subject_id },
        after: resumePoint(request, request.query),
      });
      open(() => takeOver(reply, openRequests));
      return reply;
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{
  services: {
    events: EventLog;
    visibility: EventVisibility;
    streams: StreamHub;
    streamTickets: StreamTickets;
    openRequests: OpenRequests;
  };
}>;
