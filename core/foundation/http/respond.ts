import type { Page } from '../db/list-query.js';
import { digest } from '../digest.js';
import { problem, type Problem } from '../errors.js';
import { MOST_PAGE_BYTES } from '../request-use.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

/**
 * What a handler returns after it has sent text or bytes. It is assignable to the response type of every route, because
 * the compiler cannot compare text with a schema; tests compare them. Responses that are objects have their own type.
 */
export type SentText = never;

export type { Page };

/** A page whose items are JSON text in UTF-8, so that frequently read lists are not parsed and serialised again. */
export interface PageText extends Omit<Page<never>, 'items'> {
  items: Buffer[];
}

/** One resource in a response. */
export interface Resource<T> {
  /** Status of the response; 200 when absent. */
  status?: number;
  version: number;
  /** Data in the response beyond the versioned content, or a selection of it: its digest becomes part of the ETag. */
  derived?: unknown;
  body: T;
}

/** Strong entity tag of a resource: `"<version>"`, or `"<version>.<digest of derived data>"`. */
function entityTag(version: number, derived: unknown): string {
  if (derived === undefined) return `"${version}"`;
  return `"${version}.${digest(JSON.stringify(derived)).slice(0, 10)}"`;
}

/** Whether an If-None-Match header contains an entity tag; weak comparison, as RFC 9110, 13.1.2 requires. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((t) => [tag, '*'].includes(t.trim().replace(/^W\//, '')));
}

/** The serialiser of bodies that are JSON text already. */
const unchanged = (body: unknown): string => body as string;

/** Sets ETag and status. @returns whether the client has this version, so that the response is a 304 without body */
function isKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, version, derived }: Omit<Resource<never>, 'body'>,
): boolean {
  const tag = entityTag(version, derived);
  reply.header('etag', tag);
  const known = request.method === 'GET' && matchesTag(request.headers['if-none-match'], tag);
  reply.code(known ? 304 : status);
  return known;
}

/** Sends one resource with its ETag; 304 if the client already has it. */
export function sendResource<T>(request: FastifyRequest, reply: FastifyReply, resource: Resource<T>): T {
  return (isKnown(request, reply, resource) ? reply.send() : reply.send(resource.body)) as T;
}

/** Sends JSON text unchanged, with the status of the reply. */
export function sendText(reply: FastifyReply, text: string): SentText {
  return reply.type('application/json; charset=utf-8').serializer(unchanged).send(text) as SentText;
}

/** As `sendResource`, for a resource that is JSON text already, as a string or in UTF-8; it is sent unchanged. */
export function sendResourceText(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource<string | Buffer>,
): SentText {
  if (isKnown(request, reply, resource)) return reply.send() as SentText;
  return reply.type('application/json; charset=utf-8').serializer(unchanged).send(resource.body) as SentText;
}

interface Bytes {
  version: number;
  /** As for `Resource`. */
  derived?: unknown;
  /** Media type. */
  type: string;
  /** Or a function that makes them, called only if the client does not have them. */
  bytes: Buffer | (() => Promise<Buffer>);
}

/** Sends non-JSON bytes with their ETag; 304 if the client already has them. */
export function sendBytes(request: FastifyRequest, reply: FastifyReply, { type, bytes, ...tagged }: Bytes): SentText {
  if (isKnown(request, reply, tagged)) return reply.send() as SentText;
  reply.type(type);
  if (typeof bytes !== 'function') return reply.send(bytes) as SentText;
  bytes().then(
    (made) => void reply.send(made),
    (error: unknown) => {
      reply.removeHeader('etag').removeHeader('content-type');
      void reply.send(error);
    },
  );
  return reply as unknown as SentText;
}

/** The part of a link that all links of a list share. */
function linkBase(url: string): { base: string; byCursor: boolean } {
  const [path, query] = url.split('?') as [string, string | undefined];
  const params = new URLSearchParams(query);
  const byCursor = params.has('cursor');
  params.delete('cursor');
  params.delete('page');
  return { base: `<${path}?${params.size > 0 ? `${params.toString()}&` : ''}`, byCursor };
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
  const isExact = total_relation === 'eq' && total !== null;
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

const tooLarge = (): Problem =>
  problem('too_expensive', {
    detail: 'The items of the page have more than 8 MiB together; ask for fewer, such as by a smaller page_size.',
  });

/** Adds the bytes of all texts in a value to those before. @returns the sum; it may end early where that is more than a page may have */
function addTexts(bytes: number, value: unknown): number {
  if (typeof value === 'string') return bytes + Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return bytes;
  let sum = bytes;
  for (const member of Object.values(value)) {
    sum = addTexts(sum, member);
    if (sum > MOST_PAGE_BYTES) break;
  }
  return sum;
}

/** Sends a page with its Link header. @throws too_expensive where it is too large */
export function sendPage<T>(request: FastifyRequest, reply: FastifyReply, page: Page<T>): Page<T> {
  // Rows that were read for a small page may be many, such as those of a whole plan.
  if (request.use.unsentBytes > MOST_PAGE_BYTES && addTexts(0, page.items) > MOST_PAGE_BYTES) throw tooLarge();
  return linked(request, reply, page).send(page) as unknown as Page<T>;
}

const PAGE_BEGINS = Buffer.from('{"items":[');
const COMMA = 44;

/** Sends a page whose items are JSON texts. @throws too_expensive where it is too large */
export function sendPageText(request: FastifyRequest, reply: FastifyReply, page: PageText): SentText {
  const { items, ...rest } = page;
  const end = `],${JSON.stringify(rest).slice(1)}`;
  let length = PAGE_BEGINS.length + Math.max(0, items.length - 1) + end.length;
  for (const item of items) length += item.length;
  if (length > MOST_PAGE_BYTES) throw tooLarge();
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
  linked(request, reply, rest).type('application/json; charset=utf-8').serializer(unchanged);
  return reply.send(bytes) as SentText;
}

/** Sends 202 with the id of a queued job; its status is at `Location`. */
export function sendJob(reply: FastifyReply, id: string): { job_id: string } {
  return reply.code(202).header('location', `/api/v1/jobs/${id}`).send({ job_id: id }) as unknown as { job_id: string };
}

/** Sends 204. */
export function sendNothing(reply: FastifyReply): null {
  return reply.code(204).send() as unknown as null;
}

/** The header for saving a file under its name: RFC 6266, with a name in ASCII for clients that read no other. */
function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8\'\'${encoded}`}`;
}

/** Sends a file that is created while it is sent. @param fileName the file name for saving */
export function sendStream(reply: FastifyReply, type: string, fileName: string, stream: Readable): SentText {
  return reply.type(type).header('content-disposition', attachment(fileName)).send(stream) as SentText;
}
