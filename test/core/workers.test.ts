/** Work in other processes: what ends it, what it may use, and whose turn it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { laterProblem, WorkerQueue, WorkerQueueError, type WorkerQueueOptions } from '@lintel/sdk/drawing';
import { problem } from '../../core/foundation/errors.js';
import { until } from '../support/app.js';
import type { TestOrder } from '../support/worker-script.js';

const script = new URL('../support/worker-script.js', import.meta.url);
type Queue = WorkerQueue<TestOrder, unknown>;
const queueOf = (t: { teardown(work: () => unknown): void }, options: Partial<WorkerQueueOptions> = {}): Queue => {
  const queue: Queue = new WorkerQueue({ script, limitMs: 60_000, ...options });
  t.teardown(() => queue.close());
  return queue;
};
const reasonOf = async (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: unknown) => (error instanceof WorkerQueueError ? error.reason : String(error)),
  );
const user = (id: string, lifetime?: AbortController) => ({ actor: { id }, lifetime });
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
/** Orders that run at the same time. */
const TURNS = Math.min(Math.max(availableParallelism(), 2), 4);
const ENDLESS = { kind: 'draw', lines: 10_000 } as const;

t.test('native code ends at the time limit with its process, and the next order has another one', async (t) => {
  const queue = queueOf(t, { limitMs: 3_000 });
  // The first process of all measures what the limits of the others are, and is replaced.
  await queue.run({ kind: 'pid' });
  const first = (await queue.run({ kind: 'pid' })) as number;
  t.equal(await queue.run({ kind: 'pid' }), first, 'a process is used again');
  const { user: before } = process.cpuUsage();
  t.equal(await reasonOf(queue.run(ENDLESS)), 'timeout');
  t.notOk(isAlive(first), 'it has ended when the order is rejected');
  t.ok(process.cpuUsage().user - before < 2_000_000, 'the service itself did not draw');
  const next = (await queue.run({ kind: 'pid' })) as number;
  t.not(next, first);
});

t.test('closing ends native code at once; a closed queue takes no orders', async (t) => {
  const queue = queueOf(t);
  const pid = (await queue.run({ kind: 'pid' })) as number;
  const drawing = reasonOf(queue.run(ENDLESS));
  await queue.close();
  t.equal(await drawing, 'closed');
  t.notOk(isAlive(pid));
  t.equal(await reasonOf(queue.run({ kind: 'pid' })), 'closed');
});

t.test('native code ends with the process of the service, however that ends', async (t) => {
  const code = `const { WorkerQueue } = await import('@lintel/sdk/drawing');
    const queue = new WorkerQueue({ script: new URL(${JSON.stringify(script.href)}), limitMs: 600000 });
    await queue.run({ kind: 'pid' });
    console.log(await queue.run({ kind: 'pid' }));
    await queue.run(${JSON.stringify(ENDLESS)});`;
  const service = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(service.stdout, 'data')) as [Buffer];
  const pid = Number(String(line));
  t.ok(isAlive(pid));
  service.kill('SIGKILL');
  t.ok(await until(() => !isAlive(pid)));
});

t.test('a process has no secrets and little memory, and a large answer is an error', async (t) => {
  const queue = queueOf(t, { memoryMb: 64 });
  process.env['LINTEL_SECRET'] = 'x';
  t.teardown(() => delete process.env['LINTEL_SECRET']);
  const names = (await queue.run({ kind: 'environment' })) as string[];
  const allowed = ['PATH', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'MALLOC_ARENA_MAX', 'PWD'];
  t.strictSame(
    names.filter((name) => !allowed.includes(name) && !name.startsWith('NODE_CHANNEL_')),
    [],
  );
  const { rss } = process.memoryUsage();
  t.equal(await reasonOf(queue.run({ kind: 'allocate', mb: 2_000 })), 'failed');
  t.equal(await reasonOf(queue.run({ kind: 'answer', bytes: 65 * 2 ** 20 })), 'failed');
  t.ok(process.memoryUsage().rss - rss < 100 * 2 ** 20);
  t.equal(((await queue.run({ kind: 'answer', bytes: 1_000 })) as Uint8Array).length, 1_000);
});

t.test('an order whose process is killed from outside is tried again once, and is then not its fault', async (t) => {
  const queue = queueOf(t);
  const killed = join(t.testdir({}), 'killed');
  const [first, second] = [await queue.run({ kind: 'pid' }), await queue.run({ kind: 'die', once: killed })];
  t.not(second, first, 'answered by another process');
  const lost = await queue.run({ kind: 'die', once: undefined }).catch((error: unknown) => error);
  t.match(lost, { reason: 'lost' });
  const { status, headers, cause } = laterProblem({ problem }, lost)!;
  t.strictSame([status, headers, cause], [503, { 'retry-after': '5' }, lost], 'and the log tells it');
  const gone = new WorkerQueueError('cancelled', '');
  t.equal(laterProblem({ problem }, gone)!.cause, undefined, 'a client that goes leaves no line in the log');
  t.equal(await reasonOf(queue.run({ kind: 'allocate', mb: 2_000 })), 'failed', 'its own limits still end it');
  const own = queueOf(t, { isOwn: true });
  t.equal(
    await reasonOf(own.run({ kind: 'die', once: join(t.testdirName, 'own') })),
    'lost',
    'state is not lost silently',
  );
});

t.test('a process that is ended with its order is replaced, for the next user', async (t) => {
  const queue = queueOf(t, { limitMs: 3_000 });
  await queue.run({ kind: 'pid' });
  const first = (await queue.run({ kind: 'pid' })) as number;
  const shells = (): string[] =>
    readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'latin1').trim().split(' '),
    );
  const before = shells();
  const gone = new AbortController();
  const drawn = reasonOf(queue.run(ENDLESS, user('a', gone)));
  gone.abort();
  t.equal(await drawn, 'cancelled');
  const shell = await until(() => shells().find((pid) => !before.includes(pid)), 10_000);
  t.notOk(isAlive(first));
  const next = (await queue.run({ kind: 'pid' }, user('b'))) as number;
  t.match(readFileSync(`/proc/${next}/status`, 'latin1'), `PPid:\t${shell}\n`, 'it answers the next order');
});

t.test('the memory of a process does not depend on what the service has done before', async (t) => {
  /** The limit of the kernel for a new process, in bytes. */
  const limit = async (): Promise<number> => {
    const queue = queueOf(t, { memoryMb: 96 });
    const pid = (await queue.run({ kind: 'pid' })) as number;
    const [, bytes] = /^Max data size +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))!;
    await queue.close();
    return Number(bytes);
  };
  const before = await limit();
  // Memory that is reserved and not used.
  const reserved = Buffer.allocUnsafe(700 * 2 ** 20);
  t.equal(await limit(), before);
  t.equal(reserved.length, 700 * 2 ** 20);
});

t.test('orders of one user run one after another, and do not delay those of others', async (t) => {
  const queue = queueOf(t);
  const ended: string[] = [];
  const run = async (id: string, ms = 200): Promise<void> => {
    await queue.run({ kind: 'compute', ms }, user(id));
    ended.push(id);
  };
  // All turns are taken, and the first user, whose turn ends first, has three more orders, when a new one comes.
  const all = Array.from({ length: TURNS }, (_, i) => run(`holder-${i}`, i === 0 ? 200 : 2_000));
  for (let i = 0; i < 3; i++) all.push(run('holder-0'));
  await Promise.all([...all, run('other')]);
  t.equal(ended.filter((id) => id === 'holder-0').length, 4);
  t.ok(ended.indexOf('other') < ended.lastIndexOf('holder-0'), ended.join(' '));
  t.ok(ended.slice(0, ended.indexOf('other')).filter((id) => id === 'holder-0').length <= 1, ended.join(' '));
  const began = performance.now();
  const [, first, second] = await Promise.all([
    queue.run({ kind: 'compute', ms: 1 }, user('b')),
    queue.run({ kind: 'compute', ms: 200 }, user('a')),
    queue.run({ kind: 'compute', ms: 200 }, user('a')),
  ]);
  t.ok((second as number) - (first as number) >= 199, 'a user has one turn at a time');
  t.ok(performance.now() - began >= 399);
});

t.test('eight orders of a user may wait; those of others still do', async (t) => {
  const queue = queueOf(t);
  const compute = { kind: 'compute', ms: 20 } as const;
  const mine = Array.from({ length: 11 }, () => reasonOf(queue.run(compute, user('many'))));
  const other = reasonOf(queue.run(compute, user('one')));
  t.strictSame(
    await Promise.all(mine),
    Array.from({ length: 11 }, (_, i) => (i < 9 ? 'answered' : 'rate_limited')),
  );
  t.equal(await other, 'answered');
});

t.test('orders of clients that have gone are dropped, and a running one is ended', async (t) => {
  const queue = queueOf(t);
  const [running, waiting, never] = [new AbortController(), new AbortController(), new AbortController()];
  const pid = (await queue.run({ kind: 'pid' }, user('a'))) as number;
  const drawn = reasonOf(queue.run(ENDLESS, user('a', running)));
  const waits = reasonOf(queue.run({ kind: 'compute', ms: 60_000 }, user('a', waiting)));
  const next = queue.run({ kind: 'compute', ms: 1 }, user('a'));
  never.abort();
  t.equal(await reasonOf(queue.run({ kind: 'pid' }, user('a', never))), 'cancelled');
  waiting.abort();
  t.equal(await waits, 'cancelled');
  t.ok(isAlive(pid));
  running.abort();
  t.equal(await drawn, 'cancelled');
  t.ok(await next, 'the turn of the user is free again');
  t.notOk(isAlive(pid));
});

t.test('a short order is completed though its client has gone, so that its process is used again', async (t) => {
  const queue = queueOf(t);
  const pid = await queue.run({ kind: 'pid' }, user('a'));
  const gone = new AbortController();
  const order = reasonOf(queue.run({ kind: 'compute', ms: 20 }, user('a', gone)));
  gone.abort();
  t.equal(await order, 'cancelled');
  t.equal(await queue.run({ kind: 'pid' }, user('a')), pid);
});
