import type { FastifySchema } from 'fastify';
import { costFaults } from './schema-cost.js';

const PARTS = ['params', 'querystring', 'headers'] as const;

/** The schemas of a body: one, or one of each media type. What is no JSON is only described by its schema. */
function bodiesOf(body: unknown): [name: string, schema: unknown][] {
  const { content } = (body ?? {}) as { content?: Record<string, { schema?: unknown }> };
  if (!content) return [['body', body]];
  return Object.entries(content)
    .filter(([type]) => /[/+]json\b/i.test(type))
    .map(([type, media]) => [`body of ${type}`, media.schema]);
}

/**
 * Looks for what in the schemas of a route's requests may take more than linear time, or has no upper bound.
 * @returns the faults, each with the part of the request and the place in its schema
 */
export function routeFaults(schema: FastifySchema): string[] {
  const parts = [
    ...PARTS.map((part) => [part, schema[part], false] as const),
    ...bodiesOf(schema.body).map(([name, body]) => [name, body, true] as const),
  ];
  return parts.flatMap(([name, part, isBounded]) => costFaults(part, isBounded).map((fault) => `${name}: ${fault}`));
}
