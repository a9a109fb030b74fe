import type { FieldError } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { fieldErrors, strictAjv } from '../ajv.js';
import { Strict } from '../schemas.js';

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;
const NUMBER = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/;

const NO_QUERY = Strict({});

interface JsonSchema { type?: string | string[]; properties?: Record<string, JsonSchema>; anyOf?: JsonSchema[] }

/** Query strings are text: turns what is written exactly as an integer, number or boolean into one, in place. */
function queryReader(schema: JsonSchema): (query: Record<string, unknown>) => void {
  const typed = Object.entries(schema.properties ?? {}).filter(([, s]) => ['integer', 'number', 'boolean'].includes(String(s.type)));
  return (query) => {
    for (const [key, { type }] of typed) {
      const text = query[key];
      if (typeof text !== 'string') continue;
      if (type === 'boolean' ? text === 'true' || text === 'false' : (type === 'integer' ? INTEGER : NUMBER).test(text)) query[key] = exactly(text);
    }
  };
}

/** What JavaScript cannot hold exactly stays text, and is refused as no number. */
function exactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}

const PARTS = { body: 'body', querystring: 'query', params: 'path', headers: 'header' } as const;

/** A fault in one part of a request; the error handler collects the other parts' faults too. */
export class InvalidPart extends Error {
  constructor(readonly part: keyof typeof PARTS, readonly errors: FieldError[]) { super('invalid request'); }
}

/** Fastify's validation: strict bodies, strictly read query strings, all faults at once. */
export default fp(async (app: FastifyInstance) => {
  const bodies = strictAjv();
  const queries = strictAjv(true);
  // A route that takes no query refuses every parameter, as all others refuse those they do not know.
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/v1/') && !route.schema?.querystring) route.schema = { ...route.schema, querystring: NO_QUERY };
  });
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const part = (httpPart ?? 'body') as keyof typeof PARTS;
    const compiled: ValidateFunction = (part === 'body' ? bodies : queries).compile(schema as object);
    const read = part === 'body' ? undefined : queryReader(schema as JsonSchema);
    return (data: unknown) => {
      if (read && data && typeof data === 'object') read(data as Record<string, unknown>);
      const wrong = part === 'querystring' ? withNul(data as Record<string, unknown>) : [];
      if (compiled(data) && wrong.length === 0) return { value: data };
      const others = fieldErrors(compiled.errors ?? [], PARTS[part]).filter(({ field }) => !field.includes('\0'));
      return { error: new InvalidPart(part, [...wrong, ...others]) };
    };
  });
}, { name: 'validation' });

/** PostgreSQL stores no U+0000; in a query string it is always an accident or an attack. */
function withNul(query: Record<string, unknown>): FieldError[] {
  return Object.entries(query ?? {})
    .filter(([key, value]) => key.includes('\0') || String(value).includes('\0'))
    .map(([key]) => ({ field: key.replaceAll('\0', ''), reason: 'must not contain U+0000', in: 'query' as const }));
}
