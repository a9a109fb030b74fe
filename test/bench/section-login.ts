import { expectStatus, makeUser, nextAddress, client, PASSWORD } from '../support/app.js';
import type { Bench } from './bench.js';
import { percentile } from './load.js';

const KINDS = ['wrong', 'unknown', 'disabled', 'limited'] as const;
const MOST_TRIES = 400;
const TARGET = 0.05;

/**
 * The time of refused log-ins by their reason, which it must not reveal. In each round one attempt of every kind is sent, so that all meet the
 * same load, the first one changing because attempts at once wait for one another; each is from an address of its own.
 */
export async function logIn({ admin, service, scale, connect, add }: Bench): Promise<void> {
  const { origin } = service;
  expectStatus(await admin.api.patch('/settings', { rate_limits: { login: 10_000 } }), 200, 'raising the limit');
  const emails = { wrong: '', unknown: 'nobody-of-the-benchmark@example.org', disabled: '', limited: '' };
  for (const kind of ['wrong', 'disabled', 'limited'] as const) {
    const { user } = await makeUser(admin, 'viewer');
    emails[kind] = user.email;
    if (kind === 'disabled')
      expectStatus(await admin.api.patch(`/users/${user.id}`, { is_active: false }), 200, 'deactivating');
  }
  const attempt = async (kind: (typeof KINDS)[number], password: string): Promise<number> => {
    const began = performance.now();
    const answer = await client(origin).post('/auth/login', { email: emails[kind], password }, { from: nextAddress() });
    expectStatus(answer, 401, `a log-in that is ${kind}`);
    return performance.now() - began;
  };
  // The default limit of failures from all addresses without an earlier log-in.
  for (let n = 0; n < 20; n++) await attempt('limited', 'wrong-guess-of-mine');
  const db = await connect();
  const times: Record<(typeof KINDS)[number], number[]> = { wrong: [], unknown: [], disabled: [], limited: [] };
  const tries = Math.min(MOST_TRIES, scale.samples * 4);
  const round = async (first: number): Promise<void> => {
    // The others must not become limited.
    await db.query('delete from login_misses where limited_until is null');
    await Promise.all(
      KINDS.map(async (_, i) => {
        const kind = KINDS[(first + i) % KINDS.length]!;
        times[kind].push(await attempt(kind, kind === 'wrong' ? 'wrong-guess-of-mine' : PASSWORD));
      }),
    );
  };
  try {
    for (let n = 0; n < tries; n++) await round(n);
  } finally {
    await db.end();
  }
  const limit = percentile(times.wrong, 0.5);
  for (const kind of KINDS) {
    const p50 = percentile(times[kind], 0.5);
    const ratio = p50 / limit;
    add({
      work: `log-in refused: ${kind}`,
      figure: p50,
      unit: 'ms',
      ...(kind !== 'wrong' && {
        limit: { name: 'wrong', value: limit, unit: 'ms' },
        ratio,
        target: { text: 'within 5 %', holds: Math.abs(ratio - 1) <= TARGET },
      }),
      p50,
      p99: percentile(times[kind], 0.99),
      note: `${times[kind].length} tries`,
    });
  }
}
