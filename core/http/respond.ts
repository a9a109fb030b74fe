import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/**
 * What a handler returns once it has sent its answer: the reply itself, typed so that it fits a route of any response
 * schema.
 */
export type Sent = never;

export interface Page<T> {
  items: T[];
  total: number;
  total_relation: 'eq' | 'gte';
  page: number;
  page_size: number;
  next_cursor: string | null;
}

/** A page whose items are JSON text already, so that a hot list is never parsed and written again. */
export interface PageText extends Omit<Page<never>, 'items'> {
  items: string[];
}

export interface Resource {
  status?: number;
  version: number;
  /** What the view holds beside the version's own content, or leaves out of it: its digest becomes part of the tag. */
  derived?: unknown;
  /** An object the route's schema serialises, or JSON text that leaves as it is. */
  body: unknown;
}

/** Strong entity tag of a resource: `"<version>"`, or `"<version>.<digest of what is derived>"`. */
function entityTag(version: number, derived: unknown): string {
  if (derived === undefined) return `"${version}"`;
  return `"${version}.${createHash('sha256').update(JSON.stringify(derived)).digest('base64url').slice(0, 10)}"`;
}

function matches(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((t) => [tag, '*'].includes(t.trim().replace(/^W\//, '')));
}

/** Sends one resource with its ETag; 304 where the caller has it. */
export function sendResource(request: FastifyRequest, reply: FastifyReply, { status = 200, version, derived, body }: Resource): Sent {
  const tag = entityTag(version, derived);
  reply.header('etag', tag);
  if (request.method === 'GET' && matches(request.headers['if-none-match'], tag)) return reply.code(304).send() as Sent;
  reply.code(status);
  return (typeof body === 'string' ? reply.type('application/json; charset=utf-8').serializer(String).send(body) : reply.send(body)) as Sent;
}

/** RFC 8288 links of a page; every filter of the request stays in them. */
function links(request: FastifyRequest, { page, page_size, total, next_cursor }: Omit<Page<unknown>, 'items'>): string {
  const [path, query] = request.url.split('?') as [string, string | undefined];
  const params = new URLSearchParams(query);
  const byCursor = params.has('cursor');
  params.delete('cursor');
  const to = (n: number) => { params.set('page', String(n)); return `<${path}?${params.toString()}>`; };
  const last = Math.max(1, Math.ceil(total / page_size));
  const out = [`${to(1)}; rel="first"`];
  if (page > 1) out.push(`${to(Math.min(page - 1, last))}; rel="prev"`);
  if (byCursor && next_cursor) {
    params.delete('page');
    params.set('cursor', next_cursor);
    out.push(`<${path}?${params.toString()}>; rel="next"`);
    params.delete('cursor');
  } else if (page < last) out.push(`${to(page + 1)}; rel="next"`);
  out.push(`${to(last)}; rel="last"`);
  return out.join(', ');
}

/** Clients refuse an answer whose headers pass 16 KiB: a query that long gets no links. */
const MAX_LINKS = 8_192;

function linked(request: FastifyRequest, reply: FastifyReply, page: Omit<Page<unknown>, 'items'>): FastifyReply {
  const header = links(request, page);
  return header.length > MAX_LINKS ? reply : reply.header('link', header);
}

/** Sends a page with its Link header. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): Sent {
  return linked(request, reply, page).send(page) as Sent;
}

/** Sends a page of JSON texts. */
export function sendPageText(request: FastifyRequest, reply: FastifyReply, page: PageText): Sent {
  const { items, ...rest } = page;
  linked(request, reply, rest).type('application/json; charset=utf-8').serializer(String);
  return reply.send(`{"items":[${items.join(',')}],${JSON.stringify(rest).slice(1)}`) as Sent;
}

/** 204. */
export function sendNothing(reply: FastifyReply): Sent {
  return reply.code(204).send() as Sent;
}

/** A file that is made while it is read. */
export function sendStream(reply: FastifyReply, type: string, fileName: string, stream: Readable): Sent {
  return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(stream) as Sent;
}
