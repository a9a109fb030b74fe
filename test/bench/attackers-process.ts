/**
 * Users with the permissions of a viewer who send costly requests continuously until they are stopped. A separate process,
 * so that sending the requests affects the measurement only by processor time.
 */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A viewer who is a stakeholder of one card. */
export interface Attacker {
  token: string;
  card: string;
}
export interface Command {
  begin?: { origin: string; attackers: Attacker[]; victim: string };
  end?: true;
}
/** Counts of answers by attack and status, `none` where a connection ended without one; `bare` counts 503 and 429 without Retry-After. */
export interface Reply {
  tally?: Record<string, Record<string, number>>;
  bare?: number;
}

const PATCH_STEPS = 27;
const BODY_BYTES = 1_000_000;
/** Pause of an attacker between two requests; without it the load would consist of immediate refusals. */
const PAUSE_MS = 20;

const tally: Record<string, Record<string, number>> = {};
let bare = 0;
let isOver = false;

function count(attack: string, status: number | 'none', headers?: Headers): void {
  const of = (tally[attack] ??= {});
  of[status] = (of[status] ?? 0) + 1;
  if ((status === 503 || status === 429) && !headers?.get('retry-after')) bare++;
}

const keys = (n: number): string => Array.from({ length: n }, (_, i) => `"k${i}":1`).join(',');
const JSON_TYPE = 'application/json';

/** What each attacker sends again and again: method, path, body, type. */
function requests({ card }: Attacker): Record<string, [string, string, string | undefined, string?]> {
  const copies = Array.from({ length: PATCH_STEPS }, () => ({
    op: 'copy',
    from: '/attributes',
    path: '/attributes/a',
  }));
  const objects = Array.from({ length: 12_000 }, (_, i) => ({ a: i }));
  return {
    '1 JSON Patch': ['PATCH', `/cards/${card}`, JSON.stringify(copies), 'application/json-patch+json'],
    '2 array of objects': ['POST', '/adr', JSON.stringify({ title: 'x', options: objects })],
    '3 bulk of numbers': ['POST', '/cards/bulk', `{"operations":[${'1,'.repeat(BODY_BYTES * 2)}1]}`],
    '3 unknown keys': ['PATCH', '/auth/me', `{${keys(BODY_BYTES / 14)}}`],
    '4 deep comment': ['POST', `/cards/${card}/comments`, `{"body":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    '4 nested preferences': ['PATCH', '/auth/me', `{"preferences":{${keys(BODY_BYTES / 14)}}}`],
    '7 comments': ['POST', `/cards/${card}/comments`, JSON.stringify({ body: 'x'.repeat(9_000) })],
  };
}

async function send(
  origin: string,
  attack: string,
  token: string,
  [method, path, body, type]: [string, string, string | undefined, string?],
): Promise<void> {
  try {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type ?? JSON_TYPE },
      body: body ?? null,
    });
    await answer.arrayBuffer();
    count(attack, answer.status, answer.headers);
  } catch {
    count(attack, 'none');
  }
}

async function again(work: () => Promise<void>): Promise<void> {
  while (!isOver) {
    await work();
    await delay(PAUSE_MS);
  }
}

/** 60 tries at once, all with a wrong password. */
async function changePasswords(origin: string, token: string): Promise<void> {
  const body = JSON.stringify({
    current_password: 'wrong-wrong-wrong-1',
    new_password: 'quiet-heron-crosses-8-bridges',
  });
  await Promise.all(
    Array.from({ length: 60 }, () => send(origin, '5 change-password', token, ['POST', '/auth/change-password', body])),
  );
}

/** Requests an export and reads one byte of it every 200 ms. */
async function slowExport(origin: string, token: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname);
    let head = '';
    const reading = setInterval(() => {
      if (isOver) socket.destroy();
      const chunk = socket.read(1) as Buffer | null;
      if (chunk !== null && head.length < 12) head += chunk.toString('latin1');
    }, 200);
    socket.once('error', () => undefined);
    socket.once('close', () => {
      clearInterval(reading);
      count('6 slow export', Number(/ (\d{3})/.exec(head)?.[1]) || 'none', new Headers({ 'retry-after': '1' }));
      resolve();
    });
    socket.pause();
    socket.write(`GET /api/v1/cards/export?format=json HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  });
}

async function begin({ origin, attackers, victim }: NonNullable<Command['begin']>): Promise<void> {
  const work = attackers.flatMap((attacker) => [
    ...Object.entries(requests(attacker)).map(([attack, request]) =>
      again(() => send(origin, attack, attacker.token, request)),
    ),
    again(() => changePasswords(origin, attacker.token)),
    again(() => slowExport(origin, attacker.token)),
    again(() =>
      send(origin, '8 log-in as another', '', [
        'POST',
        '/auth/login',
        JSON.stringify({ email: victim, password: 'wrong-wrong-wrong-1' }),
      ]),
    ),
  ]);
  await Promise.all(work);
}

let attack: Promise<void> | undefined;
process.on('message', ({ begin: given, end }: Command) => {
  if (given) {
    attack = begin(given);
    process.send!({} satisfies Reply);
  } else if (end) {
    isOver = true;
    void attack!.then(() => process.send!({ tally, bare } satisfies Reply));
  }
});
