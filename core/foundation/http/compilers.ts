import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FieldError } from '@lintel/sdk';
import type { Ajv, ValidateFunction } from 'ajv';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { fieldErrors, schemaFault, strictAjv } from './ajv.js';
import { TOO_MANY, TOO_MANY_PARAMETERS } from './query-text.js';
import { routeFaults } from './schema-cost.js';

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;
const NUMBER = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/;

export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
}

/** Query strings are text: converts a value written exactly as an integer, number or boolean to that type, in place. */
export function queryReader(schema: JsonSchema): (query: Record<string, unknown>) => void {
  const typed = Object.entries(schema.properties ?? {}).filter(([, s]) =>
    ['integer', 'number', 'boolean'].includes(String(s.type)),
  );
  return (query) => {
    for (const [key, { type }] of typed) {
      const text = query[key];
      if (typeof text !== 'string') continue;
      if (type === 'boolean' ? text === 'true' || text === 'false' : (type === 'integer' ? INTEGER : NUMBER).test(text))
        query[key] = exactly(text);
    }
  };
}

/** Integers that JavaScript cannot represent exactly remain text, so that validation rejects them as not a number. */
function exactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}

const PARTS = { body: 'body', querystring: 'query', params: 'path', headers: 'header' } as const;

/** An error in one part of a request; the error handler also collects the errors of the other parts. */
export class InvalidPart extends Error {
  constructor(
    readonly part: keyof typeof PARTS,
    readonly errors: FieldError[],
  ) {
    super('invalid request');
  }
}

/**
 * Functions compiled from schemas, shared by all app instances of the process: when its modules change, the service
 * builds a new app, mostly from the same schemas.
 */
type Made<T> = WeakMap<object, T>;
const checks = { body: new WeakMap() as Made<ValidateFunction>, other: new WeakMap() as Made<ValidateFunction> };
const writers: Made<(data: unknown) => string> = new WeakMap();

function onceFor<T>(made: Made<T>, schema: object, make: () => T): T {
  let known = made.get(schema);
  if (known === undefined) made.set(schema, (known = make()));
  return known;
}

/**
 * Sets strict validation and serialisation for an app or a scope of it. Schemas are compiled at the first request,
 * because compiling the schemas of all routes takes longer than the rest of the startup.
 * @param isTrusted whether the schemas are part of Lintel, whose tests check them; else each is checked when its route is
 * registered: one that is no valid JSON Schema, or allows a body within its limits to make validation very slow, fails
 * the registration
 */
export function useCompilers(app: FastifyInstance, isTrusted: boolean): void {
  if (!isTrusted) app.addHook('onRoute', demandCheapSchema);
  let bodies: Ajv | undefined;
  let queries: Ajv | undefined;
  const ajvOf = (part: keyof typeof PARTS): Ajv =>
    part === 'body' ? (bodies ??= strictAjv()) : (queries ??= strictAjv(true));
  const prepared = <T>(schema: object, make: () => T): (() => T) => {
    const fault = isTrusted ? undefined : schemaFault(schema);
    if (fault !== undefined) throw new Error(`it has an invalid schema: ${fault}`);
    let made: T | undefined;
    return () => (made ??= make());
  };
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const part = (httpPart ?? 'body') as keyof typeof PARTS;
    const made = part === 'body' ? checks.body : checks.other;
    const compiled = prepared(schema as object, () =>
      onceFor(made, schema as object, () => ajvOf(part).compile(schema as object)),
    );
    const read = part === 'body' ? undefined : queryReader(schema as JsonSchema);
    return (data: unknown) => {
      if (data === TOO_MANY) return { error: new InvalidPart(part, [TOO_MANY_PARAMETERS]) };
      const check = compiled();
      if (read && data && typeof data === 'object') read(data as Record<string, unknown>);
      const wrong = part === 'querystring' ? withNul(data as Record<string, unknown>) : [];
      if (check(data) && wrong.length === 0) return { value: data };
      const others = fieldErrors(check.errors ?? [], PARTS[part]).filter(({ field }) => !field.includes('\0'));
      return { error: new InvalidPart(part, [...wrong, ...others]) };
    };
  });
  // The serialisers check unions with Ajv; see `strictAjv` for why that does not optimise.
  const serializerOf = SerializerSelector()({}, { ajv: { code: { optimize: false } } });
  app.setSerializerCompiler((route) => {
    const write = prepared(route.schema as object, () =>
      onceFor(writers, route.schema as object, () => serializerOf(route as Parameters<typeof serializerOf>[0])),
    );
    return (data: unknown) => write()(data);
  });
}

/** @throws where the validation of a request of the route may take too long */
function demandCheapSchema({ method, url, schema = {} }: RouteOptions): void {
  const faults = routeFaults(schema);
  if (faults.length > 0)
    throw new Error(`the schema of ${[method].flat().join()} ${url} is rejected: ${faults.join('; ')}`);
}

/**
 * Errors for the parameters that contain U+0000, which PostgreSQL cannot store; in a query string it is always a mistake
 * or an attack.
 */
export function withNul(query: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in query)
    if (key.includes('\0') || String(query[key]).includes('\0'))
      errors.push({ field: key.replaceAll('\0', ''), reason: 'must not contain U+0000', in: 'query' });
  return errors;
}
