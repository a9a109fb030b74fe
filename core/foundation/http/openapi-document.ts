import type { Access } from '@lintel/sdk';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { nameSchemas } from './openapi-components.js';
import { ProblemSchema } from './schemas.js';

/** A route as it was registered, for documents and tests. */
export interface RouteEntry {
  method: string;
  /** With `:name` for parameters. */
  url: string;
  operationId: string;
  access: Access;
  config: FastifyContextConfig;
  schema: FastifySchema;
  /** Maximum number of bytes of a body; default: the limit of all routes. */
  bodyLimit?: number | undefined;
}

interface Media {
  schema?: unknown;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}
interface Response {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}
type Ref = { $ref: string };

export interface Operation {
  operationId: string;
  tags?: string[];
  description?: string;
  parameters?: (Ref | { in: string; name: string })[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response | Ref>;
  security?: Record<string, string[]>[];
  'x-module'?: string;
  'x-permission'?: string;
}

/** The members of an OpenAPI 3.1 document that are used here. */
export interface Document {
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

/** The error responses, as components: one per status, all with the same body. */
const ERRORS: Record<string, [name: string, description: string, header?: keyof typeof ERROR_HEADERS]> = {
  400: ['BadRequest', 'The request could not be read as HTTP, as a URL or as JSON.'],
  401: ['Unauthorized', 'The token is missing, malformed or expired, or its session has ended.', 'WWW-Authenticate'],
  403: [
    'Forbidden',
    'The permission named in `required_permission` is missing, or the operation requires a session instead of an API token.',
  ],
  404: ['NotFound', 'No such resource, or not visible to the caller.'],
  409: ['Conflict', 'The change contradicts the stored state; see `code`.'],
  412: ['PreconditionFailed', 'If-Match names another version than `current_version`.'],
  413: ['PayloadTooLarge', 'The body exceeds the limit of this route.'],
  415: ['UnsupportedMediaType', 'The route does not accept this Content-Type or Content-Encoding.'],
  422: ['ValidationFailed', '`errors` lists the invalid fields with reasons, at most 100.'],
  428: ['PreconditionRequired', 'This route, or a workspace setting for all changes, requires If-Match.'],
  429: ['RateLimited', 'Too many requests; retry after the number of seconds in Retry-After.', 'Retry-After'],
  503: [
    'Unavailable',
    'The database is unavailable or the service is stopping; retry after Retry-After.',
    'Retry-After',
  ],
  default: ['Problem', 'Any other error.'],
};

const ERROR_HEADERS = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': {
    description: 'The required kind of token, and the error of the one sent.',
    schema: { type: 'string' },
  },
};
const SUCCESS: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; processing continues in the background.',
  204: 'Done; without a body.',
  302: 'Redirect.',
  304: 'Not modified.',
};
const HEADERS = {
  ETag: {
    description: 'The version of the resource, for If-Match and If-None-Match.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  Link: { description: 'Pages first, prev, next and last (RFC 8288).', schema: { type: 'string' } },
};
const PARAMETERS = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  IfMatchRequired: {
    name: 'If-Match',
    in: 'header',
    required: true,
    description:
      'The ETag of the version to change; 428 without it or with `*`, and 412 if the resource has been changed.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 200, examples: ['0198c2f4-retry-1'] },
    description:
      'Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated.',
  },
};

const ref = (section: string, name: string): Ref => ({ $ref: `#/components/${section}/${name}` });

function errorsOf(method: string, operation: Operation, { url, access, config }: RouteEntry): string[] {
  const has = (place: string): boolean => operation.parameters?.some((p) => 'in' in p && p.in === place) ?? false;
  const body = operation.requestBody !== undefined;
  return [
    '400',
    '503',
    'default',
    // A public POST checks other credentials.
    ...(access === 'public'
      ? method === 'get'
        ? []
        : ['401', '403']
      : access === 'authenticated' && !config.sessionOnly
        ? ['401']
        : ['401', '403']),
    ...(has('path') ? ['404'] : []),
    ...(url.startsWith('/api/v1/') ? ['422'] : []),
    ...(body ? ['413', '415'] : []),
    ...(config.idempotent || method !== 'get' ? ['409'] : []),
    ...(config.conditional ? ['412', '428'] : []),
    ...(config.rateLimit || config.addressLimit !== undefined || config.costly ? ['429'] : []),
  ];
}

function describeAccess(operation: Operation, { access, config }: RouteEntry): void {
  operation.security =
    access === 'public'
      ? []
      : [
          { bearer: [] },
          ...(config.sessionOnly ? [] : [{ api_token: [] }]),
          ...(config.ticket ? [{ ticket: [] }] : []),
        ];
  if (config.sessionOnly)
    operation.description = [operation.description, 'Requires a session: an API token gets `session_required`.']
      .filter(Boolean)
      .join('\n\n');
  if (typeof access === 'string') return;
  const ofCard = access.cardPermission ?? access.anyCard;
  const stakeholder = ofCard === undefined ? '' : `, or \`${ofCard}\` as a stakeholder of the card`;
  operation['x-permission'] = access.permission;
  operation.description = [operation.description, `Needs the permission \`${access.permission}\`${stakeholder}.`]
    .filter(Boolean)
    .join('\n\n');
}

function describeSuccess(method: string, operation: Operation, config: FastifyContextConfig): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) continue;
    if (!response.description || response.description === 'Default Response')
      response.description = SUCCESS[status] ?? 'Done.';
    const properties = (
      response.content?.['application/json']?.schema as { properties?: Record<string, unknown> } | undefined
    )?.properties;
    if (!properties || !/^2/.test(status)) continue;
    if ('next_cursor' in properties) response.headers = { ...response.headers, Link: ref('headers', 'Link') };
    else if ('version' in properties && (method === 'get' || config.conditional || config.idempotent))
      response.headers = { ...response.headers, ETag: ref('headers', 'ETag') };
  }
}

interface BodySchema {
  type?: unknown;
  properties?: object;
  additionalProperties?: unknown;
  examples?: unknown[];
  anyOf?: BodySchema[];
}

/** A nullable body is optional: the schema and the example are those of the other alternative. */
function makeBodyOptional(body: NonNullable<Operation['requestBody']>): void {
  for (const media of Object.values(body.content)) {
    const branches = (media.schema as BodySchema | undefined)?.anyOf;
    const others = branches?.filter(({ type }) => type !== 'null');
    if (!branches || !others?.[0] || others.length === branches.length) continue;
    body.required = false;
    media.example ??= others.find(({ examples }) => examples !== undefined)?.examples?.[0];
    if (others.length === 1) media.schema = others[0];
  }
}

/** A body without members is omitted, so that generated clients do not require it. */
function isEmpty({ content }: NonNullable<Operation['requestBody']>): boolean {
  return Object.values(content).every((media) => {
    const { type, properties, additionalProperties } = (media.schema ?? {}) as BodySchema;
    return type === 'object' && additionalProperties === false && Object.keys(properties ?? {}).length === 0;
  });
}

/** Adds to one operation the parts derived from its route instead of its schemas. */
function completeOperation(method: string, operation: Operation, route: RouteEntry): void {
  const { config } = route;
  if (config.module !== undefined) operation['x-module'] = config.module;
  describeAccess(operation, route);
  describeSuccess(method, operation, config);
  if (operation.requestBody) makeBodyOptional(operation.requestBody);
  const json = operation.requestBody?.content['application/json'];
  if (method === 'patch' && json) operation.requestBody!.content['application/merge-patch+json'] = json;
  for (const status of errorsOf(method, operation, route))
    operation.responses[status] ??= ref('responses', ERRORS[status]![0]);
  if (operation.requestBody && isEmpty(operation.requestBody)) delete operation.requestBody;
  const headers = [
    ...(config.conditional ? [config.conditional === 'required' ? 'IfMatchRequired' : 'IfMatch'] : []),
    ...(config.idempotent ? ['IdempotencyKey'] : []),
  ];
  if (headers.length > 0)
    operation.parameters = [...(operation.parameters ?? []), ...headers.map((name) => ref('parameters', name))];
}

/**
 * Completes the document generated from the routes' schemas, in place.
 * @param routes every documented route, by its operationId
 * @returns the same document
 */
export function completeDocument(document: Document, routes: ReadonlyMap<string, RouteEntry>): Document {
  const body = { 'application/problem+json': { schema: ref('schemas', 'Problem') } };
  document.components['responses'] = Object.fromEntries(
    Object.values(ERRORS).map(([name, description, header]) => [
      name,
      { description, ...(header && { headers: { [header]: ERROR_HEADERS[header] } }), content: body },
    ]),
  );
  document.components['parameters'] = structuredClone(PARAMETERS);
  document.components['headers'] = structuredClone(HEADERS);
  document.components['schemas'] = {
    ...document.components['schemas'],
    Problem: JSON.parse(JSON.stringify(ProblemSchema)) as unknown,
  };
  for (const item of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(item))
      completeOperation(method, operation, routes.get(operation.operationId)!);
  }
  nameSchemas(document, routes);
  return document;
}

const POINTER = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

/** Names of the components referenced by a part of the document, directly or indirectly. */
function reachable(document: Document, from: unknown): Set<string> {
  const found = new Set<string>();
  const queue = [from];
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    for (const [, section, name] of JSON.stringify(part).matchAll(POINTER)) {
      if (found.has(`${section}/${name}`)) continue;
      found.add(`${section}/${name}`);
      queue.push(document.components[section!]?.[name!] ?? null);
    }
  }
  return found;
}

/**
 * The document while some modules are disabled: without their operations, and without tags and components
 * that only they use.
 * @param isOff whether a module is disabled, by its id
 */
export function filterDocument(document: Document, isOff: (module: string) => boolean): Document {
  const paths: Document['paths'] = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const left = Object.entries(item).filter(([, o]) => o['x-module'] === undefined || !isOff(o['x-module']));
    if (left.length > 0) paths[path] = Object.fromEntries(left);
  }
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap((o) => o.tags ?? [])));
  const used = reachable(document, paths);
  const components = Object.fromEntries(
    Object.entries(document.components)
      .map(
        ([section, all]) =>
          [
            section,
            section === 'securitySchemes'
              ? all
              : Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${section}/${name}`))),
          ] as const,
      )
      .filter(([, all]) => Object.keys(all).length > 0),
  );
  return { ...document, tags: document.tags?.filter((t) => tags.has(t.name)) ?? [], paths, components };
}
