import type { Bench } from './bench.js';
import { compare, httpLanes, sqlLanes } from './load.js';
import { latencyRow } from './rows.js';
import { requestBytes } from './wire.js';

const TARGET_MS = 20;
const DEPTHS = [3, 5];

/** What depends on a card, one request after the other, from cards drawn evenly; against the same SQL driven bare. */
export async function impact({ service: { port }, database, record, cpu, admin, filled, scale: { seconds }, add }: Bench): Promise<void> {
  for (const depth of DEPTHS) {
    const path = (id: string): string => `/cards/${id}/impact?depth=${depth}`;
    const reached: number[] = [];
    const { statements } = await record((recorder) => recorder.statements(async (api) => {
      for (const id of filled.ids.slice(0, 20)) reached.push((await api.get<{ nodes: unknown[] }>(path(id))).body.nodes.length);
    }));
    const [statement] = statements;
    const next = (): string => filled.ids[Math.floor(Math.random() * filled.ids.length)]!;
    const [side, bare] = await compare([
      await httpLanes(port, 1, 200, () => requestBytes('GET', `/api/v1${path(next())}`, admin.token)),
      await sqlLanes(database, 1, () => ({ ...statement!, values: [next(), ...statement!.values.slice(1)] })),
    ], seconds, cpu);
    const row = latencyRow(`impact, depth ${depth}`, side!, 'p99', 'bare SQL', bare!, { text: `≤ ${TARGET_MS} ms`, holds: (ms) => ms <= TARGET_MS });
    add({ ...row, note: `${Math.max(...reached)} cards at most of ${reached.length} starts` });
  }
}
