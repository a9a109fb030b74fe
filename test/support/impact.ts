import type { TestApp } from './app.js';
import { expectStatus, until, type Client } from './app.js';

export interface Impact {
  nodes: { id: string; type: string; name: string; depth: number; path: string[] }[];
  edges: { id: string; type: string; source_id: string; target_id: string }[];
  truncated: boolean;
}

export type ImpactQuery = Record<string, string | number>;

/** @returns the impact of a card @throws unless the status is 200 */
export async function impactOf(api: Client, id: string, query: ImpactQuery = {}): Promise<Impact> {
  return expectStatus(await api.get<Impact>(`/cards/${id}/impact`, { query }), 200, 'impact').body;
}

/** Sorts the relations, because their order differs between SQL and memory. */
export function unordered({ nodes, edges, truncated }: Impact): Impact {
  return { nodes, edges: edges.sort((a, b) => (a.id < b.id ? -1 : 1)), truncated };
}

/** Repeats the request until the result comes from memory. */
export async function inMemory({ app }: TestApp, api: Client, id: string, ms = 10_000): Promise<void> {
  const { answered } = app.services.impact;
  const before = answered.memory;
  await until(async () => {
    await api.get(`/cards/${id}/impact`, { query: { depth: 1 } });
    return answered.memory > before;
  }, ms);
}
