import type { FastifySchema } from 'fastify';
import { costFaults } from './schema-cost.js';

const PARTS = ['params', 'querystring', 'headers'] as const;

/**
 * The schemas of a body: one, or one per media type. Non-JSON bodies are only described by their schema, not validated.
 */
function bodiesOf(body: unknown): [name: string, schema: unknown][] {
  const { content } = (body ?? {}) as { content?: Record<string, { schema?: unknown }> };
  if (!content) return [['body', body]];
  return Object.entries(content)
    .filter(([type]) => /[/+]json\b/i.test(type))
    .map(([type, media]) => [`body of ${type}`, media.schema]);
}

/**
 * Finds schema parts of a route's requests that may take more than linear time to validate, or have no upper bound.
 * @returns the findings, each with the part of the request and the position in its schema
 */
export function routeFaults(schema: FastifySchema): string[] {
  const parts = [
    ...PARTS.map((part) => [part, schema[part], false] as const),
    ...bodiesOf(schema.body).map(([name, body]) => [name, body, true] as const),
  ];
  return parts.flatMap(([name, part, isBounded]) => costFaults(part, isBounded).map((fault) => `${name}: ${fault}`));
}
