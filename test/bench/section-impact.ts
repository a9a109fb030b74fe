import { join } from 'node:path';
import { Database } from '../../core/foundation/db/database.js';
import { readGraph } from '../../core/inventory/impact/graph-repository.js';
import type { RelationGraph } from '../../core/inventory/impact/graph.js';
import { walk } from '../../core/inventory/impact/walk.js';
import { client } from '../support/http.js';
import { until } from '../support/app.js';
import type { Bench } from './bench.js';
import { compare, httpLanes, sqlLanes, warmUp, type Lane } from './load.js';
import { startRecorder, type RecordedStatement } from './record.js';
import { latencyRow } from './rows.js';
import { freePort, serviceEnvironment, startService } from './service.js';
import { requestBytes } from './wire.js';

const SQL_MS = 20;
const MEMORY_MS = 5;
const DEPTHS = [3, 5];
const SAMPLED = 20;
const READ_MS = 300_000;
/** The code of the walk is fully optimised only after thousands of answers. */
const WARM_UP_SECONDS = 3;
const MOST = 20_000_000;

/**
 * The impact of evenly sampled cards, one request at a time: from SQL, by a service that has no graph in memory, compared
 * with the same SQL sent directly; and from memory, compared with the walk through the graph alone.
 */
export async function impact({
  service,
  folder,
  database,
  cpu,
  admin,
  filled,
  scale: { seconds },
  add,
}: Bench): Promise<void> {
  const path = (id: string, depth: number): string => `/cards/${id}/impact?depth=${depth}`;
  const next = (): string => filled.ids[Math.floor(Math.random() * filled.ids.length)]!;
  const lanes = (port: number, depth: number): Promise<Lane[]> =>
    httpLanes(port, 1, 200, () => requestBytes('GET', `/api/v1${path(next(), depth)}`, admin.token));
  const env = {
    ...serviceEnvironment(join(folder, 'impact'), await freePort(), database),
    IMPACT_GRAPH_MAX_RELATIONS: '0',
  };
  const bare = await startService(env, join(folder, 'impact.log'));
  const db = new Database({ connection: database, max: 2 });
  try {
    const graph = await inMemory(service, db, path(next(), 1), admin.token);
    for (const depth of DEPTHS) {
      const { statement, most } = await recorded(
        env,
        { database, token: admin.token },
        filled.ids.slice(0, SAMPLED).map((id) => path(id, depth)),
      );
      const note = `${most} cards at most of ${SAMPLED} starts`;
      for (const { port } of [bare, service]) await warmUp(await lanes(port, depth), WARM_UP_SECONDS);
      const [fromSql, sql, fromMemory, walking] = await compare(
        [
          await lanes(bare.port, depth),
          await sqlLanes(database, 1, () => ({ ...statement, values: [[next()], ...statement.values.slice(1)] })),
          await lanes(service.port, depth),
          [walkLane(graph, depth, next)],
        ],
        seconds,
        cpu,
      );
      add({
        ...latencyRow(`impact, depth ${depth}, from SQL`, { ...fromSql!, node: undefined }, 'p99', 'bare SQL', sql!, {
          text: `≤ ${SQL_MS} ms`,
          holds: (ms) => ms <= SQL_MS,
        }),
        note,
      });
      add({
        ...latencyRow(`impact, depth ${depth}, from memory`, fromMemory!, 'p99', 'walk alone', walking!, {
          text: `≤ ${MEMORY_MS} ms`,
          holds: (ms) => ms <= MEMORY_MS,
        }),
        note: `${(graph.bytes / graph.relations.size).toFixed(0)} bytes a relation, names and cards included`,
      });
    }
  } finally {
    await db.close();
    await bare.stop();
  }
}

/** Waits until the service answers from memory. @returns the same graph for this process */
async function inMemory(
  { origin }: { origin: string },
  db: Database,
  path: string,
  token: string,
): Promise<RelationGraph> {
  const api = client(origin, token);
  await api.get(path);
  await until(
    async () => /^lintel_impact_graph_relations [1-9]/m.test((await api.get<string>('/api/metrics')).body),
    READ_MS,
  );
  const loaded = await readGraph(db, MOST, new AbortController().signal);
  if (!loaded) throw new Error('there are too many relations to hold in memory');
  return loaded.graph;
}

/** @returns the statement that the requests send, and the largest number of cards that one of them reached */
async function recorded(
  env: NodeJS.ProcessEnv,
  { database, token }: { database: Bench['database']; token: string },
  paths: string[],
): Promise<{ statement: RecordedStatement; most: number }> {
  const recorder = await startRecorder({ ...env, LOG_LEVEL: 'error' }, database, token);
  try {
    const { answer, statements } = await recorder.statements(async (api) => {
      const reached: number[] = [];
      for (const path of paths) reached.push((await api.get<{ nodes: unknown[] }>(path)).body.nodes.length);
      return Math.max(...reached);
    });
    return { statement: statements[0]!, most: answer };
  } finally {
    await recorder.close();
  }
}

function walkLane(graph: RelationGraph, depth: number, next: () => string): Lane {
  const today = new Date().toISOString().slice(0, 10);
  return {
    once: async () => {
      walk(graph, { cardId: next(), direction: 'downstream', depth, types: undefined, hiddenTypes: [], today });
    },
    close: () => undefined,
  };
}
