import type { Page } from '../db/list-query.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/**
 * The return value of a handler that has already sent its response: the reply itself, typed to fit any response schema.
 */
export type Sent = never;

export type { Page };

/** A page whose items are JSON text in UTF-8, so that frequently read lists are not parsed and serialised again. */
export interface PageText extends Omit<Page<never>, 'items'> {
  items: Buffer[];
}

export interface Resource {
  status?: number;
  version: number;
  /** Data in the response beyond the versioned content, or a selection of it: its digest becomes part of the ETag. */
  derived?: unknown;
  /** An object that the route's schema serialises, or JSON text, as string or UTF-8 bytes, that is sent unchanged. */
  body: unknown;
}

/** Strong entity tag of a resource: `"<version>"`, or `"<version>.<digest of derived data>"`. */
function entityTag(version: number, derived: unknown): string {
  if (derived === undefined) return `"${version}"`;
  return `"${version}.${createHash('sha256').update(JSON.stringify(derived)).digest('base64url').slice(0, 10)}"`;
}

function matches(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((t) => [tag, '*'].includes(t.trim().replace(/^W\//, '')));
}

const asItIs = (body: unknown): string => body as string;

/** Sends one resource with its ETag; 304 if the client already has it. */
export function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, version, derived, body }: Resource,
): Sent {
  const tag = entityTag(version, derived);
  reply.header('etag', tag);
  if (request.method === 'GET' && matches(request.headers['if-none-match'], tag)) return reply.code(304).send() as Sent;
  reply.code(status);
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return reply.send(body) as Sent;
  return reply.type('application/json; charset=utf-8').serializer(asItIs).send(body) as Sent;
}

export interface Bytes {
  version: number;
  /** As for `Resource`. */
  derived?: unknown;
  /** Media type. */
  type: string;
  bytes: Buffer;
}

/** Sends non-JSON bytes with their ETag; 304 if the client already has them. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { version, derived, type, bytes }: Bytes,
): Sent {
  const tag = entityTag(version, derived);
  reply.header('etag', tag);
  if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send() as Sent;
  return reply.type(type).send(bytes) as Sent;
}

/** Cache of the common part of a list's links, by URL: the same lists are requested repeatedly. */
const LINK_BASES = new Map<string, { base: string; byCursor: boolean }>();
const MOST_BASES = 500;

function linkBase(url: string): { base: string; byCursor: boolean } {
  const known = LINK_BASES.get(url);
  if (known) return known;
  const [path, query] = url.split('?') as [string, string | undefined];
  const params = new URLSearchParams(query);
  const byCursor = params.has('cursor');
  params.delete('cursor');
  params.delete('page');
  const made = { base: `<${path}?${params.size > 0 ? `${params.toString()}&` : ''}`, byCursor };
  if (LINK_BASES.size >= MOST_BASES) LINK_BASES.clear();
  LINK_BASES.set(url, made);
  return made;
}

/**
 * RFC 8288 links of a page; all filters of the request are preserved. The last page is known only if the total is
 * exact.
 */
function links(
  request: FastifyRequest,
  { page, page_size, total, total_relation, next_cursor }: Omit<Page<unknown>, 'items'>,
): string {
  const { base, byCursor } = linkBase(request.url);
  const isExact = total_relation === 'eq';
  const last = isExact ? Math.max(1, Math.ceil(total / page_size)) : next_cursor ? page + 1 : page;
  let out = `${base}page=1>; rel="first"`;
  if (page > 1) out += `, ${base}page=${Math.min(page - 1, last)}>; rel="prev"`;
  if (byCursor && next_cursor) out += `, ${base}cursor=${encodeURIComponent(next_cursor)}>; rel="next"`;
  else if (page < last) out += `, ${base}page=${page + 1}>; rel="next"`;
  return isExact ? `${out}, ${base}page=${last}>; rel="last"` : out;
}

/** Clients reject a response whose headers exceed 16 KiB: a page with a longer query is sent without links. */
const MAX_LINKS = 8_192;

function linked(request: FastifyRequest, reply: FastifyReply, page: Omit<Page<unknown>, 'items'>): FastifyReply {
  const header = links(request, page);
  return header.length > MAX_LINKS ? reply : reply.header('link', header);
}

/** Sends a page with its Link header. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): Sent {
  return linked(request, reply, page).send(page) as Sent;
}

const PAGE_BEGINS = Buffer.from('{"items":[');
const COMMA = 44;

/** Sends a page whose items are JSON texts. */
export function sendPageText(request: FastifyRequest, reply: FastifyReply, page: PageText): Sent {
  const { items, ...rest } = page;
  const end = `],${JSON.stringify(rest).slice(1)}`;
  let length = PAGE_BEGINS.length + Math.max(0, items.length - 1) + end.length;
  for (const item of items) length += item.length;
  const bytes = Buffer.allocUnsafe(length);
  bytes.set(PAGE_BEGINS, 0);
  let at = PAGE_BEGINS.length;
  for (const [i, item] of items.entries()) {
    if (i > 0) bytes[at++] = COMMA;
    bytes.set(item, at);
    at += item.length;
  }
  // This part is ASCII: numbers, and a cursor in base64url.
  bytes.write(end, at, 'latin1');
  linked(request, reply, rest).type('application/json; charset=utf-8').serializer(asItIs);
  return reply.send(bytes) as Sent;
}

/** Sends 204. */
export function sendNothing(reply: FastifyReply): Sent {
  return reply.code(204).send() as Sent;
}

/** Sends a file that is generated while it is read. */
export function sendStream(reply: FastifyReply, type: string, fileName: string, stream: Readable): Sent {
  return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(stream) as Sent;
}
