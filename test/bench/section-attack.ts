import { expectStatus, makeUser, type Session } from '../support/app.js';
import type { Command, Reply } from './attackers-process.js';
import type { Bench } from './bench.js';
import { percentile } from './load.js';
import { Helper } from './receivers.js';

const ATTACKERS = 10;
const TARGET_MS = 500;
/** Pause of the administrator between requests, in ms. */
const PACE_MS = 50;

/** The latencies of an administrator's requests in ms, and the refused ones. */
export interface Work {
  latencies: Record<'list' | 'write' | 'get', number[]>;
  /** Number of cards in each complete export; their time is not measured, because it depends on the amount of data. */
  exports: number[];
  refused: string[];
}

/** Sends lists, reads, writes and exports of an administrator. @param seconds how long */
export async function work({ api }: Session, seconds: number): Promise<Work> {
  const done: Work = { latencies: { list: [], write: [], get: [] }, exports: [], refused: [] };
  const end = performance.now() + seconds * 1_000;
  const timed = async <T extends { status: number }>(
    kind: keyof Work['latencies'],
    ask: () => Promise<T>,
  ): Promise<T> => {
    const began = performance.now();
    const answer = await ask();
    done.latencies[kind].push(performance.now() - began);
    if (answer.status >= 400) done.refused.push(`${kind} ${answer.status}`);
    return answer;
  };
  const editing = (async () => {
    for (let n = 0; performance.now() < end; n++) {
      const {
        body: { id },
      } = await timed('write', () =>
        api.post('/cards', { type: 'Platform', name: `At work ${n} ${performance.now()}` }),
      );
      await timed('write', () => api.patch(`/cards/${id}`, { description: `${n}` }));
      await timed('get', () => api.get(`/cards/${id}`));
      await timed('list', () => api.get('/cards', { query: { type: 'Application', page_size: '50' } }));
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
  })();
  const exporting = (async () => {
    while (performance.now() < end) {
      const answer = await api.get('/cards/export', { query: { format: 'ndjson', type: 'Application' } });
      if (answer.status === 200) done.exports.push(String(answer.body).split('\n').length - 1);
      else done.refused.push(`export ${answer.status}`);
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
  })();
  await Promise.all([editing, exporting]);
  return done;
}

/** Has ten viewers, each a stakeholder of one card, send costly requests while `meanwhile` runs. */
export async function underAttack<T>(
  admin: Session,
  meanwhile: () => Promise<T>,
): Promise<{ result: T; tally: NonNullable<Reply['tally']>; bare: number }> {
  const attackers = [];
  for (let n = 0; n < ATTACKERS; n++) {
    const viewer = await makeUser(admin, 'viewer');
    const {
      body: { id: card },
    } = expectStatus(
      await admin.api.post('/cards', { type: 'Application', name: `Attacked ${n}`, attributes: { numberOfUsers: 1 } }),
      201,
      'creating a card',
    );
    expectStatus(
      await admin.api.post(`/cards/${card}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' }),
      201,
      'naming a stakeholder',
    );
    attackers.push({ token: viewer.token, card });
  }
  const helper = new Helper<Command, Reply>('./attackers-process.js');
  try {
    await helper.ask({ begin: { origin: admin.origin, attackers, victim: admin.user.email } });
    const result = await meanwhile();
    const { tally, bare } = await helper.ask({ end: true });
    return { result, tally: tally!, bare: bare! };
  } finally {
    helper.stop();
  }
}

/** Requests of an administrator while ten viewers send costly requests, compared with the same requests on an idle service. */
export async function attack({ admin, scale: { seconds }, add }: Bench): Promise<void> {
  const length = Math.max(10, seconds * 10);
  const quiet = await work(admin, length / 2);
  const { result, tally, bare } = await underAttack(admin, () => work(admin, length));
  for (const kind of ['list', 'get', 'write'] as const) {
    const [p50, p99] = [percentile(result.latencies[kind], 0.5), percentile(result.latencies[kind], 0.99)];
    const alone = percentile(quiet.latencies[kind], 0.99);
    add({
      work: `under attack: ${kind}, p99`,
      figure: p99,
      unit: 'ms',
      limit: { name: 'without attackers, p99', value: alone, unit: 'ms' },
      ratio: p99 / alone,
      target: { text: `≤ ${TARGET_MS} ms`, holds: p99 <= TARGET_MS },
      p50,
      p99,
    });
  }
  add({
    work: 'under attack: exports that complete',
    figure: result.exports.length,
    unit: '',
    note: result.refused.length === 0 ? '' : `refused: ${[...new Set(result.refused)].join(', ')}`,
  });
  for (const [name, statuses] of Object.entries(tally))
    add({
      work: `  ${name}`,
      figure: Object.values(statuses).reduce((a, b) => a + b, 0),
      unit: 'answers',
      note: JSON.stringify(statuses),
    });
  add({
    work: '  503 and 429 without Retry-After',
    figure: bare,
    unit: 'answers',
    target: { text: '0', holds: bare === 0 },
  });
}
