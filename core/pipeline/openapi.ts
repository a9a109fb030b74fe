import swagger from '@fastify/swagger';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { Type } from 'typebox';
import {
  completeDocument,
  filterDocument,
  type Document,
  type RouteEntry,
} from '../foundation/http/openapi-document.js';
import { FixedText, preferredEncoding } from '../foundation/http/fixed-text.js';
import { RELEASE } from '../foundation/release.js';
import { matchesTag } from '../foundation/http/respond.js';
import { CORE_TAGS } from '../foundation/http/tags.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** All documented routes, including those of disabled modules. */
    routeTable: readonly RouteEntry[];
    /** The OpenAPI document as currently served: without disabled modules. */
    openapiDocument(): Document;
  }
}

interface Served {
  document: Document;
  text: FixedText;
}

const SUCCESS = /^[23]/;
const DESCRIPTION = `Enterprise architecture as data: cards, their relations, a metamodel that is data itself, and every change as an event.

Errors are RFC 9457 problem details whose \`code\` is stable. Lists are paged by \`page\` or, stable under writes, by \`cursor\`.
Resources carry a \`version\`, which is their ETag.`;

/**
 * The documentation entry of a route.
 * @param taken the routes so far, by operationId
 * @throws naming the route, when it lacks information that the document needs
 */
export function describedRoute(
  route: RouteOptions,
  method: string,
  taken: ReadonlyMap<string, RouteEntry>,
): RouteEntry {
  const { schema, config } = route;
  const lacks = (['operationId', 'summary'] as const).filter((key) => !schema?.[key]) as string[];
  if (!schema?.tags?.length) lacks.push('tags');
  if (!Object.keys((schema?.response ?? {}) as object).some((status) => SUCCESS.test(status)))
    lacks.push('a response schema of success');
  if (config?.access === undefined) lacks.push('its access');
  if (lacks.length > 0) throw new Error(`route ${method} ${route.url} lacks ${lacks.join(', ')}`);
  const operationId = schema!.operationId!;
  const other = taken.get(operationId);
  if (other)
    throw new Error(
      `operationId ${operationId} of ${method} ${route.url} is already used by ${other.method} ${other.url}`,
    );
  // Config and schema are read late: a module's own hook, which runs after this one, sets the owner of the route.
  return {
    method,
    url: route.url,
    operationId,
    access: config!.access!,
    bodyLimit: route.bodyLimit,
    get config() {
      return route.config!;
    },
    get schema() {
      return route.schema!;
    },
  };
}

/** Describes every route by its own schemas; a route without a complete description prevents the start. */
export default fp(
  (async (app) => {
    const routes = new Map<string, RouteEntry>();

    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Lintel',
          version: RELEASE.version,
          description: DESCRIPTION,
          license: { name: 'Apache License 2.0', identifier: RELEASE.license },
        },
        servers: [{ url: '/', description: 'This service' }],
        components: {
          securitySchemes: {
            bearer: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'JWT',
              description: 'The access token of POST /api/v1/auth/login.',
            },
            api_token: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'JWT',
              description:
                'An API token of POST /api/v1/auth/tokens: the permissions of its user, restricted to those of the token.',
            },
            ticket: {
              type: 'apiKey',
              in: 'query',
              name: 'ticket',
              description: 'The ticket of POST /api/v1/events/stream-ticket: used once, within 30 seconds.',
            },
          },
        },
      },
      // Keeps `const`: OpenAPI 3.1 uses plain JSON Schema.
      convertConstToEnum: false,
      refResolver: {
        buildLocalReference: (json: { $id?: unknown }, _base: unknown, _fragment: unknown, i: number) =>
          typeof json.$id === 'string' ? json.$id : `def-${i}`,
      },
      transformObject: (made) =>
        completeDocument((made as { openapiObject: unknown }).openapiObject as Document, routes) as never,
    } as Parameters<typeof swagger>[1]);

    app.addHook('onRoute', (route) => {
      if ((route.schema as { hide?: boolean } | undefined)?.hide) return;
      for (const method of [route.method].flat()) {
        if (method === 'HEAD') continue;
        const entry = describedRoute(route, method, routes);
        routes.set(entry.operationId, entry);
      }
    });
    app.decorate('routeTable', { getter: () => [...routes.values()] });

    let served: Served | undefined;
    let servedFor: string | undefined;
    const current = (): Served => {
      const off = [...new Set([...routes.values()].flatMap(({ config }) => config.module ?? []))].filter((id) =>
        app.moduleOff(id),
      );
      const key = `${app.services.revisions.revision('modules')} ${off.join(' ')}`;
      if (!served || servedFor !== key) {
        const whole = app.swagger() as unknown as Document;
        const tags = [
          ...new Set(Object.values(whole.paths).flatMap((item) => Object.values(item).flatMap((o) => o.tags ?? []))),
        ];
        const document = filterDocument(
          {
            ...whole,
            tags: tags.map((name) => ({
              name,
              description: CORE_TAGS[name] ?? app.services.modules.tagDescription(name) ?? name,
            })),
          },
          (id) => off.includes(id),
        );
        served = { document, text: new FixedText(JSON.stringify(document)) };
        servedFor = key;
      }
      return served;
    };
    app.decorate('openapiDocument', () => current().document);

    app.get(
      '/api/openapi.json',
      {
        compress: false,
        config: { access: 'public' },
        schema: {
          operationId: 'getOpenapi',
          summary: 'This document',
          tags: ['platform'],
          description: 'OpenAPI 3.1 of the core and of the enabled modules.',
          response: { 200: Type.Object({}, { additionalProperties: true }) },
        },
      },
      async (request, reply: FastifyReply) => {
        const { text } = current();
        reply.header('etag', text.etag);
        if (matchesTag(request.headers['if-none-match'], text.etag)) return reply.code(304).send();
        reply.type('application/json; charset=utf-8').serializer((body: unknown) => body as string);
        // The document is public and large: it is compressed once for each encoding, not for each request.
        const encoding = preferredEncoding(request.headers['accept-encoding']);
        if (encoding === undefined) return reply.send(text.bytes);
        return reply.header('content-encoding', encoding).send(await text.encoded(encoding));
      },
    );
  }) satisfies FastifyPluginAsyncTypebox,
  { name: 'openapi', dependencies: ['errors', 'headers', 'compress'] },
);
