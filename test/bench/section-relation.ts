import type { Bench } from './bench.js';
import { compare, httpLanes, type Side } from './load.js';
import type { Row } from './report.js';
import { requestBytes } from './wire.js';

const WRITERS = 32;
const SOURCES = 100;
/** Number of relations that each writer changes in turn. */
const RELATIONS_EACH = 30;
/** A prime, so that a source gets all targets before it gets one again. */
const TARGET_STEP = 7_919;

interface Results {
  results: { id: string }[];
}

const rowOf = (work: string, { perSecond, p50, p99, node, postgres }: Side): Row => ({
  work,
  figure: perSecond,
  unit: '/s',
  p50,
  p99,
  node,
  postgres,
});

/** Many writers that each create one relation per request, or change one under If-Match. */
export async function singleRelations(bench: Bench): Promise<void> {
  const {
    service: { port },
    cpu,
    writes,
    admin,
    filled: { ids: targets },
    scale: { seconds },
    add,
    addWrite,
  } = bench;
  // Cards of the fill may already have a relation to the drawn target.
  const cards = await admin.api.post<Results>('/cards/bulk', {
    operations: Array.from({ length: SOURCES }, (_, n) => ({
      op: 'create',
      card: { type: 'Application', name: `Source of relations ${n}` },
    })),
  });
  const sources = cards.body.results.map(({ id }) => id);
  let n = 0;
  const next = () => {
    const source = n % SOURCES;
    const target = (Math.floor(n / SOURCES) * TARGET_STEP + source * 37) % targets.length;
    n++;
    return {
      type: 'related',
      source_id: sources[source]!,
      target_id: targets[target]!,
      attributes: { kind: 'single' },
    };
  };

  const changed = await admin.api.post<Results>('/relations/bulk', {
    operations: Array.from({ length: WRITERS * RELATIONS_EACH }, () => ({ op: 'create', ...next() })),
  });
  const relations = changed.body.results.map(({ id }) => ({ id, version: 1 }));
  const creating = await httpLanes(port, WRITERS, 201, () =>
    requestBytes('POST', '/api/v1/relations', admin.token, next()),
  );
  const [created] = await compare([creating], seconds, cpu, writes);
  addWrite('create_relation', created!);
  add(rowOf(`create a relation, ${WRITERS} writers`, created!));

  const turn = Array.from({ length: WRITERS }, () => 0);
  const current = (lane: number) => relations[lane * RELATIONS_EACH + (turn[lane]! % RELATIONS_EACH)]!;
  let text = 0;
  const changing = await httpLanes(
    port,
    WRITERS,
    200,
    (lane) => {
      const { id, version } = current(lane);
      const body = { description: `Changed in a run ${++text}` };
      return requestBytes('PATCH', `/api/v1/relations/${id}`, admin.token, body, { 'If-Match': `"${version}"` });
    },
    (lane, head) => {
      current(lane).version = Number(/\r\netag: "(\d+)/i.exec(head)?.[1]);
      turn[lane]!++;
    },
  );
  const [patched] = await compare([changing], seconds, cpu, writes);
  addWrite('patch_relation', patched!);
  add(rowOf(`change a relation under If-Match, ${WRITERS} writers`, patched!));
}
